import { amountOfMinor, magnitude } from '../money/amount.ts';
import type { BreakValue } from '../reconciling/break.ts';
import type { LateParts } from './late.ts';
import { linePostings, type Posting } from './postings.ts';
import type { OurRow, TheirLine } from './rows.ts';
import type { Standing } from './standing.ts';
import type { Sums } from './sums.ts';
import { PAIR, type Terms, type Verdict } from './terms.ts';

/** What one part of the judgement says: verdicts, and what moved the balance by us. */
export interface Part {
  readonly verdicts: readonly Verdict[];
  readonly ours: readonly Posting[];
  /** Moves a line that is net of its charges into the rows of the proof as we divide it; adds up to zero. */
  readonly divided?: readonly Posting[];
}

/** What comes of holding the amount and the charges of a row against its lines. */
export interface Compared extends Required<Part> {
  /** Without a line of its amount: the effect of the amount. */
  readonly absent: bigint;
}

/** What is known of a group beside its row and its lines. */
export interface Facts {
  /** Lines in other currencies that name the row, and that no later one takes back. */
  readonly foreign: readonly TheirLine[];
  /** What another row of ours says of this one, where one of the two repeats the other: no line of it is missing. */
  readonly repeats: (Pick<Verdict, 'field' | 'theirs'> & Partial<Pick<Verdict, 'ours' | 'line' | 'detail'>>) | null;
  /** What came late for a closed period. */
  readonly late: LateParts;
}

export const PLAIN: Facts = { foreign: [], repeats: null, late: { row: null, lines: [] } };

/** A row of ours with the lines that stand, as it stood on the last day that counts. */
export interface Case {
  readonly row: OurRow;
  readonly sums: Sums;
  /** Of all lines, also of those behind the last day. */
  readonly all: Sums;
  readonly standing: Standing;
  readonly day: string;
  /** A line or a posting of the group lies behind the last day. */
  readonly goesOn: boolean;
  /** Its hold or debit lies before the first day that is shown: no line of it can come, and both opening balances have it. */
  readonly isOlder: boolean;
  /** What is said instead that its line is missing; null: that. */
  readonly instead: Partial<Verdict> | null;
  readonly terms: Terms;
}

/** A row of ours that no line shows: a break once its time is over. */
export function missing(one: Case, effect: bigint): Verdict {
  const { row, goesOn, instead, terms } = one;
  const dueDay = terms.dueDay(row);
  const code = goesOn || dueDay > terms.judgedDay ? 'timing' : 'missing_external';
  const ours = row.amount === null ? null : amountOfMinor(row.amount);
  const detail = code === 'timing' ? whenOf(one, 'its line') : null;
  return { ...PAIR, code, field: 'reference', ours, theirs: null, effect, dueDay, detail, ...instead };
}

/** A row of ours that the lines show in part: the rest is a matter of time. `what` names the rest. */
export function awaited(one: Case, what: string, effect: bigint): Verdict {
  return { ...missing(one, effect), code: 'timing', detail: whenOf(one, what), ...one.instead };
}

/** When a line came that the period does not have, or the last day for it: as a clause. */
function whenOf({ row, all, terms }: Case, what: string): string {
  const lines = [...all.ownLines, ...all.reversalLines, ...all.reserveLines];
  const later = lines.map(({ date }) => date).filter((date) => date > terms.until);
  const [came] = later.sort();
  if (came !== undefined) return `${what} came on ${came}, after this period`;
  const dueDay = terms.dueDay(row);
  return `${what} is due by ${dueDay}${dueDay > terms.judgedDay ? ', a day that this run does not judge yet' : ''}`;
}

/** The file shows another outcome than the record has. */
export function statusDiffers({ row, sums }: Case, theirs: string, effect: bigint): Verdict {
  const line = (theirs === 'reversed' ? reversalOf(sums) : sums.principalLines[0]) ?? sums.reserveLines[0] ?? null;
  const about = { sub: 'internal_vs_statement', field: 'status', ours: row.status as BreakValue, theirs };
  return { ...PAIR, ...about, code: 'status_mismatch', effect, line };
}

/** What came back is not all that was paid; by us it is. `before`: what moved before the first day that is shown. */
export function backInPart(one: Case, effect: bigint, before: bigint, of: Pick<Posting, 'row' | 'reverses'>): Part {
  const { row, sums, day } = one;
  const debit = sums.net + before;
  const values = { ours: amountOfMinor(magnitude(debit)), theirs: amountOfMinor(magnitude(sums.reversal)) };
  const line = reversalOf(sums) ?? null;
  const whole = { ...of, day: line?.date ?? day, minor: -debit };
  return {
    verdicts: [{ ...PAIR, ...values, code: 'amount_mismatch', field: 'reversal', effect, line }],
    ours: [whole, ...sums.ownLines.flatMap((own) => linePostings(own, row.kind))],
  };
}

/** The last reversal that was not taken back. */
export function reversalOf({ reversal, reversalLines }: Sums): TheirLine | undefined {
  return reversalLines.findLast(({ amount }) => amount > 0n === reversal > 0n);
}

/** Lines that show what comes after the last day: a match across the end of a period is a matter of time. */
export function tooEarly({ row, sums, terms }: Case, effect: bigint): Verdict[] {
  if (effect === 0n) return [];
  const line = sums.principalLines[0] ?? sums.reserveLines[0] ?? null;
  const shown = sums.principalLines.length === 1 ? line?.principal : null;
  const values = { ours: null, theirs: amountOfMinor(shown ?? magnitude(effect)), dueDay: terms.dueDay(row) };
  const detail = row.kind === 'refund' && row.startDay > terms.until ? row.startDay : row.day;
  return [{ ...PAIR, ...values, side: 'theirs', code: 'timing', field: 'reference', effect, line, detail }];
}

/** A debit and its reversal are ours as they are theirs. */
export function mirrored({ row, sums }: Case) {
  return [...sums.ownLines, ...sums.reversalLines].flatMap((line) => linePostings(line, row.kind));
}
