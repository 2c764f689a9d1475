import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { told } from '../support/month/told.ts';
import { type Days, Shop } from '../support/shop/shop.ts';

/*
 * Books that begin on 1 October, while items of September are open: C-1 and C-0 of ours, 150.00 in all, whose lines come in October
 * and November, and a line of 10.00 that no record has. The wallet has 1,000.00 then, so the books have 1,140.00.
 */

const FILES = [
  ['2026-09-01', '2026-09-30', '2026-09-10,C-9,Sale,10.00,1000.00'],
  ['2026-10-01', '2026-10-31', '2026-10-02,C-1,Sale,100.00,1100.00'],
  ['2026-11-01', '2026-11-30', '2026-11-05,C-0,Sale,50.00,1150.00'],
] as const;

const PERIODS = [
  { from: '2026-10-01', to: '2026-10-31' },
  { from: '2026-11-01', to: '2026-11-30' },
  { from: '2026-10-01', to: '2026-11-30' },
];

const sale = (reference: string, at: string, amount: string) =>
  told('collection', reference, { amount, requested_amount: amount, fees: '0.00', paid_at: at, updated_at: at });

test('what was open when the books began explains the first opening balance, and the rest is a break of every period', async () => {
  const shop = await Shop.of([
    sale('C-0', '2026-09-20T10:00:00Z', '50.00'),
    sale('C-1', '2026-09-29T10:00:00Z', '100.00'),
  ]);
  shop.file('wallet.yaml', datedProfile('wallet', { Sale: 'collection' }, { balance: { running: 'Balance' } }));
  for (const [from, to, row] of FILES)
    await shop.take('wallet', `${from}.csv`, `From,${from},To,${to}\nDate,Reference,Type,Amount,Balance\n${row}\n`);
  const gaps = async (begin: string, days: Days) => {
    const begun = `reconcile: { begin: { date: 2026-10-01, balances: { wallet: { NGN: "${begin}" } } } }\n`;
    shop.file('tallyhook.yaml', begun);
    const { breaks, carried, proof } = await shop.reconcile(days);
    const found: Record<string, string>[] = [...breaks, ...carried].filter(({ code }) => code === 'statement_gap');
    return [proof[0].unexplained, ...found.map(({ ours, theirs, effect, reason }) => [ours, theirs, effect, reason])];
  };
  for (const days of PERIODS) {
    expect([days, await gaps('1140.00', days)]).toEqual([days, ['0.00']]);
    const reason =
      'on 2026-10-01 it begins with 1000.00, `reconcile.begin` makes 1010.00 (1150.00, and -140.00 was open then)';
    const gap = ['1010.00', '1000.00', '-10.00', reason];
    expect([days, await gaps('1150.00', days)]).toEqual([days, ['0.00', gap]]);
  }
});
