import { amountOfMinor } from '../money/amount.ts';
import type { OurRow, TheirLine } from './rows.ts';
import { effectsOf, type Judgement, PAIR, type Verdict } from './terms.ts';

/** What came late for a closed period, of one group. */
export interface LateParts {
  /** The own day of the row; null: the closed figures have it. */
  readonly row: string | null;
  readonly lines: readonly TheirLine[];
}

/**
 * What is said of a group of which something came late for a closed period: a late row of ours is one `late_arrival` for all its
 * differences; where the row was known, each late line is one, and the other verdicts stay.
 */
export function lateVerdicts(
  judged: Pick<Judgement, 'verdicts' | 'ours'>,
  row: OurRow,
  lines: readonly TheirLine[],
  late: LateParts,
): readonly Verdict[] {
  return late.row === null ? withLateLines(judged.verdicts, late.lines) : lateRow(judged, row, lines, late.row);
}

/** Each late line is one thing, with all that is said of it; what is said of others stays. */
export function withLateLines(verdicts: readonly Verdict[], late: readonly TheirLine[]): readonly Verdict[] {
  const others = verdicts.filter(({ line }) => late.every(({ id }) => id !== line?.id));
  return [...others, ...late.map((line) => lateLine(verdicts, line))];
}

/** Nothing is said of a row that moved nothing and has no line. */
function lateRow(
  { verdicts, ours }: Pick<Judgement, 'verdicts' | 'ours'>,
  row: OurRow,
  lines: readonly TheirLine[],
  day: string,
): Verdict[] {
  if (verdicts.length === 0 && ours.length === 0 && lines.length === 0) return [];
  const isCopy = ({ id }: TheirLine) =>
    verdicts.some((one) => one.code === 'duplicate_external' && one.line?.id === id);
  const line = lines.find((one) => !isCopy(one)) ?? null;
  const values = {
    ours: row.amount === null ? null : amountOfMinor(row.amount),
    theirs: line === null ? null : amountOfMinor(line.principal),
  };
  return [{ ...PAIR, ...values, ...lateFacts(verdicts, day), line }];
}

/** A line of a closed day that came after its close, with the effect and the codes of what is said of it. */
function lateLine(verdicts: readonly Verdict[], line: TheirLine): Verdict {
  const own = verdicts.filter((verdict) => verdict.line?.id === line.id);
  const values = { ours: null, theirs: amountOfMinor(line.principal) };
  return { ...PAIR, ...values, ...lateFacts(own, line.date), side: 'theirs', line };
}

/** The day of what came late, and what would have been said of it in time. */
export function lateFacts(verdicts: readonly Pick<Verdict, 'code' | 'effect'>[], day: string) {
  const effect = effectsOf(verdicts);
  const codes = [...new Set(verdicts.map(({ code }) => code))];
  const detail = codes.length === 0 ? `dated ${day}` : `dated ${day}: ${codes.join(', ')}`;
  return { code: 'late_arrival' as const, field: 'amount', effect, detail };
}
