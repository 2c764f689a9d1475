import { expect, test } from 'vitest';
import { isAnswered, keyAnswer, type Outcome } from '../../../../src/domain/checks/check.ts';

test.each<[Outcome, 'accepted' | 'refused' | null]>([
  ['answered', 'accepted'],
  ['pending', 'accepted'],
  ['key_refused', 'refused'],
  ['unproven', null],
])('an outcome %s says of our key: %s', (outcome, answer) => {
  expect(keyAnswer(outcome)).toBe(answer);
});

test.each<[Outcome, boolean | null]>([
  ['answered', true],
  ['key_refused', true],
  ['unavailable', false],
  ['no_answer', false],
  ['rate_limited', false],
  ['unaskable', null],
  ['unconfirmable', null],
])('after %s the service counts as one that answers: %s', (outcome, answers) => {
  expect(isAnswered(outcome)).toBe(answers);
});
