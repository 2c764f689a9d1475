// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is what the configuration file holds
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

function load(reconcile: string, more = '', env: Record<string, string> = {}): Config {
  writeFileSync(join(folder, 'tallyhook.yaml'), `${more}\nreconcile: ${reconcile}\n`);
  return loadConfig({ env, cwd: folder });
}

function problemsOf(reconcile: string, more = ''): string[] {
  try {
    load(reconcile, more);
    return [];
  } catch (error) {
    return (error as { problems: Parameters<typeof problemLine>[0][] }).problems.map(problemLine);
  }
}

test('without it nothing is taken from a folder, and the job is not scheduled', () => {
  const { reconcile, schedule } = load('{}');
  expect(reconcile).toEqual({ rules: null, statementsFolder: null, begin: null, cutOffMinutes: 1_440, days: null });
  expect(schedule.reconcile).toBe(null);
});

test('with a folder of statements the job runs every morning, unless the schedule says otherwise', () => {
  expect(load('{statementsFolder: drop}').schedule.reconcile).toBe('30 6 * * *');
  expect(load('{statementsFolder: drop}', 'schedule: {reconcile: null}').schedule.reconcile).toBe(null);
  expect(load('{}', 'schedule: {reconcile: 0 8 * * *}').schedule.reconcile).toBe('0 8 * * *');
});

test('paths start at the folder of the file', () => {
  const { reconcile } = load('{rules: own.yaml, statementsFolder: ../drop, cutOff: 18:30, days: 40}');
  expect(reconcile).toMatchObject({
    rules: join(folder, 'own.yaml'),
    statementsFolder: join(folder, '../drop'),
    cutOffMinutes: 1_110,
    days: 40,
  });
});

test('opening balances keep every digit, in quotes or not, and from a variable', () => {
  const balances =
    '{wallet main: {NGN: 70368744177664.01, KES: 90000000000000000.00}, bank: {USD: "-0.10", GHS: 7, EUR: "${OPEN}"}}';
  const { begin } = load(`{begin: {date: 2026-10-01, balances: ${balances}}}`, '', { OPEN: '12.5' }).reconcile;
  expect(begin).toEqual({
    date: '2026-10-01',
    balances: {
      'wallet main': { NGN: 7_036_874_417_766_401n, KES: 9_000_000_000_000_000_000n },
      bank: { USD: -10n, GHS: 700n, EUR: 1_250n },
    },
  });
  // 72057594037927937 / 100 has no float of its own.
  const near = load('{begin: {date: 2026-10-01, balances: {a: {NGN: 720575940379279.37}}}}').reconcile.begin;
  expect(near?.balances).toEqual({ a: { NGN: 72_057_594_037_927_937n } });
});

test('every problem is reported at once, with the value seen', () => {
  const problems = problemsOf(`
  begin:
    date: 2026-02-30
    oops: 1
    balances:
      wallet: {NGN: 1.234, NGM: 5, USD: "12,50", GHS: 1e3, KES: 0x10, naira: 1, USDT: 90000000000000000.01}
      bank: 5
  cutOff: 00:00
  days: 0
  statmentsFolder: x
  rules: ""`);
  const amount = 'must be an amount with a point and two decimals at most, such as "1000.50"';
  expect(problems.toSorted()).toEqual(
    [
      'reconcile.begin.date is "2026-02-30": must be a day such as 2026-10-01.',
      'reconcile.begin.oops: is not a setting.',
      `reconcile.begin.balances.wallet.NGN is "1.234": ${amount}.`,
      'reconcile.begin.balances.wallet.NGM: is no currency code such as NGN.',
      'reconcile.begin.balances.wallet.naira: is no currency code such as NGN.',
      `reconcile.begin.balances.wallet.USD is "12,50": ${amount}: use a point, 12.50.`,
      `reconcile.begin.balances.wallet.GHS is "1e3": ${amount}.`,
      `reconcile.begin.balances.wallet.KES is "0x10": ${amount}.`,
      'reconcile.begin.balances.wallet.USDT is a text of 20 characters: must not exceed 90000000000000000.00.',
      'reconcile.begin.balances.bank is "5": must be a map of currencies.',
      'reconcile.cutOff is "00:00": must be a time of day such as 18:00, or 24:00 for midnight.',
      'reconcile.days is 0: must be null or a whole number of days from 1 to 3660.',
      'reconcile.statmentsFolder: is not a setting. Did you mean statementsFolder?',
      'reconcile.rules is "": must be the path of a file.',
    ].toSorted(),
  );
});

test('a number that comes by an alias has lost its digits, and is refused', () => {
  const problems = problemsOf(
    '{begin: {date: 2026-10-01, balances: {a: {NGN: *port}}}}',
    'receiver: {port: &port 4600}',
  );
  expect(problems).toEqual([expect.stringMatching(/^reconcile\.begin\.balances\.a\.NGN is .*must be an amount/)]);
});
