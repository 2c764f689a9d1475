import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import type { LineType } from '../../src/domain/statements/lines.ts';
import { packageFile } from '../../src/package-root.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { minorOf, moneyText } from '../support/month/money.ts';
import { told } from '../support/month/told.ts';
import type { Told } from '../support/shop/records.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * An accountant's months: each goes over one close or two, and was computed by hand. The wallet begins October with 1,000.00, and states what
 * it opens and closes with.
 */

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };
const DECEMBER = { from: '2026-12-01', to: '2026-12-31' };
type Days = typeof OCTOBER;
const FIVE_DAYS_MS = 5 * 86_400_000;

const TYPES: Readonly<Record<string, LineType>> = {
  ...{ Sale: 'collection', 'Sale back': 'collection_reversal', Payout: 'payout', 'Payout back': 'payout_reversal' },
  ...{ Refund: 'refund', 'Refund back': 'refund_reversal', Reserve: 'reserve', Release: 'release' },
  ...{ Fee: 'fee', Chargeback: 'chargeback', Won: 'chargeback_reversal' },
};

const profileOf = (account: string, currency = 'NGN') =>
  datedProfile('wallet', TYPES, {
    ...{ name: account, account, currency, fee: 'Fee', file: { skipRows: 2 } },
    columns: ['reference', 'sessionId', 'type', 'transactionReference'],
    balance: { opening: { row: 2, column: 2 }, closing: { row: 2, column: 4 } },
  });

/** `MM-DD,REFERENCE,SESSION,TYPE,AMOUNT,FEE,TRANSACTION` */
type Line = string;

/** A wallet whose files go on from each other. */
class Wallet {
  readonly shop: Shop;
  readonly #account: string;
  #files = 0;

  constructor(shop: Shop, account = 'wallet', currency = 'NGN') {
    this.shop = shop;
    this.#account = account;
    shop.file(`${account}.yaml`, profileOf(account, currency));
  }

