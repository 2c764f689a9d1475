import type { Clock } from '../../time/clock.ts';
import { StoreError } from '../error.ts';
import type { OpenJournal } from '../store.ts';
import { guarded } from './engine/reading.ts';
import { openOrCreate } from './engine/write-connection.ts';
import { requestWrites } from './write/requests.ts';

/** Opens the journal of our requests, beside a running `serve` or without one. `zone` is that of times without one. */
export function openRequestJournal(path: string, zone: string, clock: Clock): OpenJournal {
  const { database, close } = openOrCreate(path, clock.nowMs());
  const writes = requestWrites(database, zone, clock);
  const now = <Result>(write: () => Result): Result => {
    if (!database.open) throw new StoreError('closing', 'The journal is closed.');
    return guarded(database, write)();
  };
  return {
    begin: async (intent) => now(() => writes.begin(intent)),
    settle: async (settled) => now(() => writes.settle(settled)),
    track: async (record) => now(() => void writes.track(record)),
    knowsRefund: async (environment, reference) => now(() => writes.knowsRefund(environment, reference)),
    pinVersion: async (environment, reference, version) =>
      now(() => writes.pinVersion(environment, reference, version)),
    proven: async (environment) => now(() => writes.proven(environment)),
    prove: async (proof) => now(() => writes.prove({ ...proof, nowMs: clock.nowMs() })),
    close: async () => close(),
  };
}
