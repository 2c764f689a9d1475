import { describe, expect, test } from 'vitest';
import {
  codesOf,
  type Given,
  missingOf,
  STANDARD_REASONS,
  splitComment,
} from '../../../../src/domain/exceptions/reasons.ts';
import { NEEDS, type Need, RESOLUTIONS, type ReasonRule } from '../../../../src/domain/exceptions/words.ts';

const NOTHING: Given = { comment: null, attachments: [], reference: null, followUp: null };
const ruleOf = (...needs: Need[]): ReasonRule => ({ resolution: null, account: null, needs, approveAbove: {} });

test.each([
  ['accept', ['rounding', 'bank_charge', 'small_difference', 'other']],
  ['claim', ['service_error', 'other']],
  ['match', ['other']],
  ['undo_match', ['other']],
  ['carry', ['next_period', 'other']],
  ['ours', ['booking_error', 'other']],
] as const)('the standard reason codes of %s', (resolution, codes) => {
  expect(codesOf(STANDARD_REASONS, resolution)).toEqual(codes);
});

test('the standard reason codes, what they need, and above which amount a second person approves', () => {
  const shown = Object.entries(STANDARD_REASONS).map(([code, rule]: [string, ReasonRule]) => {
    return [code, rule.account, rule.needs.join(), rule.approveAbove.any ?? null];
  });
  expect(shown).toEqual([
    ['rounding', null, '', 100n],
    ['bank_charge', null, '', 100_000n],
    ['small_difference', null, '', 10_000n],
    ['service_error', null, 'reference,follow_up', null],
    ['next_period', null, '', null],
    ['booking_error', null, 'reference', null],
    ['other', null, 'comment', 10_000n],
  ]);
});

describe('what is missing', () => {
  const GIVEN: Record<Need, Partial<Given>> = {
    comment: { comment: 'why' },
    attachment: { attachments: [{}] },
    reference: { reference: 'R-1' },
    follow_up: { followUp: '2026-12-01' },
  };

  test.each(NEEDS)('%s, unless it was given', (need) => {
    expect(missingOf(ruleOf(need), 'accept', NOTHING)).toBe(need);
    expect(missingOf(ruleOf(need), 'accept', { ...NOTHING, ...GIVEN[need] })).toBeNull();
  });

  test('is named in the order of the code, which comes before the resolution', () => {
    expect(missingOf(ruleOf('attachment', 'comment'), 'claim', NOTHING)).toBe('attachment');
    expect(missingOf(ruleOf('comment'), 'claim', { ...NOTHING, comment: 'why' })).toBe('reference');
  });

  test('of each resolution by a code that needs nothing', () => {
    const missing = RESOLUTIONS.map((resolution) => missingOf(ruleOf(), resolution, NOTHING));
    expect(missing).toEqual([null, 'reference', null, null, null, 'reference']);
    expect(missingOf(ruleOf(), 'claim', { ...NOTHING, reference: 'R-1' })).toBe('follow_up');
  });
});

test.each<[string | null, string | null, string | null]>([
  [null, null, null],
  ['', null, ''],
  ['why', null, 'why'],
  ['ref: CLM-7', 'CLM-7', null],
  ['  Ref:CLM-7 ;  why; so ', 'CLM-7', 'why; so'],
  ['ref: CLM-7;  ', 'CLM-7', null],
  ['ref: CLM-7; one\ntwo', 'CLM-7', 'one\ntwo'],
  ['ref: ; why', null, 'ref: ; why'],
  ['see ref: CLM-7', null, 'see ref: CLM-7'],
])('the comment %j has the reference %j and the text %j', (comment, reference, text) => {
  expect(splitComment(comment)).toEqual({ reference, text });
});
