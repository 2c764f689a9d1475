import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * The service charges fees once a month: the wallet has payments before charges, and one line without a reference for the fees of all
 * of them. Two collections of September, 1000.00 with 20.00 and 500.00 with 10.00; one of October, 200.00 with 4.00.
 */

const DAYS = { ONE: '2026-09-10', TWO: '2026-09-20', THREE: '2026-10-12' };
const MONEY = { ONE: ['1000.00', '20.00'], TWO: ['500.00', '10.00'], THREE: ['200.00', '4.00'] } as const;
const SEPTEMBER = { from: '2026-09-01', to: '2026-09-30' };
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const SALES = ['2026-09-10,ONE,Sale,1000.00', '2026-09-20,TWO,Sale,500.00', '2026-10-12,THREE,Sale,200.00'];

function rules(invoiced: string): string {
  const standard = readFileSync(packageFile('templates/rules/standard.yaml'), 'utf8');
  return standard.replace('  - name: records-wallet\n', `  - name: records-wallet\n    invoiced: ${invoiced}\n`);
}

async function shopWith(lines: readonly string[], settings: object = {}) {
  const records = (['ONE', 'TWO', 'THREE'] as const).map((reference) => {
    const [amount, fees] = MONEY[reference];
    const time = `${DAYS[reference]}T10:00:00Z`;
    const times = { created_at: time, paid_at: time, updated_at: time };
    return told('collection', reference, { amount, requested_amount: amount, fees, ...times });
  });
  const shop = await Shop.of(records);
  shop.file('wallet.yaml', datedProfile('wallet', { Sale: 'collection', Fee: 'fee', Tax: 'tax' }));
  const head = ['From,2026-09-01,To,2026-11-10', 'Date,Reference,Type,Amount'];
  await shop.take('wallet', 'wallet.csv', `${[...head, ...SALES, ...lines].join('\n')}\n`);
  shop.file('tallyhook.yaml', JSON.stringify(settings));
  const run = async (invoiced: string, days: { from: string; to: string }) => {
    shop.file('rules.yaml', rules(invoiced));
    const { code, stdout, stderr } = await shop.run(
      ...['reconcile', '--rules', 'rules.yaml', '--from', days.from, '--to', days.to, '--dry-run', '--json'],
    );
    if (stdout === '') throw new Error(stderr);
    const { breaks, timing, carried, uncompared, proof } = JSON.parse(stdout);
    const said = (items: Record<string, string>[]) =>
      items.map((one) => [one.code, one.reference, one.ours, one.theirs, one.effect].join(' '));
    const [{ rows, unexplained }] = proof;
    const row = (name: string) => {
      const { ours, theirs } = rows.find((one: { name: string }) => one.name === name);
      return `${ours} ${theirs}`;
    };
    return {
      ...{ code, breaks: said(breaks), timing: said(timing), carried: said(carried), uncompared },
      ...{ unexplained, fees: row('fees'), closing: row('closing') },
    };
  };
  return Object.assign(run, {
    shop,
    keep: (days: { from: string; to: string }) => shop.reconcile(days),
    close: (period: string) => shop.close(period),
    take: (lines: readonly string[]) => shop.take('wallet', 'late.csv', `${[...head, ...lines].join('\n')}\n`),
  });
}

const NOTHING = { breaks: [], timing: [], carried: [], uncompared: [], unexplained: '0.00' };

test('the payments agree before charges, and the line of the month with the fees of its days', async () => {
  const run = await shopWith(['2026-09-30,,Fee,-30.00', '2026-10-31,,Fee,-4.00']);
  const whole = { ...NOTHING, code: 0 };
  expect(await run('month', SEPTEMBER)).toEqual({ ...whole, fees: '-30.00 -30.00', closing: '1470.00 1470.00' });
  expect(await run('month', OCTOBER)).toEqual({ ...whole, fees: '-4.00 -4.00', closing: '196.00 196.00' });
  // Of a part of the month, the rest is still to come.
  expect(await run('month', { from: '2026-09-01', to: '2026-09-15' })).toEqual({
    ...{ ...whole, timing: ['timing fees of 2026-09 20.00 0.00 20.00'] },
    ...{ fees: '-20.00 0.00', closing: '980.00 1000.00' },
  });
  // Its last days settle it: what was open when they began is in the opening balance.
  expect(await run('month', { from: '2026-09-16', to: '2026-09-30' })).toEqual({
    ...{ ...whole, fees: '-30.00 -30.00', closing: '470.00 470.00' },
  });
});

test('what the line charges beyond the fees is one break, whatever payments there are', async () => {
  const run = await shopWith(['2026-09-30,,Fee,-32.00', '2026-10-31,,Fee,-4.00']);
  expect(await run('month', SEPTEMBER)).toEqual({
    ...{ ...NOTHING, code: 3, breaks: ['fee_mismatch fees of 2026-09 30.00 32.00 -2.00'] },
    ...{ fees: '-30.00 -32.00', closing: '1470.00 1468.00' },
  });
});

