import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hledgerCheck } from '../support/journal/hledger.ts';
import { salesProfile } from '../support/month/dated-profile.ts';
import { sale } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * The settlement statement shows a fee of 17.50 for C1, where 15.00 are agreed, and the bank gets that much less. The service pays
 * the 2.50 on 4 November.
 */

const OCTOBER = { from: '2026-10-01', to: '2026-10-31', period: '2026-10' };
const NOVEMBER = { from: '2026-11-01', to: '2026-11-05', period: '2026-11-01..2026-11-05' };
const CLAIM = { resolution: 'claim', reasonCode: 'service_error' } as const;

const journals: string[] = [];

/** A shop with the two sales, and what to do there. */
async function folder() {
  const shop = await Shop.of([sale('C1', '1000.00', '15.00'), sale('C2', '1000.00', '15.00')]);
  return {
    shop,
    reconcile: shop.reconcile,
    take(kind: string, { from, to }: typeof OCTOBER, lines: readonly string[]): Promise<number> {
      shop.file(`${kind}.yaml`, salesProfile(kind));
      const text = `From,${from},To,${to},,\nDate,Reference,Group,Type,Amount,Fee\n${lines.join('\n')}\n`;
      return shop.take(kind, `${kind}-${from}.csv`, text);
    },
    /** Closes the period. Returns what its entries leave in each account, and keeps them for hledger. */
    async close({ period }: typeof OCTOBER): Promise<Record<string, string>> {
      await shop.close(period);
      journals.push(await shop.journal(period, { format: 'hledger' }));
      return shop.held(period);
    },
    claims: async () => {
      await shop.run('exceptions', 'export', '--claims', '2026-10', '--out', 'claims');
      return readFileSync(join(shop.folder, 'claims/claims-2026-10-NGN.csv'), 'utf8');
    },
  };
}

const SETTLED = ['2026-10-06,C1,S1,Sale,982.50,17.50', '2026-10-06,C2,S1,Sale,985.00,15.00'];

test('without a wallet statement the claim is in the journal until the service has paid it', async () => {
  const { shop, take, reconcile, close } = await folder();
  await take('settlement', OCTOBER, SETTLED);
  await take('bank', OCTOBER, ['2026-10-07,S1,S1,Paid out,1967.50,']);
  const { breaks } = await reconcile(OCTOBER);
  const [{ id }] = breaks;
  await shop.resolve([id], { ...CLAIM, comment: 'ref: CLM-9; ask', followUp: '2026-12-01' });
  expect(await close(OCTOBER)).toEqual({
    ...{ 'assets:bank:a-bank': '1967.50', fees: '30.00', claims: '2.50', sales: '-2000.00' },
    ...{ 'clearing:sales': '0.00', 'clearing:settlement': '0.00', wallet_pending: '0.00' },
  });

  await take('settlement', NOVEMBER, []);
  const paid = await take('bank', NOVEMBER, ['2026-11-04,,,Adjustment,2.50,']);
  await shop.resolve([id], { ...CLAIM, lines: [{ statement: paid, row: 3 }] });
  await reconcile(NOVEMBER);
  expect(await shop.exception(id)).toMatchObject({ status: 'closed', resolution: 'claim' });
  expect(await close(NOVEMBER)).toEqual({ 'assets:bank:a-bank': '2.50', claims: '-2.50', other: '0.00' });
  expect(await shop.auditVerdict()).toMatchObject({ ok: true });

  // Run and closed again, October has it as before.
  for (const { period } of [NOVEMBER, OCTOBER]) await shop.reopen(period);
  await reconcile(OCTOBER);
  expect(await close(OCTOBER)).toMatchObject({ claims: '2.50', 'clearing:sales': '0.00' });
  expect(await shop.exception(id)).toMatchObject({ status: 'closed' });
  const later = { from: '2026-11-06', to: '2026-11-07', period: '2026-11-06..2026-11-07' };
  await reconcile(NOVEMBER);
  expect(await close(NOVEMBER)).toMatchObject({ claims: '-2.50', other: '0.00' });
  await take('settlement', later, []);
  await take('bank', later, ['2026-11-06,,,Adjustment,1.00,']);
  await reconcile(later);
  expect(await close(later)).toEqual({ 'assets:bank:a-bank': '1.00', other: '-1.00' });
});

test('beside a wallet that agrees with our records the claim is in the file alone: the wallet has its money', async () => {
  const { shop, take, reconcile, close, claims } = await folder();
  await take('settlement', OCTOBER, SETTLED);
  await take('wallet', OCTOBER, [
    ...['C1', 'C2'].map((reference) => `2026-10-05,${reference},,Sale,985.00,15.00`),
    '2026-10-06,S1,S1,Paid out,-1967.50,',
  ]);
  const { breaks } = await reconcile(OCTOBER);
  await shop.resolve([breaks[0].id], { ...CLAIM, comment: 'ref: CLM-9', followUp: '2026-12-01' });
  expect(await claims()).toContain('CLM-9,record,claimed');
  // By hand: 2.50 of the 1970.00 are left in the wallet.
  expect(await close(OCTOBER)).toEqual({
    ...{ 'assets:wallet:a-wallet': '2.50', fees: '30.00', sales: '-2000.00', other: '1967.50' },
    ...{ 'clearing:sales': '0.00', 'clearing:settlement': '0.00' },
  });
});

test('hledger takes each of these journals', { tags: ['hledger'] }, () => {
  expect(journals.map(hledgerCheck)).toEqual(journals.map(() => null));
});
