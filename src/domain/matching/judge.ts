import { amountOfMinor, magnitude } from '../money/amount.ts';
import { type Case, type Facts, type Part, PLAIN, tooEarly } from './case.ts';
import { duplicateOf, type Parts, type Settled, withoutCopies } from './copies.ts';
import { isChargedApart } from './invoice.ts';
import { lateVerdicts } from './late.ts';
import { judgePayment } from './payment.ts';
import { linePostings, type Posting } from './postings.ts';
import { judgeRefund } from './refund.ts';
import { returnedLines, withReturns } from './returned.ts';
import { partsOf, withoutRivals } from './rival-lines.ts';
import { compareLines, directionOf, type OurRow, PRINCIPAL_TYPE, type TheirLine } from './rows.ts';
import { placedDay, standingAt } from './standing.ts';
import { type Sums, sumsOf } from './sums.ts';
import { effectsOf, type Judgement, PAIR, type Terms, type Verdict } from './terms.ts';

/**
 * Judges a row of ours with every line that names it (docs/matching.md, Groups). Pure: the same rows give the same judgement, in every order
 * of the lines. Verdicts have their effects from the facts, and the postings are made apart from them: whether they explain what the group
 * moved is checked where it is entered in the books (docs/matching.md, Laws).
 */
export function judgeGroup(row: OurRow, named: readonly TheirLine[], terms: Terms, facts: Facts = PLAIN): Judgement {
  const lines = named.toSorted(compareLines);
  const judged = judgeLines(row, lines, terms, facts);
  const inTime = (all: readonly TheirLine[]) => all.filter(({ date }) => date <= terms.until);
  const late = { ...facts.late, lines: inTime(facts.late.lines) };
  return { ...judged, verdicts: lateVerdicts(judged, row, inTime(lines), late) };
}

function judgeLines(known: OurRow, named: readonly TheirLine[], terms: Terms, facts: Facts): Judgement {
  const isApart = isChargedApart(known, sumsOf(known.kind, named), terms);
  const row = isApart ? { ...known, fees: null } : known;
  const lines = withReturns(row, named, terms);
  const inTime = lines.filter(({ date }) => date <= terms.until);
  const theirs = inTime.flatMap((line) => linePostings(line, row.kind));
  const parts = partsOf(row, lines);
  const { settled, ...alone } = withoutOwnCopies(row, inTime, terms, parts);
  const sorted = withoutRivals(row, alone, terms, parts);
  if (sorted === null) return { ...ambiguous(row, inTime, theirs, terms), doubtful: lines };
  const returned = returnedLines(row, sorted.kept);
  const kept = sorted.kept.filter((line) => !returned.has(line));
  const sums = sumsOf(row.kind, kept);
  const day = placedDay(row, sums.principalLines, terms.until);
  const standing = standingAt(row, day, terms.until);
  const apart = isApart && standing === 'done' ? [{ kind: row.kind, day, minor: known.fees ?? 0n }] : [];
  const goesOn = inTime.length < lines.length || day > terms.until;
  const all =
    inTime.length === lines.length
      ? sums
      : sumsOf(row.kind, withoutCopies(lines, { held: true, paid: true }, parts).kept);
  const instead = lines.length > 0 ? null : insteadOf(row, facts);
  const judged = judgeCase({
    row,
    sums,
    all,
    standing,
    day,
    goesOn,
    isOlder: isOlder(row, sums, terms),
    instead,
    terms,
  });
  const mirrored = [...returned, ...settled].flatMap((line) => linePostings(line, row.kind));
  const ours = [...judged.ours, ...mirrored].filter(({ day: posted }) => posted <= terms.until);
  const verdicts = [...onceEach(judged.verdicts), ...sorted.copies.map(duplicateOf)];
  return {
    verdicts: [...verdicts, ...otherTransaction(row, sorted.kept)],
    // The lines of its charges alone are not what it is waiting for.
    isMatched:
      lines.length === 0 ? facts.foreign.length > 0 : verdicts.every(({ code }) => code !== 'missing_external'),
    doubtful: sorted.copies,
    ours,
    theirs: [...theirs, ...(judged.divided ?? [])],
    chargedApart: apart,
  };
}

/** A break is known by its code and field, never by its values: what is said twice under one name is one thing, with both effects. */
function onceEach(verdicts: readonly Verdict[]): readonly Verdict[] {
  if (verdicts.length < 2) return verdicts;
  const byName = Map.groupBy(verdicts, ({ code, sub, side, field }) => `${code} ${sub} ${side} ${field}`);
  return [...byName.values()].map((own) => own.reduce(joined));
}

/** Amounts of one name are those of one row: only words, such as the statuses that the lines show, can differ. */
function joined(one: Verdict, other: Verdict): Verdict {
  const isOther = typeof one.theirs === 'string' && typeof other.theirs === 'string' && one.theirs !== other.theirs;
  const details = new Set([one.detail, other.detail].filter((detail) => detail !== null));
  return {
    ...one,
    theirs: isOther ? `${one.theirs} and ${other.theirs}` : one.theirs,
    effect: one.effect + other.effect,
    detail: details.size === 0 ? null : [...details].join('; '),
  };
}

