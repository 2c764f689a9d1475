import type { OurRow } from '../../domain/matching/rows.ts';
import { type Amount, isAmount, magnitude, toMinorOrNull } from '../../domain/money/amount.ts';
import type { FieldValue } from '../../domain/records/fields.ts';
import { countedMoney } from '../../domain/records/witness-money.ts';
import type { KnownRecord } from '../../store/reconciliation.ts';
import type { AtBank, TopUp } from '../../store/scratch/batches.ts';
import type { Days } from '../../store/scratch/days.ts';
import type { KeyedRow, Scratch } from '../../store/scratch/scratch.ts';
import type { Sides } from './sides.ts';

/** Top-ups that repeat another one of our side, by their numbers. */
export type TopUpCopies = ReadonlyMap<number, TopUpCopy>;

export interface TopUpCopy {
  /** What both are named by. */
  readonly name: string;
  /** The copy's line in the wallet. */
  readonly line: number;
}

/** Puts batches and top-ups of statements on our side, for the legs that hold them against other statements. */
export function keepStatementRows(scratch: Scratch, sides: readonly Sides[], days: Days | null): TopUpCopies {
  for (const batch of statementBatches(scratch, sides)) scratch.keep(batch);
  const copies = new Map<number, TopUpCopy>();
  const all = scratch.batches.topUps(accountsOf(sides, 'top_up'));
  const alike = Map.groupBy(all, (topUp) => {
    const { environment, currency, date } = topUp;
    return JSON.stringify([environment, currency, nameOf(topUp) ?? date, nameOf(topUp) === null]);
  });
  for (const named of alike.values()) {
    const bank = named.length > 1 ? atBank(scratch, sides, named) : [];
    const own = withoutParts(named, bank, days);
    const pairs = pairsOf(own, bank);
    const stands = Math.max(
      pairs.findIndex((line) => line !== undefined),
      0,
    );
    for (const [index, { date, postsOn, amount, sessionId, ...topUp }] of own.entries()) {
      const name = nameOf({ ...topUp, sessionId });
      // Without a name nothing but amount and date can find it, and what repeats a name is found by nothing. Its place among those
      // alike names it: a number of the store would differ from import to import.
      const isNamed = name !== null && index === stands;
      const { environment, currency, line } = topUp;
      const row = {
        ...{
          ...STATEMENT_ROW,
          environment,
          currency,
          kind: 'top_up' as const,
          amount: magnitude(amount),
          direction: directionBy(amount),
          ...on(date),
        },
        reference: isNamed ? name : `${name ?? `top-up of ${date}`} (${index + 1})`,
        sessionId: isNamed ? sessionId : null,
      };
      const id = scratch.keep(row, postsOn === date ? null : postsOn);
      const pair = pairs[index];
      if (pair !== undefined) scratch.passes.pair(pair, id);
      else if (name !== null && !isNamed) copies.set(id, { name, line });
    }
  }
  return copies;
}

function nameOf({ reference, sessionId, group }: Pick<TopUp, 'reference' | 'sessionId' | 'group'>): string | null {
  return reference ?? sessionId ?? group;
}

/**
 * Top-ups of one name that do not pair with lines of the bank, and together are what the bank has of it: parts of one, of the day of the
 * last part. Those of which some came late for a closed period, or lie outside of this one, are left as they are: they count there.
 */
function withoutParts(own: readonly TopUp[], bank: readonly AtBank[], days: Days | null): readonly TopUp[] {
  const last = own.at(-1);
  if (last === undefined || own.length < 2 || own.some(({ date, postsOn }) => date !== postsOn)) return own;
  if (days !== null && own.some(({ date }) => date < days.from || date > days.until)) return own;
  const amount = sumOf(own);
  const paired = pairsOf(own, bank).filter((line) => line !== undefined).length;
  const isSum = bank.length > 0 && isAlike(amount, sumOf(bank)) && paired < Math.max(own.length, bank.length);
  const isOneLine = paired === 0 && bank.some((line) => isAlike(amount, line.amount));
  return isSum || isOneLine ? [{ ...last, amount }] : own;
}