test('fees that are charged as fee and tax divide so by us, too; the break is of the day of its lines, and why tells it', async () => {
  const { shop } = await shopWith(['2026-09-30,,Fee,-28.00', '2026-09-30,,Tax,-2.01', '2026-10-31,,Fee,-4.00']);
  shop.file('rules.yaml', rules('month'));
  const json = ['reconcile', '--rules', 'rules.yaml', '--from', SEPTEMBER.from, '--to', SEPTEMBER.to, '--json'];
  const { breaks, proof } = JSON.parse((await shop.run(...json)).stdout);
  const moved = proof[0].rows.filter(({ name }: { name: string }) => name === 'fees' || name === 'tax');
  expect(moved).toMatchObject([
    { name: 'fees', ours: '-27.99', theirs: '-28.00' },
    { name: 'tax', ours: '-2.01', theirs: '-2.01' },
  ]);
  expect(breaks).toMatchObject([{ code: 'fee_mismatch', effect: '-0.01', firstSeen: '2026-09-30', line: { row: 6 } }]);
  const other = 'The passes are those of `reconcile.rules`. The last run had other rules';
  const payment = await shop.run('why', 'ONE');
  expect([payment.code, payment.stderr]).toEqual([0, expect.stringContaining(other)]);
  const fees = await shop.run('why', 'fees of 2026-09');
  expect([fees.code, fees.stderr]).toEqual([0, '']);
});

test('without its line the fees are a break once it is due', async () => {
  const run = await shopWith(['2026-10-31,,Fee,-4.00']);
  expect(await run('month', SEPTEMBER)).toMatchObject({
    ...{ code: 0, timing: ['timing fees of 2026-09 30.00 0.00 30.00'] },
    ...{ unexplained: '0.00', closing: '1470.00 1500.00' },
  });
  expect(await run('month', { from: '2026-09-01', to: '2026-10-20' })).toMatchObject({
    ...{ code: 3, breaks: ['fee_mismatch fees of 2026-09 30.00 0.00 30.00'] },
    ...{ timing: ['timing fees of 2026-10 4.00 0.00 4.00'], unexplained: '0.00', closing: '1666.00 1700.00' },
  });
});

test('a line of the next month charges the month before, with or without an opening balance of ours', async () => {
  const lines = ['2026-10-03,,Fee,-30.00', '2026-11-03,,Fee,-4.00'];
  const begin = { reconcile: { begin: { date: '2026-09-01', balances: { wallet: { NGN: '0.00' } } } } };
  const open = { ...NOTHING, code: 0, timing: ['timing fees of 2026-09 30.00 0.00 30.00'] };
  const next = { ...NOTHING, code: 0, timing: ['timing fees of 2026-10 4.00 0.00 4.00'] };
  const plain = await shopWith(lines);
  expect(await plain('previous_month', SEPTEMBER)).toEqual({
    ...{ ...open, fees: '-30.00 0.00', closing: '1470.00 1500.00' },
  });
  expect(await plain('previous_month', OCTOBER)).toEqual({
    ...{ ...next, fees: '-34.00 -30.00', closing: '166.00 170.00' },
  });
  const begun = await shopWith(lines, begin);
  expect(await begun('previous_month', SEPTEMBER)).toEqual({
    ...{ ...open, fees: '-30.00 0.00', closing: '1470.00 1500.00' },
  });
  expect(await begun('previous_month', OCTOBER)).toEqual({
    ...{ ...next, fees: '-4.00 -30.00', closing: '1666.00 1670.00' },
  });
});

test('after a close the line of the next month ends what was carried', async () => {
  const run = await shopWith(['2026-10-03,,Fee,-30.00', '2026-11-03,,Fee,-4.00'], {
    reconcile: { rules: 'rules.yaml' },
  });
  expect(await run('previous_month', SEPTEMBER)).toMatchObject({ timing: ['timing fees of 2026-09 30.00 0.00 30.00'] });
  await run.keep(SEPTEMBER);
  await run.close('2026-09');
  expect(await run('previous_month', OCTOBER)).toEqual({
    ...{ ...NOTHING, code: 0, timing: ['timing fees of 2026-10 4.00 0.00 4.00'] },
    ...{ fees: '-4.00 -30.00', closing: '1666.00 1670.00' },
  });
});

test('a line that comes after the close of its month charges that month', async () => {
  const run = await shopWith([], { reconcile: { rules: 'rules.yaml' } });
  expect(await run('month', SEPTEMBER)).toMatchObject({ timing: ['timing fees of 2026-09 30.00 0.00 30.00'] });
  await run.keep(SEPTEMBER);
  await run.close('2026-09');
  await run.take(['2026-09-30,,Fee,-30.00']);
  expect(await run('month', OCTOBER)).toEqual({
    ...{ ...NOTHING, code: 3, timing: ['timing fees of 2026-10 4.00 0.00 4.00'] },
    breaks: ['late_arrival fees of 2026-09  30.00 0.00'],
    ...{ fees: '-4.00 -30.00', closing: '1666.00 1670.00' },
  });
});

test('without the rule each payment is held against its own line', async () => {
  const run = await shopWith(['2026-09-30,,Fee,-30.00']);
  const { breaks } = await run('null', SEPTEMBER);
  expect(breaks).toEqual(['amount_mismatch ONE 980.00 1000.00 20.00', 'amount_mismatch TWO 490.00 500.00 10.00']);
});
