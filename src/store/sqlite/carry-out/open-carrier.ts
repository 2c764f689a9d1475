import { aesCbcCodec } from '../../../domain/requests/payload-codec.ts';
import type { Called } from '../../operations.ts';
import type { Database } from '../engine/database.ts';
import { openForReading } from '../engine/reading.ts';
import { openLog } from '../log/log-file.ts';
import { waitingRead } from '../read/waiting.ts';
import { type Carrier, carrier } from './carry-out.ts';
import { expectOwnLog, joinLog } from './join-log.ts';
import type { CarryOutData } from './messages.ts';

const NEEDS_NO_LOG: readonly string[] = ['log.lose', 'approvals.plan'];

/** Calls of a command beside a log that is gone: it gives the log up, by the rules for approvals that each command begins with. */
export function needsNoLog({ group, method }: Pick<Called, 'group' | 'method'>): boolean {
  return NEEDS_NO_LOG.includes(`${group}.${method}`);
}

export interface OpenCarrier extends Carrier {
  readonly log: string;
  close(): void;
}

/**
 * What carries the log of open books out. `beforeCommit` throws when they must not be written.
 *
 * @throws StoreError `wrong_log` when the log is not the one of these books
 */
export function openCarrier(
  books: Database,
  { zone, encryption, debounceMs }: CarryOutData,
  beforeCommit?: () => void,
): OpenCarrier {
  const file = joinLog(books);
  const log = openLog(file, { readonly: true });
  const codec = encryption === null ? null : aesCbcCodec(encryption);
  const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
  return {
    ...carrier(books, log, { zone, decode, debounceMs }, beforeCommit),
    log: file,
    close: () => void log.close(),
  };
}

/**
 * Whether deliveries wait in the log of the books at `path`.
 *
 * @throws StoreError `wrong_log` when the log is not the one of these books
 */
export function isBehind(path: string): boolean {
  const { database, close } = openForReading(path);
  try {
    expectOwnLog(database);
    return waitingRead(database)().deliveries > 0;
  } finally {
    close();
  }
}
