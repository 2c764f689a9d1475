import { aesCbcCodec } from '../../../domain/requests/payload-codec.ts';
import type { Called } from '../../operations.ts';
import type { Database } from '../engine/database.ts';
import { openLog } from '../log/log-file.ts';
import { type Carrier, carrier } from './carry-out.ts';
import { joinLog } from './join-log.ts';
import type { CarryOutData } from './messages.ts';

const NEEDS_ALL: readonly string[] = ['runs.beginRun', 'periods.close'];

/** Calls that first carry out what the log holds: what they judge is complete up to then. */
export function needsAll({ group, method }: Pick<Called, 'group' | 'method'>): boolean {
  return NEEDS_ALL.includes(`${group}.${method}`);
}

export interface OpenCarrier extends Carrier {
  readonly log: string;
  close(): void;
}

/**
 * What carries the log of open books out.
 *
 * @throws StoreError `wrong_log` when the log is not the one of these books
 */
export function openCarrier(books: Database, { zone, encryption, debounceMs }: CarryOutData): OpenCarrier {
  const file = joinLog(books);
  const log = openLog(file, { readonly: true });
  const codec = encryption === null ? null : aesCbcCodec(encryption);
  const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
  return { ...carrier(books, log, { zone, decode, debounceMs }), log: file, close: () => void log.close() };
}
