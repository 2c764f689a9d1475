import { expect, test } from 'vitest';
import { fillInBulk } from '../support/month/bulk.ts';
import { Business } from '../support/month/business.ts';
import { OCTOBER } from '../support/month/days.ts';
import type { Report } from '../support/month/judge.ts';
import { payOut } from '../support/month/payouts.ts';
import { Shop } from '../support/shop/shop.ts';

const PROFILE = `version: 1
name: with-duty
kind: wallet
account: main
environment: test
currency: GHS
zone: Africa/Lagos
columns: { date: date, reference: reference, type: type }
dateFormat: yyyy-MM-dd
amount: { signed: amount }
fee: fee
duty: duty
types: { payout: payout }
`;

test.each([
  ['a line that says fee and duty of its own', 'fee,duty', '25.00,50.00'],
  ['a line that says only what left the wallet', 'fee,duty', ','],
])('%s: each stands once in its row of the balance proof, by us and by the statement', async (_, columns, charges) => {
  const business = new Business({ seed: 1, books: false, settlements: false });
  const { record } = payOut(business, { day: '2026-10-05', amount: 100_000n, duty: 5_000n });
  const shop = Shop.at(fillInBulk([record]).folder);
  const line = `2026-10-05,${record.reference},payout,-1075.00,${charges}`;
  shop.file('main.yaml', PROFILE);
  await shop.take('main', 'lines.csv', `date,reference,type,amount,${columns}\n${line}\n`);
  const report: Report = await shop.reconcile(OCTOBER);
  const rows = (report.proof[0]?.rows ?? []).filter(({ ours, theirs }) => ours !== '0.00' || theirs !== '0.00');
  expect(rows.map(({ name, ours, theirs }) => [name, ours, theirs])).toEqual([
    ['fees', '-25.00', '-25.00'],
    ['duty', '-50.00', '-50.00'],
    ['payouts', '-1000.00', '-1000.00'],
    ['closing', '-1075.00', '-1075.00'],
  ]);
});
