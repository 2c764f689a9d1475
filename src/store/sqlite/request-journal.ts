import type { Clock } from '../../time/clock.ts';
import { StoreError } from '../error.ts';
import type { OpenJournal } from '../library.ts';
import { guarded } from './engine/reading.ts';
import { openOrCreate } from './engine/write-connection.ts';
import { requestWrites } from './write/requests.ts';

/** Opens the journal of our requests, beside a running `serve` or without one. `zone` is that of times without one. */
export function openRequestJournal(path: string, zone: string, clock: Clock): OpenJournal {
  const { database, expectWritten, close } = openOrCreate(path, clock.nowMs());
  const writes = requestWrites(database, zone);
  const now = () => ({ nowMs: clock.nowMs() });
  const whileOpen = <Result>(write: () => Result): Result => {
    if (!database.open) throw new StoreError('closing', 'The journal is closed.');
    const result = guarded(database, write)();
    expectWritten(); // before the request leaves
    return result;
  };
  return {
    begin: async (intent) => whileOpen(() => writes.begin(intent, now())),
    settle: async (settled) => whileOpen(() => writes.settle(settled, now())),
    track: async (record) => whileOpen(() => void writes.track(record, now())),
    knowsRefund: async (environment, reference) => whileOpen(() => writes.knowsRefund(environment, reference)),
    pinVersion: async (environment, reference, version) =>
      whileOpen(() => writes.pinVersion(environment, reference, version)),
    proven: async (environment) => whileOpen(() => writes.proven(environment)),
    prove: async (proof) => whileOpen(() => writes.prove({ ...proof, ...now() })),
    close: async () => close(),
  };
}