/** For each one of those that share a name the line of the bank with its amount, each line once. */
function pairsOf(own: readonly TopUp[], bank: readonly AtBank[]): (AtBank | undefined)[] {
  const left = new Set(bank);
  return own.map(({ amount }) => {
    const alike = [...left].filter((line) => isAlike(amount, line.amount));
    const found = alike.find((line) => line.amount === -amount) ?? alike[0];
    if (found !== undefined) left.delete(found);
    return found;
  });
}

/** The lines of the bank that top-ups of one name are found by, first the first. */
function atBank(scratch: Scratch, sides: readonly Sides[], [first]: readonly TopUp[]): readonly AtBank[] {
  const name = first === undefined ? null : nameOf(first);
  if (first === undefined || name === null) return [];
  const passes = new Map(sides.map(({ number, leg }) => [number, leg.passes]));
  return scratch.batches.atBank({ ...first, name }).filter(({ leg, pass }) => passes.get(leg)?.includes(pass) === true);
}

function isAlike(one: bigint, other: bigint): boolean {
  return magnitude(one) === magnitude(other);
}

function sumOf(lines: readonly { readonly amount: bigint }[]): bigint {
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * The batches of settlement statements. Lines that name none are one of their account and day, of which is not known what they are
 * (status null): see DailyBatches. `without`: as they are without the lines of these statements.
 */
export function statementBatches(
  scratch: Scratch,
  sides: readonly Sides[],
  without: readonly number[] = [],
): KeyedRow[] {
  return scratch.batches
    .batches(accountsOf(sides, 'batch'), without)
    .map(({ name, account, day, amount, ...batch }) => {
      const own = { reference: name ?? `${account} ${day}`, status: name === null ? null : STATEMENT_ROW.status };
      const moved = { amount: magnitude(amount), direction: directionBy(amount), ...on(day) };
      return { ...STATEMENT_ROW, ...batch, ...own, kind: 'batch', ...moved };
    });
}

/** A row as it is with a line: a batch of a day is one then. */
export function withLine<Row extends Pick<OurRow, 'kind' | 'status'>>(row: Row): Row {
  return row.kind === 'batch' && row.status === null ? { ...row, status: STATEMENT_ROW.status } : row;
}

function accountsOf(sides: readonly Sides[], kind: 'batch' | 'top_up'): string[] {
  return [...new Set(sides.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ ourAccounts }) => ourAccounts))];
}

const STATEMENT_ROW = {
  status: 'success',
  recordId: null,
  requested: null,
  fees: null,
  duty: null,
  reserved: null,
  channel: null,
  isDayLearnt: false,
  sessionId: null,
  transactionReference: null,
};

/** A batch comes to the bank, a top-up to the wallet, unless its source shows the opposite. */
function directionBy(amount: bigint): OurRow['direction'] {
  return amount < 0n ? -1n : 1n;
}

function on(day: string) {
  return { startDay: day, day };
}

/** A record as it was known at an earlier time, in the place of what is known now. */
export function knownRow(record: KnownRecord, dayOf: (ms: number) => string): KeyedRow | null {
  const { kind, environment, reference, facts, details, money, reported, confirmed } = record;
  const currency = textOf(money.confirmed.currency) ?? textOf(facts.currency);
  if (currency === null) return null;
  const amountOf = (name: string) => minorOf(countedMoney(record, name));
  const requested = kind === 'collection' ? amountOf('requestedAmount') : null;
  return {
    kind,
    environment,
    currency,
    reference,
    status: confirmed ?? reported,
    recordId: record.id,
    amount: amountOf('amount') ?? requested,
    requested,
    fees: amountOf(kind === 'collection' ? 'fees' : 'fee'),
    duty: kind === 'payout' ? amountOf('stampDuty') : null,
    reserved: kind === 'refund' ? minorOf(isAmount(details.totalReserved) ? details.totalReserved : null) : null,
    channel: textOf(details.channel),
    startDay: dayOf(record.startedAtMs),
    day: dayOf(record.effectiveAtMs),
    direction: 1n,
    isDayLearnt: record.isDayLearnt,
    sessionId: textOf(details.sessionId),
    transactionReference: textOf(facts.transactionReference),
  };
}

function textOf(value: FieldValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function minorOf(amount: Amount | null): bigint | null {
  return amount === null ? null : toMinorOrNull(amount);
}