/** What is said of a row that no line in its currency names, instead that its line is missing. */
function insteadOf({ currency }: OurRow, { foreign, repeats }: Facts): Partial<Verdict> | null {
  const [line] = foreign;
  if (line !== undefined)
    return { code: 'currency_mismatch', field: 'currency', ours: currency, theirs: line.currency, line };
  return repeats === null ? null : { ...repeats, code: 'duplicate_internal', dueDay: null };
}

/** Whether a row and lines that nothing but their amount brings together leave no effect once they are confirmed. */
export function agrees(row: OurRow, lines: readonly TheirLine[], terms: Terms): boolean {
  return judgeGroup(row, lines, terms).verdicts.every(({ effect }) => effect === 0n);
}

/** What a line without charges may move that agrees with a row of ours: its amount, less charges or bare. Nothing: its money did not move. */
export function soughtAmounts(row: OurRow, terms: Terms): bigint[] {
  if (row.amount === null) return [];
  const whole = directionOf(row, terms.direction) * row.amount;
  const net = whole - (row.fees ?? 0n) - (row.duty ?? 0n);
  return [...new Set([net, whole])].filter((amount) => agrees(row, [bareLine(row, amount)], terms));
}

function bareLine({ kind, currency, day, reference, transactionReference }: OurRow, amount: bigint): TheirLine {
  return {
    ...{ id: 0, account: '', type: PRINCIPAL_TYPE[kind], currency, date: day, postsOn: null },
    ...{ amount, principal: magnitude(amount), fee: null, tax: null, duty: null, reference, transactionReference },
    ...{ statement: 0, row: 0, fingerprint: '', occurrence: 1, pass: null },
  };
}

/** A line that names another transaction than the record: the money moved as it should, for the wrong sale. */
function otherTransaction({ transactionReference: ours }: OurRow, lines: readonly TheirLine[]): Verdict[] {
  const line = lines.find(({ transactionReference: theirs }) => ours !== null && theirs !== null && theirs !== ours);
  if (line === undefined) return [];
  const values = { ours, theirs: line.transactionReference };
  return [{ ...PAIR, ...values, code: 'fact_mismatch', field: 'transactionReference', effect: 0n, line }];
}

/**
 * A settled refund was reserved again only where that was released, too: another reserve is a copy of the first. What failed or was reversed
 * was not paid again; a refund that was rejected may have been.
 */
function withoutOwnCopies(row: OurRow, lines: readonly TheirLine[], { until }: Terms, parts: Parts): Settled {
  const standing = standingAt(row, row.day, until);
  const paid = row.kind === 'refund' || (standing !== 'undone' && standing !== 'reversed');
  const sorted = withoutCopies(lines, { held: true, paid }, parts);
  const isSettled = standing === 'done' || standing === 'undone';
  return isSettled && sumsOf(row.kind, sorted.kept).held !== 0n
    ? withoutCopies(lines, { held: false, paid }, parts)
    : sorted;
}

/** Whether it began before the first day that its account shows, and no line shows how. */
function isOlder({ kind, startDay }: OurRow, sums: Sums, { shownFrom }: Terms): boolean {
  const { ownLines, principalLines, reserveLines, reversalLines } = sums;
  const [line] = [...reversalLines, ...reserveLines, ...ownLines];
  if (startDay >= shownFrom(line?.account)) return false;
  if (kind === 'refund') return reserveLines.every(({ amount }) => amount > 0n);
  return principalLines.length === 0 && (reversalLines.length > 0 || ownLines.length === 0);
}

function judgeCase(one: Case): Part {
  if (one.standing === 'unborn') return early(one);
  // Its line places the row: what is due counts from there, too. Nothing is held later than it was settled.
  const startDay = one.row.startDay < one.day ? one.row.startDay : one.day;
  const placed = { ...one, row: { ...one.row, day: one.day, startDay } };
  return placed.row.kind === 'refund' ? judgeRefund(placed) : judgePayment(placed);
}

/** Lines of a row that begins after the last day. */
function early(one: Case): Part {
  const { sums } = one;
  return { verdicts: tooEarly(one, sums.net + sums.reversal - sums.held), ours: [] };
}

/**
 * Several lines, any of which may be the row's: one verdict covers them all. Its effect is theirs, with that of what would be said of the
 * row without them.
 */
function ambiguous(row: OurRow, lines: readonly TheirLine[], theirs: readonly Posting[], terms: Terms) {
  const standing = standingAt(row, row.day, terms.until);
  const nothing = sumsOf(row.kind, []);
  const alone = judgeCase({
    ...{ row, sums: nothing, all: nothing, standing, day: row.day, goesOn: false, isOlder: false },
    ...{ instead: null, terms },
  });
  const ours = alone.ours.filter(({ day }) => day <= terms.until);
  const effect = lines.reduce((sum, { amount }) => sum + amount, effectsOf(alone.verdicts));
  const value = row.amount === null ? null : amountOfMinor(row.amount);
  const [line = null] = lines;
  const about = { field: 'amount', ours: value, theirs: null, effect, line, candidates: lines };
  const verdicts = [{ ...PAIR, ...about, code: 'ambiguous' as const }];
  return { verdicts, isMatched: false, ours, theirs, chargedApart: [] };
}
