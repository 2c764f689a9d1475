import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { problemLine } from '../../../src/config/problems.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallyhook-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(periods: string): Config['periods'] {
  writeFileSync(join(folder, 'tallyhook.yaml'), `periods: ${periods}\n`);
  return loadConfig({ env: {}, cwd: folder }).periods;
}

function problemsOf(periods: string): string[] {
  try {
    load(periods);
    return [];
  } catch (error) {
    return (error as { problems: Parameters<typeof problemLine>[0][] }).problems.map(problemLine);
  }
}

test('without it there is no set, and lateness is told after its standard terms', () => {
  expect(load('{}')).toEqual({ sets: {}, until: {}, closeWithin: 10, statementWithin: 7 });
});

test('sets have names, an environment and accounts; an environment may have several', () => {
  const main = '{environment: live, accounts: [wallet-main, bank-main]}';
  const other = '{environment: live, accounts: [wallet-two]}';
  expect(load(`{sets: {main: ${main}, other: ${other}}, closeWithin: null}`)).toMatchObject({
    sets: {
      main: { environment: 'live', accounts: ['wallet-main', 'bank-main'] },
      other: { accounts: ['wallet-two'] },
    },
    closeWithin: null,
  });
});

test.each([
  ['{sets: {main: {environment: prod, accounts: [a]}}}', 'periods.sets.main.environment'],
  ['{sets: {main: {environment: live, accounts: []}}}', 'must name an account'],
  ['{sets: {"a/b": {environment: live, accounts: [a]}}}', 'must be 1 to 60 letters'],
  ['{until: {bank-old: 14 October}}', 'periods.until.bank-old'],
  ['{closeWithin: 0}', 'periods.closeWithin'],
  ['{statementWithin: 400}', 'periods.statementWithin'],
  [
    '{sets: {one: {environment: live, accounts: [a, b]}, two: {environment: live, accounts: [c, b]}}}',
    'periods.sets.two.accounts[1]',
  ],
])('%s is refused', (periods, part) => {
  const problems = problemsOf(periods);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(part);
});

test('accounts that were closed have their last day', () => {
  expect(load('{until: {bank-old: 2026-10-14}}').until).toEqual({ 'bank-old': '2026-10-14' });
});

test('accounts of two environments may have one name', () => {
  expect(
    problemsOf('{sets: {one: {environment: live, accounts: [a]}, two: {environment: test, accounts: [a]}}}'),
  ).toEqual([]);
});
