import { amountOfMinor } from '../money/amount.ts';
import type { OurRow, TheirLine } from './rows.ts';
import { type Judgement, PAIR, type Verdict } from './terms.ts';

/** What came late for a closed period, of one group: the own day of the row, and of lines by their numbers. */
export interface LateParts {
  /** Null: the closed figures have the row. */
  readonly row: string | null;
  readonly lines: ReadonlyMap<number, string>;
}

/**
 * Gives what came late the verdict `late_arrival` in place of its own verdicts, with their effect. A late row of ours has one for all its
 * differences; where the row was known, each late line has one, and the other verdicts stay.
 */
export function asLate(judged: Judgement, row: OurRow, lines: readonly TheirLine[], late: LateParts): Judgement {
  const wrong = judged.verdicts.filter(({ code }) => code === 'unexplained');
  if (late.row !== null) {
    const verdicts = judged.verdicts.filter((one) => !wrong.includes(one));
    return { ...judged, verdicts: [...lateRow({ ...judged, verdicts }, row, lines, late.row), ...wrong] };
  }
  const came = lines.flatMap((line) => {
    const day = late.lines.get(line.id);
    return day === undefined ? [] : [{ line, day }];
  });
  if (came.length === 0) return judged;
  const others = judged.verdicts.filter(({ line }) => line === null || !late.lines.has(line.id));
  return { ...judged, verdicts: [...others, ...came.map(({ line, day }) => lateLine(judged.verdicts, line, day))] };
}

/** Nothing is said of a row that moved nothing and has no line. */
function lateRow({ verdicts, ours }: Judgement, row: OurRow, lines: readonly TheirLine[], day: string): Verdict[] {
  if (verdicts.length === 0 && ours.length === 0 && lines.length === 0) return [];
  const isCopy = ({ id }: TheirLine) =>
    verdicts.some((one) => one.code === 'duplicate_external' && one.line?.id === id);
  const line = lines.find((one) => !isCopy(one)) ?? null;
  const values = {
    ours: row.amount === null ? null : amountOfMinor(row.amount),
    theirs: line === null ? null : amountOfMinor(line.principal),
  };
  return [{ ...PAIR, ...values, ...about(verdicts, day), line }];
}

function lateLine(verdicts: readonly Verdict[], line: TheirLine, day: string): Verdict {
  const own = verdicts.filter((verdict) => verdict.line?.id === line.id);
  const values = { ours: null, theirs: amountOfMinor(line.principal) };
  return { ...PAIR, ...values, ...about(own, day), side: 'theirs', line };
}

function about(verdicts: readonly Verdict[], day: string) {
  const effect = verdicts.reduce((sum, one) => sum + one.effect, 0n);
  const codes = [...new Set(verdicts.map(({ code }) => code))];
  return { code: 'late_arrival' as const, field: 'amount', effect, detail: lateDetail(day, codes) };
}

/** When it is dated, and what else is to be said of it. */
export function lateDetail(day: string, codes: readonly string[]): string {
  return codes.length === 0 ? `dated ${day}` : `dated ${day}: ${codes.join(', ')}`;
}
