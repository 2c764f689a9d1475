import { expect, test } from 'vitest';
import { didYouMean } from '../../../src/config/did-you-mean.ts';

test.each([
  ['dorp', ['drop', 'delay'], 'drop'],
  ['swep', ['sweep', 'prune'], 'sweep'],
  ['lst', ['list', 'show'], 'list'],
  ['statsu', ['status', 'stats'], 'status'],
  ['base_url', ['baseUrl'], 'baseUrl'],
  ['fish', ['bash', 'zsh'], undefined],
  ['NOPE', ['HOME', 'PATH'], undefined],
])('%j of %j: %j', (unknown, known, nearest) => {
  expect(didYouMean(unknown, known)).toBe(nearest);
});
