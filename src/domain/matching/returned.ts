import { compareTexts } from '../records/observation.ts';
import { isForward } from './copies.ts';
import { type OurRow, PRINCIPAL_TYPE, type TheirLine } from './rows.ts';
import { standingAt } from './standing.ts';
import { isReversal } from './sums.ts';
import type { Terms } from './terms.ts';

/*
 * What was paid may come back whole, and be paid again (docs/matching.md, Taken back). A file has a word for a refund that came back
 * (`refund_reversal`), or shows a refund of the other sign, or one more release than was reserved; of a collection or payout a reversal, or one
 * of the other sign.
 */

/** Gives the lines by which a row came back the type of its reversal in place of the file's. `lines`: in the order of their days. */
export function withReturns(row: OurRow, lines: readonly TheirLine[], terms: Terms): readonly TheirLine[] {
  if (row.kind === 'refund') return withRefundReturns(row, lines, terms);
  return row.kind === 'collection' || row.kind === 'payout' ? withPaymentReturns(row.kind, lines) : lines;
}

/** A payment of the other sign, not before one of its amount, is the reversal of that. */
function withPaymentReturns(kind: 'collection' | 'payout', lines: readonly TheirLine[]): readonly TheirLine[] {
  const isBack = (line: TheirLine) => line.type === kind && !isForward(line);
  if (!lines.some(isBack)) return lines;
  const paid = new Map<bigint, number>();
  const back = new Map<TheirLine, TheirLine>();
  const ofDay = (one: TheirLine, other: TheirLine) => Number(isBack(one)) - Number(isBack(other));
  for (const line of lines.toSorted((one, other) => compareTexts(one.date, other.date) || ofDay(one, other))) {
    if (line.type !== kind) continue;
    const amount = isBack(line) ? -line.amount : line.amount;
    const left = (paid.get(amount) ?? 0) + (isBack(line) ? -1 : 1);
    if (left < 0) continue;
    paid.set(amount, left);
    if (isBack(line)) back.set(line, { ...line, type: `${kind}_reversal` });
  }
  return lines.map((line) => back.get(line) ?? line);
}

function withRefundReturns(row: OurRow, lines: readonly TheirLine[], { shownFrom }: Terms): readonly TheirLine[] {
  if (!lines.some(isDebit)) return lines;
  const reserves = lines.some(({ type, amount }) => type === 'reserve' && amount < 0n);
  const [first] = lines.filter(({ type }) => type === 'release');
  // A hold from before the first day that is shown stands behind its release.
  const isOlder = !reserves && row.startDay < shownFrom(first?.account);
  const isRejected = standingAt(row, row.day, row.day) === 'undone';
  let [held, out] = [isOlder ? (first?.amount ?? 0n) : 0n, 0n];
  const types = new Map<TheirLine, 'refund_reversal'>();
  const comesBack = (line: TheirLine) => {
    types.set(line, 'refund_reversal');
    out -= line.amount;
  };
  for (const line of lines.toSorted(byDayDebitsFirst)) {
    const { type, amount } = line;
    if (isDebit(line)) out -= amount;
    else if (type === 'refund' && amount <= out) comesBack(line);
    else if (type === 'release' && isRejected && held < amount && amount <= out) comesBack(line);
    else if (type === 'reserve' || type === 'release') held -= amount;
    else if (type === 'refund_reversal') out -= amount;
  }
  return lines.map((line) => ({ ...line, type: types.get(line) ?? line.type }));
}

/** What a day takes comes before what it gives back. */
function byDayDebitsFirst(one: TheirLine, other: TheirLine): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  return Number(one.amount > 0n) - Number(other.amount > 0n);
}

function isDebit({ type, amount }: TheirLine): boolean {
  return type === PRINCIPAL_TYPE.refund && amount < 0n;
}

/**
 * Payments that came back whole, each with the line that brought it back: they add up to nothing. Of a row of which nothing else was paid the
 * last ones stand, and show it reversed. `lines`: in the order of their days.
 */
export function returnedLines({ kind }: Pick<OurRow, 'kind'>, lines: readonly TheirLine[]): ReadonlySet<TheirLine> {
  const paid = lines.filter(({ type }) => type === PRINCIPAL_TYPE[kind]);
  const left = Map.groupBy(paid, ({ amount }) => amount);
  const pairs: (readonly [TheirLine, TheirLine])[] = [];
  for (const line of lines.filter(isReversal)) {
    const [first] = left.get(-line.amount) ?? [];
    if (first === undefined || first.date > line.date) continue;
    left.get(-line.amount)?.shift();
    pairs.push([first, line]);
  }
  return new Set((pairs.length === paid.length ? pairs.slice(0, -1) : pairs).flat());
}
