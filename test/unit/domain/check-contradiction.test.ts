import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/domain/checks/check.ts';
import { checkResult, type EndedCheck } from '../../../src/domain/checks/check-result.ts';

/* What an answer does that contradicts what is known of its record: nothing of it is used but the finding `other_answer`. */

const check = { counter: 7, leasedUntilMs: 1_000, attempts: 3, failures: 1, settledAtMs: null, stuckAtMs: null };
const contradiction = { about: 'currency', detail: 'it states USD, and the payout is in NGN' } as const;
const none = { reported: null, confirmed: null };

const ended = (outcome: Outcome, over: Partial<EndedCheck> = {}) =>
  checkResult(
    {
      kind: 'payout',
      check,
      outcome,
      detail: null,
      answered: null,
      before: { ...none, dueAtMs: 1_000 },
      after: none,
      nowMs: 500,
      ...over,
    },
    () => ({ dueAtMs: 2_000, stuck: false }),
  );

test('an answer that contradicts what is known is a finding with its words', () => {
  const { findings } = ended('unreadable', { contradiction });
  expect(findings).toEqual([{ code: 'other_answer', subject: 'currency', detail: contradiction.detail }]);
});

test.each([
  ['an answer that contradicts nothing closes the finding', 'answered', undefined, true],
  ['so does one without a status', 'pending', undefined, true],
  ['an answer that contradicts decides it anew', 'unreadable', contradiction, true],
  ['a check without an answer leaves it as it is', 'unavailable', undefined, false],
] as const)('%s', (_, outcome, contradicts, decides) => {
  const { scope } = ended(outcome, contradicts === undefined ? {} : { contradiction: contradicts });
  expect(scope.includes('other_answer')).toBe(decides);
  expect(scope).toEqual(expect.arrayContaining(['stuck', 'unaskable']));
});

test.each([
  ['of a due check counts', {}, 2],
  ['of a visitor does not, so that a visitor cannot end the watching', { extra: { dueAtMs: 1_000 } }, 1],
])('the failure %s', (_, over, failures) => {
  expect(ended('unreadable', { contradiction, ...over }).check.failures).toBe(failures);
});

test('the failure of a visit that contradicts nothing counts', () => {
  expect(ended('unreadable', { extra: { dueAtMs: 1_000 } }).check.failures).toBe(2);
});
