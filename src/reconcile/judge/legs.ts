import { coverSome } from '../../domain/balance/covered-days.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import { standingAt } from '../../domain/matching/standing.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import { isOptional, type Sides } from '../load/sides.ts';
import { isDayOf } from '../load/window.ts';
import { carryFrozen } from './enter.ts';
import { judgeRow } from './groups.ts';
import { judgeInvoices } from './judge-invoices.ts';
import { reportLoose } from './loose.ts';
import type { MatchRun } from './run.ts';
import { reportSuggestion, type Suggested, type Suggestion, suggestByAmount } from './suggest.ts';
import { reportTie, tiedGroups } from './ties.ts';

/** Judges every leg, one after the other; then the fees that are charged apart, the lines that no leg took, and what was frozen. */
export function judgeLegs(run: MatchRun): void {
  const loose = looseLines(run);
  for (const number of new Set(run.sides.map((one) => one.number))) judgeLeg(run, number, loose);
  for (const side of run.sides) run.invoices.take(side, loose);
  judgeInvoices(run);
  for (const line of loose.values()) reportLoose(run, line);
  carryFrozen(run);
}

/** Finds the side of a row of a leg, in its own currency or another one; undefined: no statement of it is there. */
type SideOf = (row: OurRow, currency?: string) => Sides | undefined;

/**
 * Judges a leg in the order of certainty: what the passes brought together, ties, suggestions, then each row by itself. Batches of a day come
 * last, when all is known that may be the line of one.
 */
function judgeLeg(run: MatchRun, number: number, loose: Map<number, LooseLine>): void {
  const sides = run.sides.filter((one) => one.number === number);
  const sideOf: SideOf = (row, currency = row.currency) =>
    sides.find((one) => one.environment === row.environment && one.currency === currency);
  const dailyGroups = judgeTaken(run, number, sideOf);
  const tied = reportTies(run, number, loose, sideOf);
  const left = withoutLine(run, { number, loose, tied, sideOf });
  for (const side of sides) {
    const isOf = (row: OurRow) => row.environment === side.environment && row.currency === side.currency;
    const own = {
      rows: left.rows.filter(isOf),
      uncovered: left.uncovered.filter(isOf),
      optional: left.optional.filter(isOf),
    };
    judgeLeftOver(run, side, own, loose);
  }
  for (const { side, row, lines } of dailyGroups) judgeRow(run, side, run.daily.asOne(row), lines);
}

/** Judges the rows for which the passes took lines. Returns batches of a day, which are not judged yet. */
function judgeTaken(run: MatchRun, number: number, sideOf: SideOf) {
  const dailyGroups: { side: Sides; row: OurRow; lines: readonly TheirLine[] }[] = [];
  for (const { row, lines } of run.scratch.rows.groups(number)) {
    const side = sideOf(row) ?? sideOf(row, lines[0]?.currency);
    if (side === undefined) continue;
    if (run.daily.note(side, row, lines)) dailyGroups.push({ side, row, lines });
    else judgeRow(run, side, row, lines);
  }
  return dailyGroups;
}

interface LeftOrder {
  readonly number: number;
  readonly loose: ReadonlyMap<number, LooseLine>;
  /** Rows that are candidates of a tie. */
  readonly tied: ReadonlySet<number>;
  readonly sideOf: SideOf;
}

/** Sorts the rows that no line names by what the leg expects of them. Copies of top-ups are judged, and what no statement shows is counted. */
function withoutLine(run: MatchRun, { number, loose, tied, sideOf }: LeftOrder): LeftOfOurs {
  const [rows, uncovered, optional]: [OurRow[], OurRow[], OurRow[]] = [[], [], []];
  const offered = new Set([...loose.values()].map(({ leg, kind }) => (leg === number ? kind : null)));
  for (const { row, isCovered } of run.scratch.rows.untaken(number)) {
    if (tied.has(row.id)) continue;
    const side = sideOf(row);
    if (side !== undefined && isOptional(side.leg, row.kind)) {
      if (offered.has(row.kind)) optional.push(row);
      continue;
    }
    const isCopy = run.topUpCopies.has(row.id);
    if (isCovered && side !== undefined && isCopy) judgeRow(run, side, row, []);
    else if (isCovered) rows.push(row);
    else if (side !== undefined && !isCopy && isCoveredByDue(run, side, row)) uncovered.push(row);
    else countWithoutStatement(run, number, row);
  }
  return { rows, uncovered, optional };
}

