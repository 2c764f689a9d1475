import { bookKey } from '../../domain/matching/book.ts';
import { foreignVerdicts, standingForeign } from '../../domain/matching/foreign.ts';
import { withLateLines } from '../../domain/matching/late.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { Sides } from '../load/sides.ts';
import { bookOpen } from './book-open.ts';
import { list } from './list.ts';
import { itemOf, posted } from './place-item.ts';
import type { MatchRun } from './run.ts';

/**
 * Judges the lines that name a row in another currency, those of each book by themselves, and lists what is said of them. Returns
 * those that stand.
 */
export function reportForeign(run: MatchRun, sides: Sides, row: OurRow, lines: readonly TheirLine[]): TheirLine[] {
  const { window, books } = run;
  const foreign = lines.filter(({ currency }) => currency !== row.currency);
  const own = lines.filter(({ currency }) => currency === row.currency);
  const hasOwn = standingForeign(own, window.until).length > 0;
  const { environment } = row;
  const ofBooks = Map.groupBy(foreign, (line) => bookKey({ ...line, environment }));
  const all: TheirLine[] = [];
  for (const named of ofBooks.values()) {
    const standing = standingForeign(named, window.until);
    const [first] = named;
    if (first === undefined) continue;
    const { account, currency } = first;
    const name = { environment, account, currency };
    const loose = named.map((line) => asLoose(line, row));
    const late = run.late.of([], loose);
    const isOpen = { now: standing.length > 0, eve: standingForeign(late.inTime, window.eve).length > 0 };
    const open = { sides: null, rows: [], lines: loose, late, isOpen };
    const booked = bookOpen(run, books.of(name), open);
    const verdicts = foreignVerdicts(row, standing, hasOwn || all.length > 0);
    for (const { code, line } of verdicts)
      if (code === 'duplicate_external' && line !== null) run.scratch.doubt(line.id);
    all.push(...standing);
    if (booked === null) continue;
    const inPeriod = late.lines.filter(({ date }) => date <= window.until);
    const said = withLateLines(verdicts, inPeriod);
    const items = said.map((verdict) => {
      const item = itemOf(verdict, row, [verdict.line ?? first], sides, account, window.until);
      return { ...posted(item, booked.postsOn), currency };
    });
    for (const item of items) list(run, name, booked, item);
    booked.freeze(items);
  }
  return all;
}

function asLoose(line: TheirLine, { environment, kind }: OurRow): LooseLine & TheirLine {
  return { ...line, environment, leg: null, kind, typeText: line.type, sessionId: null, group: null };
}
