import type { OurRow } from '../../domain/matching/rows.ts';
import type { MatchRun } from './run.ts';
import type { Sides } from './sides.ts';

/**
 * A row of ours as the figures before the period have it, where that is not how it is now; undefined: it is the same. `isOwn`: our
 * own opening balance has these figures.
 */
export function rowBefore({ late, daily }: MatchRun, sides: Sides, row: OurRow, isOwn: boolean): OurRow | undefined {
  const closed = late.asClosed.get(row.id);
  const status = isOwn && !late.rows.has(row.id) ? daily.statusBefore(sides, row) : undefined;
  const other = closed ?? row;
  return status === undefined || status === other.status ? closed : { ...other, status };
}
