import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { argumentText, optionText } from '../../../../src/domain/records/advised-word.ts';

test.each([
  ['R-1', 'R-1', '--reference R-1'],
  ['-X1', '-- -X1', '--reference=-X1'],
  ['--yes', '-- --yes', '--reference=--yes'],
  ["O'Neil & co", "'O'\\''Neil & co'", "--reference 'O'\\''Neil & co'"],
  ['-$(id)', "-- '-$(id)'", "--reference='-$(id)'"],
])('%s in an advised command is %s, and as an option %s', (value, argument, option) => {
  expect([argumentText(value), optionText('reference', value)]).toEqual([argument, option]);
});

test('a shell reads back the same value', () => {
  for (const value of ['a b', "it's", '$HOME', '`id`', '~', 'x\\y', '*', '-;ls', 'ünï', '"q"']) {
    const { stdout } = spawnSync('sh', ['-c', `printf '%s|' ${argumentText(value)}`], { encoding: 'utf8' });
    expect(stdout.replace(/^--\|/, '')).toBe(`${value}|`);
  }
});
