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

function load(journal: string): Config['journal'] {
  writeFileSync(join(folder, 'tallyhook.yaml'), `journal: ${journal}\n`);
  return loadConfig({ env: {}, cwd: folder }).journal;
}

function problemsOf(journal: string): string[] {
  try {
    load(journal);
    return [];
  } catch (error) {
    return (error as { problems: Parameters<typeof problemLine>[0][] }).problems.map(problemLine);
  }
}

test('without it every account has its standard name', () => {
  expect(load('{}')).toEqual({
    by: 'day',
    accounts: {
      ...{ wallet: 'assets:wallet:ACCOUNT', bank: 'assets:bank:ACCOUNT', wallet_pending: 'wallet_pending' },
      ...{
        sales_clearing: 'clearing:sales',
        settlement_clearing: 'clearing:settlement',
        refund_reserve: 'refund_reserve',
      },
      ...{ fees: 'fees', input_tax: 'input_tax', duty: 'duty', chargebacks: 'chargebacks', write_off: 'write_off' },
      ...{
        claims: 'claims',
        carried: 'carried',
        payouts: 'payouts',
        sales: 'sales',
        refunds: 'refunds',
        other: 'other',
      },
    },
  });
});

test('an account has one name, or one for each currency or account', () => {
  expect(load('{by: period, accounts: {fees: "6100 Fees", bank: {NGN: "1200", bank-dollar: "1210"}}}')).toMatchObject({
    by: 'period',
    accounts: { fees: '6100 Fees', bank: { NGN: '1200', 'bank-dollar': '1210' } },
  });
});

test.each([
  ['{accounts: {fee: x}}', 'journal.accounts.fee'],
  ['{by: week}', 'journal.by'],
  ['{accounts: {fees: 6100}}', 'journal.accounts.fees'],
  ['{accounts: {fees: "a  b"}}', 'journal.accounts.fees'],
  ['{accounts: {fees: "a;b"}}', 'journal.accounts.fees'],
  ['{accounts: {fees: " a"}}', 'journal.accounts.fees'],
  ['{accounts: {fees: "(a)"}}', 'journal.accounts.fees'],
  ['{accounts: {bank: {NGN: "a\\nb"}}}', 'journal.accounts.bank'],
])('%s is refused', (journal, path) => {
  const problems = problemsOf(journal);
  expect(problems.length).toBe(1);
  expect(problems[0]).toContain(path);
});
