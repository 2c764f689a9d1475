import { expect, test } from 'vitest';
import { accountOn } from '../../../../src/domain/balance/covered-days.ts';

const statement = (name: string, days: readonly [string, string] | null) => ({
  account: { name, kind: 'bank' as const, environment: 'live' as const },
  covers: days === null ? null : { from: days[0], to: days[1] },
});
const [SEPTEMBER, OCTOBER] = [
  ['2026-09-01', '2026-09-30'],
  ['2026-10-05', '2026-10-20'],
] as const;

test.each([
  ['the day is covered by the second by name', '2026-09-10', 'zz'],
  ['by the first', '2026-10-05', 'aa'],
  ['by none: the days before are nearer', '2026-10-01', 'zz'],
  ['by none: the days after are nearer', '2026-10-04', 'aa'],
  ['before all', '2026-08-01', 'zz'],
  ['after all', '2026-11-01', 'aa'],
])('a row stands where its day is covered, else nearest: %s', (_, day, account) => {
  for (const statements of [
    [statement('aa', OCTOBER), statement('zz', SEPTEMBER)],
    [statement('zz', SEPTEMBER), statement('aa', null), statement('aa', OCTOBER)],
  ]) {
    expect(accountOn(statements)(day)).toBe(account);
  }
});

test('where several are as near, the first by name', () => {
  const both = accountOn([statement('zz', SEPTEMBER), statement('aa', SEPTEMBER)]);
  expect([both('2026-09-10'), both('2026-12-10')]).toEqual(['aa', 'aa']);
  expect(accountOn([statement('zz', null), statement('aa', null)])('2026-09-10')).toBe('aa');
});
