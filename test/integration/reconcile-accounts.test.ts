import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { Shop } from '../support/shop/shop.ts';

/* A merchant whose bank changed: two accounts of one kind and currency, one after the other. */

const TYPES = { 'top-up': 'top_up', settlement: 'settlement', sale: 'collection', other: 'adjustment' } as const;
const profile = (kind: string, account: string) =>
  datedProfile(kind, TYPES, {
    ...{ name: account, account, environment: 'live', columns: ['reference', 'type', 'group'] },
    ...{ file: undefined, covers: undefined },
  });
const FILES = [
  ['bank', 'aa-bank', '2026-10-05,X,other,,5.00', '2026-10-20,Y,other,,5.00'],
  ['bank', 'zz-bank', '2026-09-01,X,other,,5.00', '2026-09-05,TU1,top-up,,-100.00', '2026-09-30,Y,other,,5.00'],
  ['settlement', 'sales', '2026-09-10,C2,sale,B2,70.00', '2026-10-07,C3,sale,B3,30.00'],
  [
    ...['wallet', 'wallet', '2026-09-05,TU1,top-up,,100.00', '2026-09-09,TU2,top-up,,200.00'],
    ...['2026-09-09,TU1,top-up,,300.00', '2026-10-06,TU3,top-up,,40.00', '2026-10-31,Y,other,,5.00'],
  ],
] as const;

interface Report {
  readonly breaks: readonly { code: string; account: string; reference: string; effect: string }[];
  readonly proof: readonly { account: string; rows: readonly { ours: string }[]; unexplained: string }[];
}

async function banksOf(shop: Shop, from: string, to: string) {
  const { breaks, proof }: Report = await shop.reconcile({ from, to });
  const isBank = ({ account }: { readonly account: string }) => account.endsWith('bank');
  return {
    breaks: breaks.filter(isBank).map((one) => [one.code, one.account, one.reference, one.effect]),
    proof: proof.filter(isBank).map(({ account, rows, unexplained }) => [account, rows.at(-1)?.ours, unexplained]),
  };
}

test('what has no line stands on the account that covers its day, which is proven', async () => {
  const shop = await Shop.of();
  for (const [kind, account, ...lines] of FILES) {
    shop.file(`${account}.yaml`, profile(kind, account));
    await shop.take(account, `${account}.csv`, `Date,Reference,Type,Group,Amount\n${lines.join('\n')}\n`);
  }
  expect(await banksOf(shop, '2026-09-01', '2026-09-30')).toEqual({
    breaks: [
      ['duplicate_internal', 'zz-bank', 'TU1', '300.00'],
      ['missing_external', 'zz-bank', 'TU2', '200.00'],
      ['missing_external', 'zz-bank', 'B2', '-70.00'],
    ],
    proof: [['zz-bank', '-520.00', '0.00']],
  });
  expect(await banksOf(shop, '2026-10-01', '2026-10-31')).toEqual({
    breaks: [
      ['missing_external', 'aa-bank', 'TU3', '40.00'],
      ['missing_external', 'aa-bank', 'B3', '-30.00'],
    ],
    proof: [['aa-bank', '0.00', '0.00']],
  });
});
