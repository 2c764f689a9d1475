import { userInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { personOf } from '../../../../cli/options/person.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['--as', 'grace', 'ada', 'grace'],
  ['TALLYHOOK_AS without --as', undefined, 'ada', 'ada'],
  ['the user of the operating system without both', undefined, undefined, userInfo().username],
  ['the name without blanks around it, composed', ' Ad\u0061\u0301 ', undefined, 'Ad\u00e1'],
])('who says so: %s', (_, as, variable, expected) => {
  vi.stubEnv('TALLYHOOK_AS', variable);
  expect(personOf({ as })).toBe(expected);
});

test.each([
  ['an empty --as, although a variable has a name', ''],
  ['blanks', '  '],
  ['more than 100 characters', 'a'.repeat(101)],
])('refused: %s', (_, as) => {
  vi.stubEnv('TALLYHOOK_AS', 'ada');
  expect(() => personOf({ as })).toThrow(/The name of who says so/);
});
