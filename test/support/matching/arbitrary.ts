import fc from 'fast-check';
import type { OurRow, TheirLine } from '../../../src/domain/matching/rows.ts';
import type { Terms } from '../../../src/domain/matching/terms.ts';
import { OUR_KINDS } from '../../../src/domain/reconciling/rules.ts';
import { LINE_TYPES } from '../../../src/domain/statements/lines.ts';
import { dayOf, type Group } from './agreeing.ts';
import { octoberTerms } from './groups.ts';

/* Groups in which anything may stand beside anything, also what no file says. */

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 });
const few = fc.constantFrom(0n, 1n, 2n, 97n, 98n, 99n, 100n, 102n, 10_000n, 999_999_999_999_999_999n);
const day = fc.integer({ min: 0, max: 40 }).map(dayOf);
const transaction = orNull(fc.constantFrom('T-1', 'T-2'));
const STATUSES = [
  'success',
  'completed',
  'failed',
  'reversed',
  'rejected',
  'cancelled',
  'abandoned',
  'pending',
  'processing',
];

export const anyRow: fc.Arbitrary<OurRow> = fc.record({
  id: fc.constant(1),
  kind: fc.constantFrom(...OUR_KINDS),
  environment: fc.constant('test' as const),
  currency: fc.constant('NGN'),
  reference: fc.constant('A'),
  status: orNull(fc.constantFrom(...STATUSES)),
  recordId: fc.constant(1),
  amount: orNull(few),
  requested: orNull(few),
  fees: orNull(few),
  duty: orNull(few),
  reserved: orNull(few),
  channel: fc.constant(null),
  startDay: day,
  day,
  isDayLearnt: fc.boolean(),
  transactionReference: transaction,
  direction: fc.constantFrom(1n, -1n),
});

const OF_KIND = [
  'collection',
  'collection_reversal',
  'refund',
  'refund_reversal',
  'reserve',
  'release',
  'payout',
  'payout_reversal',
] as const;

export const anyLine: fc.Arbitrary<TheirLine> = fc
  .record({
    type: fc.oneof(fc.constantFrom(...OF_KIND, 'fee' as const, 'tax' as const), fc.constantFrom(...LINE_TYPES)),
    date: day,
    amount: fc.tuple(few, fc.constantFrom(1n, -1n)).map(([value, sign]) => sign * value),
    principal: orNull(few),
    fee: orNull(few),
    tax: orNull(few),
    duty: orNull(few),
    transactionReference: transaction,
    postsOn: fc.constant(null),
  })
  .map(({ principal, ...line }) => ({
    ...{ id: 1, account: 'wallet', currency: 'NGN', reference: 'A', statement: 1, row: 2, pass: 'reference' as const },
    ...{ fingerprint: 'f', occurrence: 1, ...line },
    principal: principal ?? (line.amount < 0n ? -line.amount : line.amount),
  }));

/** Lines that differ in nothing have names of their own. */
export const anyGroup: fc.Arbitrary<Group> = fc.record({
  row: anyRow,
  lines: fc
    .array(anyLine, { maxLength: 6 })
    .map((lines) =>
      lines.map((line, index) => ({ ...line, id: index + 1, row: index + 2, fingerprint: `f${(index * 5) % 7}` })),
    ),
});

export const anyTerms: fc.Arbitrary<Terms> = fc
  .record({
    until: day,
    shownFrom: day,
    judgedDay: day,
    isLedger: fc.boolean(),
    out: fc.boolean(),
    tolerance: fc.constantFrom(0n, 3n),
    taxes: fc.boolean(),
    isInvoiced: fc.boolean(),
  })
  .map(({ until, shownFrom, judgedDay, isLedger, isInvoiced, out, tolerance, taxes }) => ({
    ...octoberTerms({ until, shownFrom: () => shownFrom, judgedDay, isLedger, isInvoiced, direction: out ? -1n : 1n }),
    compare: { fee: { minor: tolerance }, tax: { minor: tolerance }, duty: { minor: tolerance } },
    taxOn: (_: OurRow, fee: bigint) => (taxes ? (fee * 75n + 500n) / 1_000n : null),
    taxWithin: () => 0n,
  }));
