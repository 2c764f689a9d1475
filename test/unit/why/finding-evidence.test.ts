import { afterAll, expect, test } from 'vitest';
import {
  type CHECKED_CODES,
  FINDING_CODES,
  type FindingCode,
  OBSERVED_CODES,
} from '../../../src/domain/findings/finding.ts';
import { showValue } from '../../../src/domain/records/fields.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { openStore } from '../../../src/store/open.ts';
import { FINDING_ADVICE } from '../../../src/why/finding-advice.ts';
import { evidenceOf } from '../../../src/why/finding-evidence.ts';
import { checked } from '../../support/check.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../../support/test-database.ts';

const db = new TestDatabase();
const archive = await openStore(db.path).archive();
afterAll(async () => {
  await archive.close();
  db.remove();
});

const collection = (data: object) => delivery({ notify: 'transaction', notifyType: 'successful', data });
const later = { updatedAt: '2026-11-20T09:30:00Z' };
db.keepAndApply(
  refund('VARIANT', 'pending'), // 1
  refund('VARIANT', 'pending', { data: { amount: '60.00' } }), // variant 1
  refund('CONTRADICTION', 'failed', { event: 'refund.success' }), // 2
  refund('FACT', 'pending'), // 3
  refund('FACT', 'processing', { ...later, data: { amount: '51.00' } }), // 4
  refund('UNREADABLE', 'pending', { data: { amount: 'ten' } }), // 5
  refund('TIE', 'success'), // 6
  refund('TIE', 'failed'), // 7
  refund('REGRESSED', 'success'), // 8
  refund('REGRESSED', 'processing', later), // 9
  payout('FINAL', 'failed'), // 10
  payout('FINAL', 'success', later), // 11
  payout('FINAL', 'pending'), // 12
  refund('RESERVE', 'pending', { data: { fee: '1.00', total_reserved: '52.00' } }), // 13
  refund('RESERVE', 'processing', { ...later, data: { fee: '2.00', total_reserved: '51.50' } }), // 14
  refund('BEHIND', 'success'), // 15
  collection({ reference: 'PAID', amount: '10.12' }), // 16
  collection({ reference: 'LESS', requested_amount: '40.00', amount: '0.40', fees: '0.00' }), // 17
);
for (const minutes of [0, 6]) await checked(db, 'BEHIND', 'pending', { nowMs: START_MS + minutes * 60_000 });

/** `witness:event status {says}` of each observation behind the open finding. */
async function evidence(code: FindingCode, kind: RecordKind, reference: string): Promise<string[]> {
  const [open] = await archive.findings({ codes: [code], reference }, { limit: 1, order: 'newest' });
  const finding = await archive.finding(open?.id ?? 0);
  if (finding === null) throw new Error(`no finding ${code} of ${reference}`);
  expect(finding.record).toMatchObject({ kind, reference });
  return evidenceOf(finding, finding.record).map(({ observation: { witness, eventId, status }, says }) =>
    [
      `${witness}:${eventId ?? '-'} ${status ?? '-'}`,
      ...Object.entries(says).map(([name, value]) => `${name}=${showValue(value)}`),
    ].join(' '),
  );
}

const CASES = {
  variant: [
    'refund',
    'VARIANT',
    ['webhook:1 pending amount=50.00 currency=USD', 'webhook:1 pending amount=60.00 currency=USD'],
  ],
  contradiction: ['refund', 'CONTRADICTION', ['webhook:2 - amount=50.00 currency=USD']],
  fact_conflict: ['refund', 'FACT', ['webhook:3 pending amount=50.00', 'webhook:4 processing amount=51.00']],
  unreadable_amount: ['refund', 'UNREADABLE', ['webhook:5 pending']],
  tie: ['refund', 'TIE', ['webhook:6 success', 'webhook:7 failed']],
  final_regressed: ['refund', 'REGRESSED', ['webhook:8 success', 'webhook:9 processing']],
  final_conflict: ['payout', 'FINAL', ['webhook:10 failed', 'webhook:11 success']],
  reserve_mismatch: [
    'refund',
    'RESERVE',
    [
      'webhook:13 pending amount=50.00 fee=1.00 totalReserved=52.00',
      'webhook:14 processing amount=50.00 fee=2.00 totalReserved=51.50',
    ],
  ],
  underpaid: ['collection', 'LESS', ['webhook:17 success requestedAmount=40.00 amount=0.40 fees=0.00']],
  webhook_vs_api: ['refund', 'BEHIND', ['api:- pending', 'api:- pending', 'webhook:15 success']],
} as const satisfies Record<(typeof OBSERVED_CODES)[number], readonly [RecordKind, string, readonly string[]]>;

test.each(OBSERVED_CODES)('the evidence of %s', async (code) => {
  const [kind, reference, expected] = CASES[code];
  expect((await evidence(code, kind, reference)).toSorted()).toEqual(expected.toSorted());
});

test.each<[(typeof CHECKED_CODES)[number], string, readonly string[]]>([
  ['stuck', 'status', ['- pending', '- pending']],
  ['unaskable', 'reference', []],
  ['absent', 'list', []],
  ['never_seen', 'reference', []],
  ['amount_unexpected', 'amount', ['15 success amount=50.00 currency=USD']],
  ['currency_unexpected', 'currency', ['15 success currency=USD']],
])('the evidence of %s, beside the check and the expectation', async (code, subject, expected) => {
  const [record] = await archive.record('refund', 'BEHIND');
  if (record === undefined) throw new Error('no record');
  const found = evidenceOf({ code, subject, detail: '' }, record).map(({ observation, says }) =>
    [
      `${observation.eventId ?? '-'} ${observation.status}`,
      ...Object.entries(says).map(([name, value]) => `${name}=${showValue(value)}`),
    ].join(' '),
  );
  expect(found.toSorted()).toEqual([...expected].toSorted());
});

test('an amount of a collection that is not the expected one, wherever the observation has it', async () => {
  const [record] = await archive.record('collection', 'PAID');
  if (record === undefined) throw new Error('no record');
  const [found, ...others] = evidenceOf({ code: 'amount_unexpected', subject: 'amount', detail: '' }, record);
  expect(others).toEqual([]);
  expect(showValue(found?.says.amount ?? null)).toBe('10.12');
});

test('every code has one sentence of advice', () => {
  expect(Object.keys(FINDING_ADVICE).toSorted()).toEqual(FINDING_CODES.toSorted());
  for (const advice of Object.values(FINDING_ADVICE)) expect(advice).toMatch(/^[A-Z][^.]*\.$/);
});
