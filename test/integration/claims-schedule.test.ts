import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { at, told } from '../support/month/told.ts';
import { WalletMonth } from '../support/wallet-month.ts';

/* The schedule has 1.4 per cent for collections and nothing for payouts; our records have 15.00 for each sale, and 20.00 for the payout. */

const sale = (reference: string) => {
  const money = { amount: '1000.00', requested_amount: '1000.00', fees: '15.00' };
  return told('collection', reference, { ...money, created_at: at(5), paid_at: at(5), updated_at: at(5) });
};
const payout = told('payout', 'P1', {
  ...{ amount: '500.00', fee: '20.00', stamp_duty: '0.00', sessionid: null, created_at: at(5), updated_at: at(5) },
});

const failed = told('payout', 'P2', {
  ...{ status: 'failed', amount: '263.00', fee: '0.00', stamp_duty: '0.00', sessionid: null },
  ...{ created_at: at(5), updated_at: at(5) },
});

test('the claims file has the word of the schedule where there is one, and says where it has not', async () => {
  const month = await WalletMonth.of(
    [sale('C1'), sale('C2'), payout, failed],
    [
      ...['2026-10-05,C1,,Collection,982.50,17.50', '2026-10-05,P1,,Payout,-522.00,22.00'],
      '2026-10-05,P2,,Payout,-263.00,0.00',
    ],
  );
  const standard = readFileSync(packageFile('templates', 'rules', 'standard.yaml'), 'utf8');
  const schedule = 'schedule:\n  - { from: 2026-01-01, kind: collection, currency: NGN, percent: 1.4 }\n';
  writeFileSync(join(month.shop.folder, 'rules.yaml'), standard.replace('schedule: []\n', schedule));
  const { breaks } = await month.shop.json(
    ...['reconcile', '--from', '2026-10-01', '--to', '2026-10-31', '--rules', 'rules.yaml'],
  );
  const ids = breaks.map(({ id }: { id: string }) => id);
  const said = ['--comment', 'ref: CLM-1; ask', '--follow-up', '2026-12-01'];
  await month.shop.run(
    'exceptions',
    'resolve',
    ...ids,
    '--resolution',
    'claim',
    '--reason-code',
    'service_error',
    ...said,
  );
  await month.shop.run('exceptions', 'export', '--claims', '2026-10', '--out', 'claims');
  const rows: Record<string, string>[] = parse(readFileSync(join(month.shop.folder, 'claims/claims-2026-10-NGN.csv')), {
    ...{ bom: true, columns: true },
  });
  expect(rows.map((row) => [row.reference, row.charged, row.schedule, row.difference, row.basis]).sort()).toEqual([
    ['4', '302.50', '-951.00', '1252.50', ''],
    ['C1', '17.50', '14.00', '2.50', 'schedule'],
    ['C2', '0.00', '-985.00', '985.00', 'effect'],
    ['P1', '22.00', '20.00', '2.00', 'record'],
    ['P2', '263.00', '0.00', '263.00', 'effect'],
  ]);
  expect(rows.find(({ reference }) => reference === 'C1')?.evidence).toContain('fee 17.50, our records say 15.00');
});
