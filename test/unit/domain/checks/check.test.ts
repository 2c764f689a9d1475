import { expect, test } from 'vitest';
import { keyAnswer, type Outcome } from '../../../../src/domain/checks/check.ts';

test.each<[Outcome, 'accepted' | 'refused' | null]>([
  ['answered', 'accepted'],
  ['pending', 'accepted'],
  ['key_refused', 'refused'],
  ['unproven', null],
])('an outcome %s says of our key: %s', (outcome, answer) => {
  expect(keyAnswer(outcome)).toBe(answer);
});
