import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberEntries } from '../../src/domain/journal/numbering.ts';
import { hledgerText, roleSums } from '../../src/reconcile/journal/hledger.ts';
import { journalOf } from '../../src/reconcile/journal/journal.ts';
import { printedEntry } from '../../src/reconcile/journal/printed.ts';
import { hledgerBalances, hledgerCheck } from '../support/journal/hledger.ts';
import { NOVEMBER, novemberOf, OCTOBER, octoberOf, someAccounts } from '../support/journal/months.ts';
import { fillInBulk } from '../support/month/bulk.ts';
import { OCTOBER as MONTH } from '../support/month/days.ts';
import { importAll } from '../support/month/import.ts';
import { moneyText } from '../support/month/money.ts';
import { makeMonth } from '../support/month/month.ts';
import { Shop } from '../support/shop/shop.ts';

/* Debian's hledger reads every journal, strictly. Without it these tests fail. */

const RUNS = Number(process.env.TALLYHOOK_JOURNALS ?? 300);
const MONTHS = Number(process.env.TALLYHOOK_JOURNAL_MONTHS ?? 20);
const seed = Number(process.env.TALLYHOOK_SEED ?? Date.now() % 2 ** 31);

test('hledger takes any two months, and adds up what the statements close with', () => {
  const months = fc.property(someAccounts, (accounts) => {
    const october = octoberOf(accounts);
    const first = numberEntries([], journalOf(october.input), 1);
    const november = novemberOf(accounts, first);
    const second = numberEntries([], journalOf(november.input), 1);
    const texts = [
      hledgerText({ period: OCTOBER, entries: first.map(printedEntry('2026-10')), before: [] }),
      hledgerText({ period: NOVEMBER, entries: second.map(printedEntry('2026-11')), before: roleSums(first) }),
    ];
    for (const [at, { closings }] of [october, november].entries()) {
      const text = texts[at] ?? '';
      expect(hledgerCheck(text)).toBeNull();
      const held = hledgerBalances(text).filter((line) => /^(assets|clearing):/.test(line));
      const expected = closings
        .filter(({ kind, theirs }) => (kind === 'wallet' || kind === 'bank') && theirs !== 0n)
        .map(({ kind, account, currency, theirs }) => `assets:${kind}:${account} ${currency} ${moneyText(theirs)}`);
      expect(held).toEqual(expected.sort());
    }
  });
  fc.assert(months, { numRuns: RUNS, seed });
});

test('many months with every fault: clearing accounts at 0, wallets and banks as their files close', async () => {
  for (let number = 0; number < MONTHS; number++) {
    const month = makeMonth({
      seed: seed + number,
      clean: 150,
      each: 1 + (number % 3),
      findings: false,
      books: number % 2 === 0,
    });
    const shop = Shop.at(fillInBulk(month.book.records).folder);
    await importAll(shop, month.files);
    await shop.reconcile(MONTH);
    for (const environment of ['test', 'live']) {
      const text = await shop.journal('2026-10', { draft: true, format: 'hledger', set: environment });
      expect([seed + number, hledgerCheck(text)]).toEqual([seed + number, null]);
      const held = new Set(hledgerBalances(text));
      const closings = month.proofs
        .filter(({ account }) => account.environment === environment && account.kind !== 'settlement')
        .map(({ account, rows }) => [account, rows.get('closing')?.theirs ?? 0n] as const)
        .filter(([, theirs]) => theirs !== 0n)
        .map(([{ kind, name, currency }, theirs]) => `assets:${kind}:${name} ${currency} ${moneyText(theirs)}`);
      expect([seed + number, closings.filter((line) => !held.has(line))]).toEqual([seed + number, []]);
    }
    shop.rest();
  }
  console.log(`${MONTHS} months from seed ${seed}`);
});
