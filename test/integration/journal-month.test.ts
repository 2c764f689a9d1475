import { beforeAll, describe, expect, test } from 'vitest';
import type { KeptFigures } from '../../src/reconcile/report/figures.ts';
import { hledgerBalances, hledgerCheck } from '../support/journal/hledger.ts';
import { OCTOBER } from '../support/month/days.ts';
import { importAll } from '../support/month/import.ts';
import type { Report } from '../support/month/judge.ts';
import { minorOf, moneyText } from '../support/month/money.ts';
import { makeMonth } from '../support/month/month.ts';
import { toldOf } from '../support/month/tell.ts';
import { Shop } from '../support/shop/shop.ts';

/* The journal of a month with every fault of the generator: wallets, a bank, settlement statements and the merchant's books. */

const month = makeMonth({ seed: 20_261_001, clean: 220, each: 1 });
let shop: Shop;
const reports = new Map<string, { report: Report; figures: KeptFigures }>();

beforeAll(async () => {
  shop = await Shop.of(month.book.records.map(toldOf));
  await importAll(shop, month.files);
  for (const environment of ['test', 'live'] as const) {
    const report: Report = await shop.reconcile(OCTOBER, { environment });
    const figures: KeptFigures = JSON.parse((await shop.archive.lastRun())?.report ?? '');
    reports.set(environment, { report, figures });
  }
});

describe.each(['test', 'live'])('%s', (environment) => {
  test('what moved by day adds up to the rows of every proof', () => {
    const { report, figures } = reports.get(environment) as { report: Report; figures: KeptFigures };
    expect(report.proof.length).toBeGreaterThan(0);
    for (const { account, currency, rows } of report.proof) {
      for (const { name, ours, theirs } of rows) {
        if (name === 'opening' || name === 'closing') continue;
        const days = figures.days.filter(
          (day) => day.account === account && day.currency === currency && day.row === name,
        );
        const sum = (side: 'ours' | 'theirs') => moneyText(days.reduce((all, day) => all + minorOf(day[side]), 0n));
        expect([account, name, sum('ours'), sum('theirs')]).toEqual([account, name, ours, theirs]);
      }
    }
    expect(figures.days.filter(({ date }) => !date.startsWith('2026-10-'))).toEqual([]);
  });

  test.each(['day', 'settlement', 'period'] as const)(
    'by %s, hledger finds every clearing account at 0, wallets and banks as their files close',
    { tags: ['hledger'] },
    async (by) => {
      const text = await shop.journal('2026-10', { draft: true, set: environment, format: 'hledger', by });
      expect(hledgerCheck(text)).toBeNull();
      const balances = hledgerBalances(text);
      expect(balances.filter((line) => line.startsWith('clearing:'))).toEqual([]);
      const closings = month.proofs
        .filter(({ account }) => account.environment === environment && account.kind !== 'settlement')
        .map(({ account, rows }) => [account, rows.get('closing')?.theirs ?? 0n] as const)
        .filter(([, theirs]) => theirs !== 0n)
        .map(([{ kind, name, currency }, theirs]) => `assets:${kind}:${name} ${currency} ${moneyText(theirs)}`);
      const held = new Set(balances);
      expect(closings.filter((line) => !held.has(line))).toEqual([]);
    },
  );

  test('CSV says the same, and no cell is a formula', async () => {
    const text = await shop.journal('2026-10', { draft: true, set: environment });
    const [header, ...lines] = text.split('\r\n');
    expect(header).toBe('entry,line,date,account,debit,credit,currency,text,reference,source,reverses');
    expect(lines.at(-1)).toBe('');
    expect(lines.filter((line) => /(^|,)"?[=+@]/.test(line))).toEqual([]);
  });
});
