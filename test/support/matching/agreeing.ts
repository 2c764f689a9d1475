import fc from 'fast-check';
import type { OurRow, TheirLine } from '../../../src/domain/matching/rows.ts';
import type { OurKind } from '../../../src/domain/reconciling/rules.ts';
import type { LineType } from '../../../src/domain/statements/lines.ts';

/* Groups of one row that agree in everything, told by a wallet in any of the ways it can be told. */

export interface Group {
  readonly row: OurRow;
  readonly lines: readonly TheirLine[];
}

/** Days are counted from 1 October 2026. */
export const dayOf = (number: number): string => new Date(Date.UTC(2026, 9, 1 + number)).toISOString().slice(0, 10);

/** How much of the money the file tells apart. */
type Telling = 'columns' | 'lines' | 'net';

interface Money {
  readonly amount: bigint;
  readonly fee: bigint;
  readonly tax: bigint;
  readonly duty: bigint;
}

const cents = (max: bigint) => fc.oneof(fc.bigInt(1n, 100_000n), fc.bigInt(1n, max));
const LARGE = 999_999_999_999_999_999n;

const money: fc.Arbitrary<Money> = fc.record({
  amount: cents(LARGE),
  fee: fc.oneof(fc.constant(0n), fc.bigInt(1n, 5_000n)),
  tax: fc.constantFrom(0n, 15n, 375n),
  duty: fc.constantFrom(0n, 5_000n),
});

/** One line, or one with lines for its charges beside it: they move `sign` × amount, less the charges. */
function told(type: LineType, sign: bigint, date: string, { amount, fee, tax, duty }: Money, how: Telling): Line[] {
  const net = sign * amount - fee - tax - duty;
  const nothing = { fee: null, tax: null, duty: null };
  if (how === 'net') return [{ type, date, amount: net, principal: net < 0n ? -net : net, ...nothing }];
  if (how === 'columns') return [{ type, date, amount: net, principal: amount, fee, tax, duty }];
  const charge = (of: LineType, value: bigint): Line[] =>
    value === 0n && of !== 'fee' ? [] : [{ type: of, date, amount: -value, principal: value, ...nothing }];
  const main: Line = { type, date, amount: sign * amount, principal: amount, ...nothing };
  return [main, ...charge('fee', fee), ...charge('tax', tax), ...charge('duty', duty)];
}

type Line = Pick<TheirLine, 'type' | 'date' | 'amount' | 'principal' | 'fee' | 'tax' | 'duty'>;

const shape = fc.record({
  money,
  how: fc.constantFrom<Telling>('columns', 'lines', 'net'),
  start: fc.integer({ min: 0, max: 20 }),
  waits: fc.integer({ min: 0, max: 9 }),
  /** Days from the row's day to the line of its outcome, and from there to that of its reversal. */
  late: fc.integer({ min: -2, max: 3 }),
  back: fc.integer({ min: 0, max: 3 }),
  learnt: fc.boolean(),
  knowsFees: fc.boolean(),
});

function rowOf(
  kind: OurKind,
  status: string,
  {
    money: { amount, fee, tax, duty },
    start,
    waits,
    learnt,
    knowsFees,
    how,
  }: typeof shape extends fc.Arbitrary<infer S> ? S : never,
): OurRow {
  const isRecord = kind === 'collection' || kind === 'refund' || kind === 'payout';
  // A net line cannot tell fees that we do not know.
  const isKnown = isRecord && (knowsFees || how === 'net');
  return {
    ...{ id: 1, kind, environment: 'test', currency: 'NGN', reference: 'A', status, recordId: isRecord ? 1 : null },
    ...{ amount, requested: kind === 'collection' ? amount : null, fees: isKnown ? fee + tax : null },
    ...{ duty: kind === 'payout' && isKnown ? duty : null, channel: null },
    reserved: kind === 'refund' && isKnown ? amount + fee + tax : null,
    ...{ startDay: dayOf(start), day: dayOf(start + waits), isDayLearnt: kind !== 'refund' && learnt },
    transactionReference: kind === 'refund' ? 'T-1' : null,
    direction: 1n,
  };
}

/** Numbers the lines in no order that their days would give. */
function numbered(lines: readonly Line[]): TheirLine[] {
  return lines.map((line, index) => ({
    ...{ id: index + 1, account: 'wallet', currency: 'NGN', reference: 'A', statement: 1, row: index + 2 },
    transactionReference: 'T-1',
    postsOn: null,
    ...{ fingerprint: `f${(index * 7) % 11}`, occurrence: 1, pass: 'reference' as const },
    ...line,
  }));
}

const payment = fc
  .tuple(fc.constantFrom('collection', 'payout', 'batch', 'top_up'), fc.constantFrom('done', 'undone'), shape)
  .map(([kind, end, shaped]): Group => {
    const { start, waits, late, back, how } = shaped;
    const isRecord = kind === 'collection' || kind === 'payout';
    const bare = { ...shaped.money, fee: 0n, tax: 0n, duty: 0n };
    const sums = kind === 'payout' ? shaped.money : kind === 'collection' ? { ...shaped.money, duty: 0n } : bare;
    const named: LineType = kind === 'batch' ? 'settlement' : kind;
    const sign = kind === 'collection' ? 1n : -1n;
    const outcome = dayOf(start + waits + late);
    const debit = told(named, sign, outcome, sums, isRecord ? how : 'net');
    const row = rowOf(kind, kind === 'payout' ? 'completed' : 'success', { ...shaped, money: sums });
    if (end === 'done' || !isRecord) return { row, lines: numbered(debit) };
    const type = kind === 'collection' ? ('collection_reversal' as const) : ('payout_reversal' as const);
    const whole = -debit.reduce((sum, { amount }) => sum + amount, 0n);
    const undone = told(type, 1n, dayOf(start + waits + late + back), { ...bare, amount: whole }, 'net');
    return { row: { ...row, status: 'reversed' }, lines: numbered([...debit, ...undone]) };
  });

const refund = fc
  .tuple(fc.constantFrom('success', 'rejected', 'processing'), fc.constantFrom('all', 'hold', 'money'), shape)
  .map(([status, shows, shaped]): Group => {
    const { start, waits, late, how } = shaped;
    const sums = { ...shaped.money, duty: 0n };
    const row = rowOf('refund', status, { ...shaped, money: sums, knowsFees: true });
    const held = sums.amount + sums.fee + sums.tax;
    const bare = { amount: held, fee: 0n, tax: 0n, duty: 0n };
    const hold = told('reserve', -1n, dayOf(start), bare, 'net');
    if (status === 'processing') return { row, lines: numbered(hold) };
    const outcome = dayOf(start + Math.max(0, waits + late));
    const release = told('release', 1n, outcome, bare, 'net');
    if (status === 'rejected') return { row, lines: numbered(shows === 'money' ? [] : [...hold, ...release]) };
    const paid = told('refund', -1n, outcome, sums, how);
    return {
      row,
      lines: numbered(shows === 'hold' ? hold : shows === 'money' ? paid : [...hold, ...release, ...paid]),
    };
  });

/** A row with lines that say what it says. */
export const agreeing: fc.Arbitrary<Group> = fc.oneof(payment, refund);
