import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { Shop } from '../support/shop/shop.ts';

// Files of an account in several currencies, of which one row cannot be read.

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };

async function shopOf(...accounts: readonly string[]): Promise<Shop> {
  const shop = await Shop.of([]);
  for (const account of accounts) {
    const settings = {
      name: account,
      account,
      currency: undefined,
      columns: ['reference', 'type', 'currency'],
    } as const;
    const totals = { balance: { running: 'Balance' }, controls: { rows: { row: 1, column: 6 } } };
    shop.file(`${account}.yaml`, datedProfile('wallet', { Sale: 'collection' }, { ...settings, ...totals }));
  }
  return shop;
}

/** `lines`: `Reference,Currency,Amount,Balance` of 6 October; `rows`: how many the file says it has. */
const fileOf = (lines: readonly string[], rows = lines.length) =>
  [
    `From,2026-10-01,To,2026-10-31,Rows,${rows}`,
    'Date,Type,Reference,Currency,Amount,Balance',
    ...lines.map((line) => `2026-10-06,Sale,${line}`),
    '',
  ].join('\n');

async function saidOfFiles(shop: Shop, account: string) {
  const { breaks, proof } = await shop.reconcile(OCTOBER, { account });
  const unexplained = proof.filter((one: { unexplained: string }) => one.unexplained !== '0.00');
  expect(unexplained).toEqual([]);
  const ofFiles = breaks.filter(({ code }: { code: string }) => code === 'unparsed' || code === 'control_mismatch');
  return ofFiles.map(({ code, currency, effect, line, field }: Record<string, { readonly row: number } | null>) => [
    ...[code, currency, effect],
    line?.row ?? field,
  ]);
}

test('an unreadable row is one break, in its own currency, with what its balance has beyond the lines', async () => {
  const shop = await shopOf('own', 'only');
  const lines = ['K1,KES,5.00,5.00', 'U1,USD,1.00,1.00', 'U2,USD,12x,13.00', 'U3,USD,1.00,14.00', 'N1,NGN,5.00,5.00'];
  await shop.take('own', 'own.csv', fileOf(lines));
  expect(await saidOfFiles(shop, 'own')).toEqual([['unparsed', 'USD', '12.00', 5]]);
  // No other row of the file has its currency, so that no balance tells its amount.
  await shop.take('only', 'only.csv', fileOf(['K1,KES,5.00,5.00', 'U2,USD,12x,12.00', 'N1,NGN,5.00,5.00']));
  expect(await saidOfFiles(shop, 'only')).toEqual([['unparsed', 'USD', '0.00', 4]]);
  await shop.take('only', 'full.csv', fileOf(['K1,KES,5.00,5.00', 'U2,USD,12.00,12.00', 'N1,NGN,5.00,5.00']));
  expect(await saidOfFiles(shop, 'only')).toEqual([]);
});

test('one whose currency cannot be read is one break, in the currency whose balance it may explain, else in the first', async () => {
  const shop = await shopOf('short', 'first');
  const short = ['K1,KES,5.00,5.00', 'N1,NGN,5.00,5.00', 'N2,N?,7.00,12.00', 'N3,NGN,1.00,13.00'];
  await shop.take('short', 'short.csv', fileOf(short));
  expect(await saidOfFiles(shop, 'short')).toEqual([['unparsed', 'NGN', '7.00', 5]]);
  // So does a total of the whole file.
  await shop.take('first', 'first.csv', fileOf(['N1,NGN,5.00,5.00', 'K1,KES,5.00,5.00', 'N2,N?,7.00,12.00'], 9));
  expect(await saidOfFiles(shop, 'first')).toEqual([
    ['control_mismatch', 'KES', '0.00', 'rows'],
    ['unparsed', 'KES', '0.00', 5],
  ]);
});
