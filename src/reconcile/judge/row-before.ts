import { coverSome } from '../../domain/balance/covered-days.ts';
import type { BookName } from '../../domain/matching/book.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { Sides } from '../load/sides.ts';
import type { MatchRun } from './run.ts';

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

interface Older {
  readonly sides: Sides;
  readonly row: OurRow;
  readonly lines: readonly { readonly date: string; readonly statement: number }[];
}

/**
 * Whether the closed figures that an account opens with lack a row of their days: no statement showed its day then, and no line was
 * there. It moves the balance in the period in which its line comes. A row that came late is no row of closed days.
 */
export function closedWithout(run: MatchRun, name: BookName, { sides, row, lines }: Older): boolean {
  const { closings, late, sidesBefore, window } = run;
  if (closings.openingOf(name) === null || late.rows.has(row.id)) return false;
  if (lines.some(({ date, statement }) => date < window.from && !late.statements.has(statement))) return false;
  const { number, environment, currency } = sides;
  const before = sidesBefore.find(
    (one) => one.number === number && one.environment === environment && one.currency === currency,
  );
  const days = row.kind === 'refund' ? [row.startDay, row.day] : [row.day];
  return !days.some((day) => day >= window.from || coverSome(before?.days ?? [], { from: day, to: day }));
}