/** Lines that no pass took, by their number. */
function looseLines({ scratch, window }: MatchRun): Map<number, LooseLine> {
  const loose = new Map<number, LooseLine>();
  for (const line of scratch.rows.loose({ from: window.first, until: window.until })) loose.set(line.id, line);
  return loose;
}

/** Returns the rows of ours that are candidates of a tie. */
function reportTies(run: MatchRun, leg: number, loose: Map<number, LooseLine>, sideOf: SideOf): Set<number> {
  const tied = new Set<number>();
  const passes = run.sides.find(({ number }) => number === leg)?.leg.passes ?? [];
  const pairs = passes.flatMap((pass) => run.scratch.passes.ties(leg, pass));
  for (const group of tiedGroups(pairs)) {
    const lines = group.lines.flatMap((id) => loose.get(id) ?? []);
    const rows = group.ours.flatMap((id) => run.scratch.rows.one(id) ?? []);
    const side = rows[0] === undefined ? undefined : sideOf(rows[0]);
    if (side === undefined || lines.length === 0) continue;
    for (const row of rows) run.daily.note(side, row, lines);
    reportTie(run, side, lines, rows.map(run.daily.asOne));
    for (const { id } of lines) loose.delete(id);
    for (const { id } of rows) tied.add(id);
  }
  return tied;
}

/** Whether statements show some day on which the line of a row is in time: one of a later day than its own may be its line. */
function isCoveredByDue(run: MatchRun, side: Sides, row: OurRow): boolean {
  return coverSome(side.days, { from: row.day, to: run.termsOf(side, run.window.until).dueDay(row) });
}

/** Counts a row whose money moved in the period, on a day that no statement shows. */
function countWithoutStatement({ window, found, legNames }: MatchRun, leg: number, row: OurRow): void {
  const { environment, currency, day: date } = row;
  if (!isDayOf(window, date) || standingAt(row, date, window.until) !== 'done') return;
  found.counts.add('noStatement', { environment, leg: legNames[leg] ?? '', currency, date });
}

/** Rows of ours that no pass before brought together with a line. */
interface LeftOfOurs {
  readonly rows: readonly OurRow[];
  /** Of a day that no statement shows: without a line nothing is said of them. */
  readonly uncovered: readonly OurRow[];
  /** That need no line in this leg. */
  readonly optional: readonly OurRow[];
}

/**
 * Rows of ours and lines that nothing brought together: suggested by their amounts, else each by itself. `loose`: lines that no pass
 * took, by their number.
 */
function judgeLeftOver(run: MatchRun, side: Sides, ours: LeftOfOurs, loose: Map<number, LooseLine>): void {
  const { daily } = run;
  const done = new Set<number>();
  const take = (lines: readonly LooseLine[], own: readonly OurRow[]) => {
    for (const { id } of lines) loose.delete(id);
    for (const row of own) {
      done.add(row.id);
      daily.note(side, row, lines);
    }
  };
  const found: { pairs: Suggestion[]; ties: Suggested['ties'][number][] } = { pairs: [], ties: [] };
  for (const pass of side.leg.passes) {
    if (pass !== 'settlement_day' && pass !== 'amount_and_date') continue;
    const lines = [...loose.values()].filter(
      (line) => line.leg === side.number && line.environment === side.environment && line.currency === side.currency,
    );
    const left = [...ours.rows, ...ours.uncovered, ...ours.optional]
      .filter(({ id, kind }) => !done.has(id) && (pass === 'amount_and_date' || kind === 'batch'))
      .map(daily.asOne);
    const { pairs, ties } = suggestByAmount(run, side, { rows: left, lines, pass });
    found.pairs.push(...pairs);
    for (const { line, charges, row } of pairs) take([line, ...charges], [row]);
    // What is tied on a day goes on to the next pass.
    if (pass === 'settlement_day') continue;
    found.ties.push(...ties);
    for (const tie of ties) take(tie.lines, tie.rows);
  }
  for (const pair of found.pairs) reportSuggestion(run, side, pair);
  for (const { lines, rows } of found.ties) reportTie(run, side, lines, rows);
  for (const row of ours.rows) if (!done.has(row.id)) judgeRow(run, side, daily.withoutLine(side, row), []);
  for (const row of ours.uncovered) if (!done.has(row.id)) countWithoutStatement(run, side.number, row);
}
