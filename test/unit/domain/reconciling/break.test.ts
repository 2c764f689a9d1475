import { expect, test } from 'vitest';
import {
  type BreakFacts,
  type BreakSubject,
  breakId,
  distinctFacts,
} from '../../../../src/domain/reconciling/break.ts';

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
