import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeeRule } from '../../../../src/domain/reconciling/rules.ts';
import { auditCharges } from '../../../../src/reconcile/audit/audit.ts';
import type { ChargedRow } from '../../../../src/reconcile/audit/charge.ts';
import { auditFiguresJson, auditLineJson } from '../../../../src/reconcile/audit/shown.ts';
import { CARD_RULE } from '../../../support/rules.ts';

/** 1,000.00 by card: the schedule says fee 115.00 and tax 8.63 (8.625, half up). */
const ROW: ChargedRow = {
  environment: 'live',
  account: 'main',
  kind: 'collection',
  channel: 'card',
  currency: 'NGN',
  reference: 'ORD-1',
  day: '2026-10-14',
  amount: 100000n,
  fee: 11500n,
  tax: 863n,
  duty: null,
  line: { statement: 1, row: 2 },
};
const DUTY = { threshold: 100000n, amount: 5000n, bearer: 'merchant' } as const;
const DUTY_RULE: FeeRule = { ...CARD_RULE, duty: DUTY };

const audited = (rows: readonly ChargedRow[], schedule: readonly FeeRule[] = [CARD_RULE]) =>
  auditCharges(inBatches(rows), schedule);

async function* inBatches(rows: readonly ChargedRow[], size = 3) {
  for (let index = 0; index < rows.length; index += size) yield rows.slice(index, index + size);
}

describe('a row', () => {
  test.each([
    ['as the schedule says', {}, null, 0n],
    ['a fee too high', { fee: 12000n }, 'fee 120.00, schedule says 115.00', 500n],
    ['a fee too low', { fee: 11000n }, 'fee 110.00, schedule says 115.00', -500n],
    [
      'a tax on a fee too high',
      { fee: 12000n, tax: 900n },
      'fee 120.00, schedule says 115.00; tax 9.00, schedule says 8.63',
      537n,
    ],
    ['a tax rounded down', { tax: 862n }, 'tax 8.62, schedule says 8.63', -1n],
    [
      'two faults that cancel out',
      { fee: 11600n, tax: 763n },
      'fee 116.00, schedule says 115.00; tax 7.63, schedule says 8.63',
      0n,
    ],
    ['fee and tax in one figure', { fee: 12363n, tax: null }, null, 0n],
    [
      'fee and tax in one figure, too high',
      { fee: 12364n, tax: null },
      'fee with tax 123.64, schedule says 123.63',
      1n,
    ],
    ['a tax without a fee', { fee: null, tax: 900n }, 'tax 9.00, schedule says 8.63', 37n],
    ['nothing stated', { fee: null, tax: null }, null, 0n],
    ['no rule for the channel', { channel: 'bank', fee: 1n }, null, 0n],
    ['no rule for the day', { day: '2027-01-01', fee: 1n }, null, 0n],
    ['a duty the schedule does not say', { duty: 5000n }, null, 0n],
  ] as const)('%s', async (_name, change, reason, difference) => {
    const { lines, sums } = await audited([{ ...ROW, ...change }]);
    expect(lines.map((line) => line.reason)).toEqual(reason === null ? [] : [reason]);
    expect(sums[0]?.difference).toBe(difference);
  });

  test.each([
    ['due', {}, { duty: 5000n }, null],
    ['not charged', {}, { duty: 0n }, 'duty 0.00, schedule says 50.00'],
    ['charged below the threshold', {}, { amount: 99999n, duty: 5000n }, 'duty 50.00, schedule says 0.00'],
    [
      'charged although the customer bears it',
      { bearer: 'customer' },
      { duty: 5000n },
      'duty 50.00, schedule says 0.00',
    ],
    ['not said', {}, { duty: null }, null],
  ] as const)('duty %s', async (_name, duty, change, reason) => {
    const { lines } = await audited([{ ...ROW, ...change }], [{ ...CARD_RULE, duty: { ...DUTY, ...duty } }]);
    expect(lines.map((line) => line.reason)).toEqual(reason === null ? [] : [reason]);
  });
});

