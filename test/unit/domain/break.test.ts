import { expect, test } from 'vitest';
import { type BreakFacts, type BreakSubject, breakId, distinctFacts } from '../../../src/domain/break.ts';
import { FINDING_CODES } from '../../../src/domain/finding.ts';
import { findingBreak } from '../../../src/domain/finding-break.ts';

const subject: BreakSubject = {
  environment: 'test',
  account: null,
  leg: null,
  code: 'fee_mismatch',
  sub: null,
  side: 'ours',
  kind: 'payout',
  currency: 'NGN',
  field: 'fee',
  names: 'P1',
};

test('the id of a break is the same for ever: 24 digits of the sha256 of what it is about', () => {
  // printf '["test",null,null,"fee_mismatch",null,"ours","payout","NGN","fee","P1"]' | sha256sum
  expect(breakId(subject)).toBe(EXPECTED_ID);
});
const EXPECTED_ID = 'x-309280508042f939bc4135fb';

test.each(Object.keys(subject) as (keyof BreakSubject)[])('another %s is another break', (name) => {
  expect(breakId({ ...subject, [name]: 'other' })).not.toBe(breakId(subject));
});

const record = {
  kind: 'refund',
  reported: 'success',
  confirmed: 'success',
  facts: {},
  details: {},
  money: { reported: {}, confirmed: {} },
  expected: null,
} as const;

test.each([
  ['tie', 'failed', 'status_mismatch/tie'],
  ['final_regressed', 'processing', 'status_mismatch/final_regressed'],
  ['final_conflict', 'rejected+success', 'status_mismatch/final_conflict'],
  ['contradiction', 'key', 'status_mismatch/contradiction'],
  ['variant', 'key', 'status_mismatch/variant'],
  ['webhook_vs_api', 'failed', 'status_mismatch/webhook_vs_api'],
  ['fact_conflict', 'amount', 'amount_mismatch'],
  ['fact_conflict', 'requestedAmount', 'amount_mismatch'],
  ['fact_conflict', 'currency', 'currency_mismatch'],
  ['fact_conflict', 'transactionReference', 'fact_mismatch'],
  ['unreadable_amount', 'amount', 'unparsed'],
  ['reserve_mismatch', 'amount + fee = total_reserved', 'reserve_mismatch'],
  ['underpaid', 'amount', 'amount_mismatch/charge'],
  ['absent', 'reference', 'missing_external/absent'],
  ['unaskable', 'reference', 'stuck/unaskable'],
  ['other_answer', 'currency', 'currency_mismatch/other_answer'],
  ['other_answer', 'environment', 'status_mismatch/other_answer'],
  ['amount_unexpected', 'amount', 'amount_mismatch/expected'],
  ['currency_unexpected', 'currency', 'currency_mismatch/expected'],
  ['stuck', 'status', null],
  ['never_seen', 'reference', null],
] as const)('the finding %s about %s is the break %s', (code, about, expected) => {
  const made = findingBreak(record, { code, subject: about, detail: 'why' });
  expect(made === null ? null : made.sub === null ? made.code : `${made.code}/${made.sub}`).toBe(expected);
  if (made?.code === 'unparsed') expect(made.side).toBe('theirs');
  else if (made !== null) expect(made.side).toBe('ours');
  expect(FINDING_CODES).toContain(code);
});

test('a report holds no personal value', () => {
  const detail = '0123456789 ≠ 9876543210';
  const made = findingBreak({ ...record, kind: 'payout' }, { code: 'fact_conflict', subject: 'accountNumber', detail });
  expect(JSON.stringify(made)).not.toMatch(/0123456789|9876543210/);
});

test('findings with one identity are one break, with each detail once', () => {
  const facts: BreakFacts = {
    code: 'status_mismatch',
    sub: 'variant',
    side: 'ours',
    field: 'status',
    ours: null,
    theirs: null,
    detail: 'a',
  };
  const joined = distinctFacts([facts, { ...facts, detail: 'b' }, { ...facts, detail: 'b' }, { ...facts, sub: 'tie' }]);
  expect(joined.map(({ sub, detail }) => [sub, detail])).toEqual([
    ['variant', 'a; b'],
    ['tie', 'a'],
  ]);
  const [once] = distinctFacts([{ ...facts, detail: null }, facts, { ...facts, detail: null }]);
  expect(once?.detail).toBe('a');
});
