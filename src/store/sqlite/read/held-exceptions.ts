import { RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import type { HeldRecordException } from '../../exceptions.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';

interface HeldRow extends Omit<HeldRecordException, 'isClaim' | 'isCarried'> {
  readonly number: number;
  readonly isClaim: 0 | 1;
  readonly isCarried: 0 | 1;
}

/** Rows of one statement: a window of the open ones, of which few are held. */
const WINDOW = 5_000;

/** Reads exceptions about records that were carried into later days, or that are claims. */
export function heldRecordExceptionReads(database: Database): (from: string) => Promise<HeldRecordException[]> {
  const kinds = RECORD_KINDS.map((kind) => `'${kind}'`).join(', ');
  const held = database.prepare<{ from: string; after: number; until: number }, HeldRow>(`
    SELECT e.number, e.id, e.code, e.sub, e.kind, e.environment, e.date, e.first_seen AS firstSeen, e.record_id AS recordId,
      iif(e.status = 'resolved' AND r.resolution = 'claim', 1, 0) AS isClaim, s.carried AS isCarried
    FROM exceptions e INDEXED BY exceptions_left JOIN exception_sightings s ON s.exception_number = e.number
      LEFT JOIN exception_resolutions r ON r.id = e.resolution_id
    WHERE e.status <> 'closed' AND e.number > @after AND e.number <= @until
      AND e.leg IS NULL AND e.account IS NULL AND e.kind IN (${kinds}) AND e.date < @from
      AND (s.carried = 1 OR e.status = 'resolved' AND (r.resolution = 'claim' OR r.carried_until < @from))
    ORDER BY e.number`);
  const last = database.prepare<[], number>('SELECT coalesce(max(number), 0) FROM exceptions').pluck();

  return async (from) => {
    const found: HeldRecordException[] = [];
    const read = guarded(database, (after: number) => held.all({ from, after, until: after + WINDOW }));
    for (let after = 0; after < (last.get() ?? 0); after += WINDOW) {
      for (const { number: _, isClaim, isCarried, ...row } of read(after))
        found.push({ ...row, isClaim: isClaim === 1, isCarried: isCarried === 1 });
    }
    return found;
  };
}