test('over- and undercharge in all, and what was not judged, each apart', async () => {
  const rows = [
    ROW,
    { ...ROW, reference: 'ORD-2', fee: 12000n },
    { ...ROW, reference: 'ORD-3', fee: 11499n },
    { ...ROW, reference: 'ORD-4', fee: null, tax: null },
    { ...ROW, reference: 'ORD-5', day: '2025-12-31', duty: 5000n },
    { ...ROW, reference: 'ORD-6', day: '2025-12-30' },
    { ...ROW, reference: 'ORD-7', currency: 'KES', channel: null },
    { ...ROW, reference: 'ORD-8', duty: 5000n },
  ];
  const { lines, ...figures } = await audited(rows);
  expect(lines.map(auditLineJson)).toMatchObject([
    {
      reference: 'ORD-2',
      date: '2026-10-14',
      charged: '128.63',
      schedule: '123.63',
      difference: '5.00',
      line: { row: 2 },
    },
    { reference: 'ORD-3', charged: '123.62', schedule: '123.63', difference: '-0.01' },
  ]);
  const { sums, unscheduled } = auditFiguresJson(figures);
  expect(sums).toEqual([
    expect.objectContaining({ currency: 'KES', rows: 1, agreed: 0, withoutRule: 1, difference: '0.00' }),
    {
      environment: 'live',
      currency: 'NGN',
      rows: 7,
      agreed: 2,
      withoutRule: 2,
      unstated: 1,
      overLines: 1,
      overcharged: '5.00',
      underLines: 1,
      undercharged: '0.01',
      difference: '4.99',
    },
  ]);
  expect(unscheduled).toMatchObject([
    { currency: 'KES', channel: null, missing: 'rule', rows: 1, charged: '123.63' },
    { currency: 'NGN', channel: 'card', missing: 'duty', rows: 1, charged: '50.00', from: '2026-10-14' },
    {
      currency: 'NGN',
      channel: 'card',
      missing: 'rule',
      rows: 2,
      charged: '297.26',
      from: '2025-12-30',
      to: '2025-12-31',
    },
  ]);
});

test('totals of a month hold the tax, also where fee and tax came in one figure', async () => {
  const rows = [
    ROW,
    { ...ROW, fee: 12363n, tax: null },
    { ...ROW, fee: 12400n, tax: null },
    { ...ROW, day: '2026-11-01' },
    { ...ROW, channel: 'bank', fee: 100n, tax: null },
    { ...ROW, kind: 'refund' as const, fee: 0n, tax: null },
  ];
  const { totals } = auditFiguresJson(await audited(rows));
  expect(totals).toMatchObject([
    { month: '2026-10', kind: 'collection', channel: 'bank', rows: 1, fee: '1.00', tax: '0.00', undivided: 1 },
    {
      month: '2026-10',
      kind: 'collection',
      channel: 'card',
      rows: 3,
      amount: '3000.00',
      fee: '354.00', // 115.00 + 115.00 + 124.00
      tax: '17.26', // 8.63 + 8.63
      undivided: 1,
      difference: '0.37',
    },
    { month: '2026-10', kind: 'refund', channel: 'card', rows: 1, fee: '0.00', undivided: 0 },
    { month: '2026-11', kind: 'collection', channel: 'card', rows: 1, fee: '115.00', tax: '8.63', undivided: 0 },
  ]);
});

test('any order of the rows and any batches give the same audit, whose lines add up to its sums', async () => {
  const figure = fc.option(fc.bigInt({ min: 0n, max: 20_000n }));
  const row = fc
    .record({
      reference: fc.constantFrom('A', 'B', 'C', 'D'),
      day: fc.constantFrom('2026-10-14', '2026-11-01', '2027-01-01'),
      channel: fc.constantFrom('card', 'bank', null),
      currency: fc.constantFrom('NGN', 'KES'),
      amount: fc.bigInt({ min: 0n, max: 200_000n }),
      fee: figure,
      tax: figure,
      duty: fc.constantFrom(null, 0n, 5000n),
    })
    .map((some): ChargedRow => ({ ...ROW, ...some }));
  const property = fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 9 }), async (drawn, size) => {
    const rows = drawn.map((one, index) => ({ ...one, line: { statement: 1, row: index + 2 } }));
    const schedule = [DUTY_RULE, { ...CARD_RULE, currency: 'KES', channel: null, tax: null }];
    const audit = await audited(rows, schedule);
    expect(await auditCharges(inBatches(rows.toReversed(), size), schedule)).toEqual(audit);
    for (const { currency, difference, overcharged, undercharged, overLines, underLines } of audit.sums) {
      const own = audit.lines.filter((line) => line.row.currency === currency).map((line) => line.difference);
      expect(own.reduce((sum, one) => sum + one, 0n)).toBe(difference);
      expect(overcharged - undercharged).toBe(difference);
      expect([overLines, underLines]).toEqual([
        own.filter((one) => one > 0n).length,
        own.filter((one) => one < 0n).length,
      ]);
    }
    const sumOf = (list: readonly bigint[]) => list.reduce((sum, one) => sum + one, 0n);
    const charged = sumOf(rows.map(({ fee, tax, duty }) => (fee ?? 0n) + (tax ?? 0n) + (duty ?? 0n)));
    expect(sumOf(audit.totals.map(({ fee, tax, duty }) => fee + tax + duty))).toBe(charged);
  });
  await fc.assert(property, { numRuns: 100 });
});