  /** Imports a file of these days; returns what it closes with. `unread`: what its unreadable rows moved. */
  async take({ from, to }: Days, opening: string, lines: readonly Line[], unread = '0.00'): Promise<string> {
    const amounts = lines.map((line) => line.split(',')[4] ?? '').filter((amount) => /^-?\d+\.\d\d$/.test(amount));
    const moved = amounts.reduce((sum, amount) => sum + minorOf(amount), minorOf(unread));
    const closing = moneyText(minorOf(opening) + moved);
    const head = [
      `From,${from},To,${to}`,
      `Opening,${opening},Closing,${closing}`,
      'Date,Reference,Session,Type,Amount,Fee,OrigTx',
    ];
    const text = [...head, ...lines.map((line) => `2026-${line}`), ''].join('\n');
    this.#files += 1;
    await this.shop.take(this.#account, `${this.#account}-${this.#files}.csv`, text);
    return closing;
  }
}

function paid(kind: RecordKind, reference: string, day: string, amount: string, fee = '0.00', more: object = {}): Told {
  const time = `2026-${day}T10:00:00Z`;
  const own = {
    collection: { amount, requested_amount: amount, fees: fee, created_at: time, paid_at: time },
    payout: { amount, fee, stamp_duty: '0.00', created_at: time },
    refund: {
      refund_reference: reference,
      amount,
      fee,
      requested_at: time,
      completed_at: time,
      transaction_reference: `TX-${reference}`,
    },
  }[kind];
  return told(kind, reference, { ...own, updated_at: time, ...more });
}

interface Item {
  readonly code: string;
  readonly sub: string | null;
  readonly reference: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly effect: string;
}

const said = (items: readonly Item[]) =>
  items.map(({ code, sub, reference, effect }) => `${code}${sub === null ? '' : `/${sub}`} ${reference} ${effect}`);

/** What a month says. */
async function month(shop: Shop, days: Days, more: object = {}) {
  shop.clock.ms = Math.max(shop.clock.ms, Date.parse(`${days.to}T09:00:00Z`) + FIVE_DAYS_MS);
  const report = await shop.reconcile(days, more);
  expect([report.unexplained, report.proof.map(({ unexplained }: { unexplained: string }) => unexplained)]).toEqual([
    [],
    report.proof.map(() => '0.00'),
  ]);
  const closings = report.proof.map(({ rows }: { rows: { ours: string; theirs: string }[] }) => rows.at(-1));
  return {
    ...{ breaks: said(report.breaks), timing: said(report.timing), carried: said(report.carried) },
    closing: closings.map(({ ours, theirs }: { ours: string; theirs: string }) => `${ours} ${theirs}`).join(', '),
  };
}

async function close(shop: Shop, period: string) {
  const open = (await shop.listed()).filter(
    ({ status }: { status: string }) => !['resolved', 'closed'].includes(status),
  );
  const ids = open.map(({ id }: { id: string }) => id);
  await shop.resolve(ids, { resolution: 'carry', reasonCode: 'next_period' });
  await shop.close(period);
}

const NOTHING = { breaks: [], timing: [], carried: [] };

test('a sale that the file of its month lacks, a corrected file after one close, and another one after the second', async () => {
  const shop = await Shop.of([
    paid('collection', 'A', '10-12', '100.00', '2.00'),
    paid('collection', 'B', '10-20', '50.00', '1.00'),
  ]);
  const wallet = new Wallet(shop);
  const a = '10-12,A,,Sale,98.00,2.00,';
  const b = '10-20,B,,Sale,48.50,1.50,';
  await wallet.take(OCTOBER, '1000.00', [a]);
  expect(await month(shop, OCTOBER)).toEqual({
    ...NOTHING,
    breaks: ['missing_external B -49.00'],
    closing: '1147.00 1098.00',
  });
  await close(shop, '2026-10');

  await shop.tell([paid('collection', 'C', '11-05', '30.00', '0.60')]);
  const corrected = await wallet.take(OCTOBER, '1000.00', [a, b]);
  const c = '11-05,C,,Sale,29.40,0.60,';
  expect(await wallet.take(NOVEMBER, corrected, [c])).toBe('1175.90');
  expect(await month(shop, NOVEMBER)).toEqual({
    ...NOTHING,
    breaks: ['late_arrival B -0.50'],
    closing: '1176.40 1175.90',
  });
  await close(shop, '2026-11');

  const again = await wallet.take(OCTOBER, '1000.00', [a, b, '10-25,D,,Sale,10.00,,']);
  expect(await wallet.take(DECEMBER, '1185.90', [])).toBe('1185.90');
  expect(again).toBe('1156.50');
  const december = await month(shop, DECEMBER);
  expect(december.closing).toBe('1176.40 1185.90');
  // The file of November was exported before D: between those of October and December it contradicts both, once.
  expect(december.breaks).toEqual(['late_arrival D 10.00', 'statement_gap/contradicting null 0.00']);
  // Its close ended what was late; what is wrong with it stays.
  expect(december.carried).toEqual(['fee_mismatch B -0.50']);
});

test('a sale that is charged back in parts, over a close, and then once too often', async () => {
  const shop = await Shop.of([paid('collection', 'TX', '10-05', '1000.00')]);
  const wallet = new Wallet(shop);
  const october = await wallet.take(OCTOBER, '1000.00', [
    '10-05,TX,,Sale,1000.00,,',
    '10-20,CB-1,,Chargeback,-500.00,,TX',
  ]);
  expect(await month(shop, OCTOBER)).toEqual({ ...NOTHING, closing: '1500.00 1500.00' });
  await close(shop, '2026-10');
  const november = await wallet.take(NOVEMBER, october, [
    '11-02,CB-2,,Chargeback,-500.00,,TX',
    '11-20,CB-3,,Chargeback,-200.00,,TX',
    '11-25,CB-3,,Won,200.00,,TX',
  ]);
  expect(await month(shop, NOVEMBER)).toEqual({ ...NOTHING, closing: '1000.00 1000.00' });
  await close(shop, '2026-11');
  await wallet.take(DECEMBER, november, ['12-02,CB-4,,Chargeback,-100.00,,TX']);
  expect(await month(shop, DECEMBER)).toEqual({
    ...{ ...NOTHING, breaks: ['amount_mismatch/over_charged_back TX 0.00'], closing: '900.00 900.00' },
  });
});

test('a refund that was paid, came back after the close, and was paid again', async () => {
  const shop = await Shop.of([paid('refund', 'R', '10-10', '100.00', '1.00')]);
  const wallet = new Wallet(shop);
  const october = await wallet.take(OCTOBER, '1000.00', [
    '10-10,R,,Reserve,-101.00,,',
    '10-10,R,,Release,101.00,,',
    '10-10,R,,Refund,-101.00,1.00,',
  ]);
  expect(await month(shop, OCTOBER)).toEqual({ ...NOTHING, closing: '899.00 899.00' });
  await close(shop, '2026-10');
  const part = { from: '2026-11-01', to: '2026-11-10' };
  const rest = { from: '2026-11-11', to: '2026-11-30' };
  const back = await wallet.take(part, october, ['11-03,R,,Refund back,101.00,,']);
  expect(await month(shop, part)).toEqual({
    ...NOTHING,
    breaks: ['status_mismatch/internal_vs_statement R 101.00'],
    closing: '899.00 1000.00',
  });
  await close(shop, '2026-11-01..2026-11-10');
  await wallet.take(rest, back, ['11-15,R,,Refund,-101.00,1.00,']);
  expect(await month(shop, rest)).toEqual({ ...NOTHING, closing: '899.00 899.00' });
});

test('a line that names two payouts: the one of its reference has it, the other one has none', async () => {
  const shop = await Shop.of([
    paid('payout', 'P-1', '10-05', '50.00', '0.00', { sessionid: 'S-1', bank_code: '1', account_number: '11' }),
    paid('payout', 'P-2', '10-05', '70.00', '0.00', { sessionid: 'S-2', bank_code: '1', account_number: '22' }),
  ]);
  const wallet = new Wallet(shop);
  const october = await wallet.take(OCTOBER, '1000.00', ['10-05,P-1,S-2,Payout,-70.00,,']);
  expect(await month(shop, OCTOBER)).toEqual({
    ...{ ...NOTHING, breaks: ['amount_mismatch P-1 -20.00', 'missing_external P-2 70.00'] },
    closing: '880.00 930.00',
  });
  await close(shop, '2026-10');
  // The service corrects it: the line of P-2 comes, and one gives back what P-1 took too much.
  await wallet.take(NOVEMBER, october, [
    '11-02,P-2,S-2,Payout,-70.00,,',
    '11-03,P-1,S-1,Payout back,70.00,,',
    '11-03,P-1,S-1,Payout,-50.00,,',
  ]);
  expect(await month(shop, NOVEMBER)).toEqual({ ...NOTHING, closing: '880.00 880.00' });
});

test('a sale in dollars that the naira wallet shows, and gives back after the close', async () => {
  const shop = await Shop.of([
    { ...paid('collection', 'U', '10-05', '10.00'), ...usd(paid('collection', 'U', '10-05', '10.00')) },
  ]);
  const [naira, dollars] = [new Wallet(shop), new Wallet(shop, 'dollars', 'USD')];
  const first = await naira.take(OCTOBER, '1000.00', ['10-05,U,,Sale,15000.00,,', '10-06,,,Fee,-1.00,,']);
  const second = await dollars.take(OCTOBER, '10.00', ['10-06,,,Fee,-1.00,,']);
  expect(await month(shop, OCTOBER)).toEqual({
    ...{ ...NOTHING, breaks: ['currency_mismatch U 15000.00', 'currency_mismatch U -10.00'] },
    closing: '19.00 9.00, 999.00 15999.00',
  });
  await close(shop, '2026-10');
  await naira.take(NOVEMBER, first, ['11-05,U,,Sale back,-15000.00,,']);
  await dollars.take(NOVEMBER, second, ['11-05,U,,Sale,10.00,,']);
  expect(await month(shop, NOVEMBER)).toEqual({ ...NOTHING, closing: '19.00 19.00, 999.00 999.00' });
});

/** The same in dollars. */
function usd(one: Told): Told {
  return told('collection', one.reference, { ...one.data, currency: 'USD' });
}

test('two wallets of one currency: the line of a sale comes in the other one, after the close', async () => {
  const shop = await Shop.of([paid('collection', 'A', '10-30', '100.00'), paid('collection', 'B', '10-05', '20.00')]);
  const [one, two] = [new Wallet(shop), new Wallet(shop, 'wallet-2')];
  const first = await one.take(OCTOBER, '1000.00', ['10-06,,,Fee,-1.00,,']);
  const second = await two.take(OCTOBER, '10.00', ['10-06,,,Fee,-1.00,,']);
  expect(await month(shop, OCTOBER)).toEqual({
    ...{ ...NOTHING, breaks: ['missing_external B -20.00'], timing: ['timing A -100.00'] },
    closing: '1119.00 999.00, 9.00 9.00',
  });
  await close(shop, '2026-10');
  await one.take(NOVEMBER, first, []);
  const november = await two.take(NOVEMBER, second, ['11-02,A,,Sale,100.00,,', '11-03,B,,Sale,20.00,,']);
  expect(november).toBe('129.00');
  // What our books had in the one wallet, they have in the other.
  expect(await month(shop, NOVEMBER)).toEqual({ ...NOTHING, closing: '999.00 999.00, 129.00 129.00' });
  await close(shop, '2026-11');
  expect(await month(shop, DECEMBER)).toMatchObject({ breaks: [], carried: [] });
});

test('a suggestion that is open at the close, and the line that names the sale after it', async () => {
  const shop = await Shop.of([paid('collection', 'A', '10-20', '70.00')]);
  const wallet = new Wallet(shop);
  const line = '10-20,,S-1,Sale,70.00,,';
  const october = await wallet.take(OCTOBER, '1000.00', [line]);
  expect(await month(shop, OCTOBER)).toEqual({ ...NOTHING, closing: '1070.00 1070.00' });
  await close(shop, '2026-10');
  await wallet.take(NOVEMBER, october, ['11-02,A,,Sale,70.00,,']);
  // It was paid twice, once by a line that names nothing of ours.
  expect(await month(shop, NOVEMBER)).toEqual({
    ...NOTHING,
    breaks: ['missing_internal S-1 70.00'],
    closing: '1070.00 1140.00',
  });
});

test('two payouts of one session and one line, tied at the close, and the line of one of them in the next month', async () => {
  const payout = (reference: string, account: string) =>
    paid('payout', reference, '10-05', '70.00', '0.00', { sessionid: 'S-9', bank_code: '1', account_number: account });
  const shop = await Shop.of([payout('P-1', '11'), payout('P-2', '22')]);
  const wallet = new Wallet(shop);
  const october = await wallet.take(OCTOBER, '1000.00', ['10-05,,S-9,Payout,-70.00,,']);
  expect(await month(shop, OCTOBER)).toEqual({ ...NOTHING, breaks: ['ambiguous S-9 70.00'], closing: '860.00 930.00' });
  await close(shop, '2026-10');
  const november = await wallet.take(NOVEMBER, october, ['11-02,P-2,S-9,Payout,-70.00,,']);
  expect(await month(shop, NOVEMBER)).toEqual({ ...NOTHING, closing: '860.00 860.00' });
  await close(shop, '2026-11');
  await wallet.take(DECEMBER, november, []);
  expect(await month(shop, DECEMBER)).toEqual({ ...NOTHING, closing: '860.00 860.00' });
});

test('a payout that becomes known after the close of its line ends it, and one of another amount leaves the rest', async () => {
  const shop = await Shop.of([paid('collection', 'A', '10-03', '10.00')]);
  const wallet = new Wallet(shop);
  const october = await wallet.take(OCTOBER, '1000.00', [
    '10-03,A,,Sale,10.00,,',
    '10-20,,S-1,Payout,-70.00,,',
    '10-21,,S-2,Payout,-30.00,,',
  ]);
  expect(await month(shop, OCTOBER)).toEqual({
    ...{
      ...NOTHING,
      breaks: ['missing_internal S-1 -70.00', 'missing_internal S-2 -30.00'],
      closing: '1010.00 910.00',
    },
  });
  await close(shop, '2026-10');
  await shop.tell([
    paid('payout', 'P-1', '10-20', '70.00', '0.00', { sessionid: 'S-1', bank_code: '1', account_number: '11' }),
    paid('payout', 'P-2', '10-21', '25.00', '0.00', { sessionid: 'S-2', bank_code: '1', account_number: '22' }),
  ]);
  const november = await wallet.take(NOVEMBER, october, []);
  expect(await month(shop, NOVEMBER)).toEqual({
    ...{ ...NOTHING, breaks: ['late_arrival P-1 0.00', 'late_arrival P-2 -5.00'], closing: '915.00 910.00' },
  });
  await close(shop, '2026-11');
  await wallet.take(DECEMBER, november, []);
  expect(await month(shop, DECEMBER)).toMatchObject({ breaks: [], closing: '915.00 910.00' });
});

test('an unreadable row that two overlapping files have, and a whole file that brings its line after the close', async () => {
  const shop = await Shop.of([
    paid('collection', 'A', '10-03', '10.00'),
    paid('collection', 'B', '10-15', '50.00'),
    paid('collection', 'C', '10-25', '20.00'),
  ]);
  const wallet = new Wallet(shop);
  const [a, bad, good, c] = [
    '10-03,A,,Sale,10.00,,',
    '10-15,B,,Sale,5O.00,,',
    '10-15,B,,Sale,50.00,,',
    '10-25,C,,Sale,20.00,,',
  ];
  await wallet.take({ from: '2026-10-01', to: '2026-10-20' }, '1000.00', [a, bad], '50.00');
  const october = await wallet.take({ from: '2026-10-14', to: '2026-10-31' }, '1010.00', [bad, c], '50.00');
  expect(october).toBe('1080.00');
  expect(await month(shop, OCTOBER)).toEqual({
    ...{ ...NOTHING, breaks: ['missing_external B -50.00', 'unparsed null 50.00'], closing: '1080.00 1080.00' },
  });
  await close(shop, '2026-10');
  await wallet.take(OCTOBER, '1000.00', [a, good, c]);
  const november = await wallet.take(NOVEMBER, october, []);
  expect(await month(shop, NOVEMBER)).toEqual({
    ...NOTHING,
    breaks: ['late_arrival B 0.00'],
    closing: '1080.00 1080.00',
  });
  await close(shop, '2026-11');
  await wallet.take(DECEMBER, november, []);
  expect(await month(shop, DECEMBER)).toEqual({ ...NOTHING, closing: '1080.00 1080.00' });
});

test('fees that are charged in the month after, over a close, with a sale that becomes known late', async () => {
  const shop = await Shop.of([
    paid('collection', 'A', '10-12', '1000.00', '20.00'),
    paid('collection', 'B', '10-20', '500.00', '10.00'),
  ]);
  const standard = readFileSync(packageFile('templates/rules/standard.yaml'), 'utf8');
  const leg = '  - name: records-wallet\n';
  shop.file('rules.yaml', standard.replace(leg, `${leg}    invoiced: previous_month\n`));
  const rules = { rules: 'rules.yaml' };
  const wallet = new Wallet(shop);
  const sales = ['10-12,A,,Sale,1000.00,,', '10-20,B,,Sale,500.00,,'];
  await wallet.take(OCTOBER, '1000.00', sales);
  expect(await month(shop, OCTOBER, rules)).toEqual({
    ...{ ...NOTHING, timing: ['timing fees of 2026-10 30.00'], closing: '2470.00 2500.00' },
  });
  await close(shop, '2026-10');
  await shop.tell([paid('collection', 'C', '10-25', '200.00', '4.00')]);
  const october = await wallet.take(OCTOBER, '1000.00', [...sales, '10-25,C,,Sale,200.00,,']);
  const november = await wallet.take(NOVEMBER, october, ['11-03,,,Fee,-34.50,,']);
  expect(await month(shop, NOVEMBER, rules)).toEqual({
    ...{ ...NOTHING, breaks: ['fee_mismatch fees of 2026-10 -0.50', 'late_arrival C 0.00'] },
    closing: '2666.00 2665.50',
  });
  await close(shop, '2026-11');
  await wallet.take(DECEMBER, november, []);
  expect(await month(shop, DECEMBER, rules)).toEqual({
    ...{ ...NOTHING, carried: ['fee_mismatch fees of 2026-10 -0.50'], closing: '2666.00 2665.50' },
  });
});

test('a file that is cut at midnight in UTC: a sale of half past midnight in Lagos stands in it a month earlier', async () => {
  const time = '2026-10-31T23:30:00Z';
  const shop = await Shop.of([
    paid('collection', 'A', '11-01', '100.00', '0.00', { created_at: time, paid_at: time, updated_at: time }),
  ]);
  const wallet = new Wallet(shop);
  const october = await wallet.take(OCTOBER, '1000.00', ['10-31,A,,Sale,99.00,,']);
  expect(await month(shop, OCTOBER)).toEqual({ ...NOTHING, timing: ['timing A 99.00'], closing: '1000.00 1099.00' });
  await close(shop, '2026-10');
  const november = await wallet.take(NOVEMBER, october, []);
  expect(await month(shop, NOVEMBER)).toEqual({
    ...NOTHING,
    breaks: ['amount_mismatch A -1.00'],
    closing: '1100.00 1099.00',
  });
  await close(shop, '2026-11');
  await wallet.take(DECEMBER, november, []);
  expect(await month(shop, DECEMBER)).toEqual({
    ...NOTHING,
    carried: ['amount_mismatch A -1.00'],
    closing: '1100.00 1099.00',
  });
});

test('a month that is opened again takes what came late as its own, and the next one begins with that', async () => {
  const shop = await Shop.of([
    paid('collection', 'A', '10-12', '100.00', '2.00'),
    paid('collection', 'B', '10-30', '50.00', '1.00'),
  ]);
  const wallet = new Wallet(shop);
  const a = '10-12,A,,Sale,98.00,2.00,';
  await wallet.take(OCTOBER, '1000.00', [a]);
  expect(await month(shop, OCTOBER)).toEqual({ ...NOTHING, timing: ['timing B -49.00'], closing: '1147.00 1098.00' });
  await close(shop, '2026-10');
  const corrected = await wallet.take(OCTOBER, '1000.00', [a, '10-30,B,,Sale,48.00,2.00,', '10-31,X,,Sale,7.00,,']);
  expect(await wallet.take(NOVEMBER, corrected, [])).toBe('1153.00');
  expect(await month(shop, NOVEMBER)).toEqual({
    ...{ ...NOTHING, breaks: ['late_arrival B -1.00', 'late_arrival X 7.00'], closing: '1147.00 1153.00' },
  });
  await shop.reopen('2026-10');
  expect(await month(shop, OCTOBER)).toEqual({
    ...{ ...NOTHING, breaks: ['fee_mismatch B -1.00', 'missing_internal X 7.00'], closing: '1147.00 1153.00' },
  });
  await close(shop, '2026-10');
  expect(await month(shop, NOVEMBER)).toEqual({
    ...{ ...NOTHING, carried: ['fee_mismatch B -1.00', 'missing_internal X 7.00'], closing: '1147.00 1153.00' },
  });
});
