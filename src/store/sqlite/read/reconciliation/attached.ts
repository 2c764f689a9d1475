import SQLite from 'better-sqlite3';
import { MINUTE_MS } from '../../../../time/clock.ts';
import { StoreError } from '../../../error.ts';
import type { Scratch } from '../../../scratch/scratch.ts';
import { scratchError } from '../../../scratch/scratch-error.ts';
import type { Database } from '../../engine/database.ts';
import { storeError } from '../../engine/failure.ts';
import { identityOf } from '../../engine/real-file.ts';

/** `work` on a scratch database that has this one attached as `store`, throwing StoreErrors for the engine's errors. */
export function attached<Order extends readonly unknown[], Result>(
  database: Database,
  work: (scratch: Scratch, ...order: Order) => Promise<Result>,
): (scratch: Scratch, ...order: Order) => Promise<Result> {
  return async (scratch, ...order) => {
    try {
      expectFile(database.name);
      scratch.database.prepare('ATTACH ? AS store').run(database.name);
      const result = await work(scratch, ...order);
      scratch.database.exec('DETACH store');
      return result;
    } catch (error) {
      throw isOfScratch(error) ? scratchError(error) : storeError(error, database.name);
    }
  };
}

/** `day_of`: the day of a time in UTC; `day_of_ms`: of milliseconds since 1970. Remembers minutes: a day begins with one, in every zone. */
export function defineDayOf(database: Database, dayOf: (ms: number) => string): void {
  const known = new Map<string | number, string>();
  const remembered = (minute: string | number, ms: () => number) => {
    let day = known.get(minute);
    if (day === undefined) {
      day = dayOf(ms());
      known.set(minute, day);
    }
    return day;
  };
  database.function('day_of', { deterministic: true }, (text: unknown) => {
    const minute = String(text).slice(0, 'yyyy-mm-ddThh:mm'.length);
    return remembered(minute, () => Date.parse(`${minute}:00Z`));
  });
  database.function('day_of_ms', { deterministic: true }, (ms: unknown) => {
    const minute = Math.floor(Number(ms) / MINUTE_MS);
    return remembered(minute, () => minute * MINUTE_MS);
  });
}

/** Attached by a connection that writes, as that of a scratch database, a missing file would be made, empty. */
function expectFile(file: string): void {
  if (identityOf(file) !== null) return;
  throw new StoreError('replaced', `The database ${file} was deleted or moved while it was read.`, {
    hint: 'Put it back, or restore a backup: tallyhook restore FILE.',
  });
}

/** Only the scratch database is written here, so a full disk is that of the temporary files. */
function isOfScratch(error: unknown): boolean {
  return error instanceof SQLite.SqliteError && /^SQLITE_(FULL|IOERR)/.test(error.code);
}
