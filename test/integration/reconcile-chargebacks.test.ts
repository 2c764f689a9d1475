import { expect, test } from 'vitest';
import type { LineType } from '../../src/domain/statements/lines.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { type ShownItem, shownWithRow } from '../support/month/shown.ts';
import { sale } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/* A statement takes each chargeback once, and no more than was collected. The amounts were computed by hand. */

const TYPES: Readonly<Record<string, LineType>> = {
  ...{ Sale: 'collection', Chargeback: 'chargeback', Won: 'chargeback_reversal' },
};
const PROFILE = datedProfile('wallet', TYPES, { columns: ['reference', 'type', 'transactionReference'] });

/** A sale of 1000.00 on 5 October, and a month of the wallet with `lines`: `DAY,REFERENCE,TYPE,AMOUNT,TRANSACTION`. */
async function shopOf(lines: readonly string[]) {
  const shop = await Shop.of([sale('TX_1', '1000.00')]);
  shop.file('wallet.yaml', PROFILE);
  await take(shop, '10', ['05,TX_1,Sale,1000.00,', ...lines]);
  return shop;
}

async function take(shop: Shop, month: '10' | '11', lines: readonly string[]) {
  const rows = lines.map((line) => `2026-${month}-${line}`).join('\n');
  const head = `From,2026-${month}-01,To,2026-${month}-${month === '10' ? 31 : 30},\nDate,Reference,Type,Amount,OrigTx`;
  await shop.take('wallet', `wallet-${month}.csv`, `${head}\n${rows}\n`);
}

async function month(shop: Shop, name: '10' | '11') {
  const report = await shop.reconcile({ from: `2026-${name}-01`, to: `2026-${name}-${name === '10' ? 31 : 30}` });
  expect(report.proof.map(({ unexplained }: { unexplained: string }) => unexplained)).toEqual(['0.00']);
  return { report, breaks: report.breaks.map(shownWithRow) };
}

test('a second equal chargeback of one collection is a copy, by us nothing moved, and the month is not ready', async () => {
  const shop = await shopOf(['07,TX_1,Chargeback,-1000.00,', '08,TX_1,Chargeback,-1000.00,']);
  const { report, breaks } = await month(shop, '10');
  expect(breaks).toEqual(['duplicate_external TX_1  1000.00 -1000.00 row 5']);
  const rows = report.proof[0].rows;
  expect(rows.find(({ name }: { name: string }) => name === 'chargebacks')).toMatchObject({
    ...{ ours: '-1000.00', theirs: '-2000.00', difference: '-1000.00' },
  });
  expect((await shop.check('2026-10')).ready).toBe(false);
});

test.each([
  ['two parts, of one amount or another, that make the whole', ['-500.00,', '-500.00,'], []],
  ['one that was won, and came again', ['-1000.00,', '1000.00,', '-1000.00,'], []],
  [
    'more in parts than was collected, named at the line that goes beyond',
    ['-600.00,', '-700.00,'],
    ['amount_mismatch/over_charged_back TX_1 1000.00 1300.00 0.00 row 5'],
  ],
  [
    'an end that comes twice',
    ['-1000.00,', '1000.00,', '1000.00,'],
    ['duplicate_external TX_1  1000.00 1000.00 row 6'],
  ],
])('%s', async (_, amounts, expected) => {
  const lines = amounts.map((amount, index) => {
    const type = amount.startsWith('-') ? 'Chargeback' : 'Won';
    return `0${index + 6},TX_1,${type},${amount}`;
  });
  expect((await month(await shopOf(lines), '10')).breaks).toEqual(expected);
});

test('a chargeback with a name of its own counts for the transaction that it names, also in another month', async () => {
  const shop = await shopOf(['07,CB_1,Chargeback,-600.00,TX_1']);
  expect((await month(shop, '10')).breaks).toEqual([]);
  await take(shop, '11', ['03,CB_2,Chargeback,-700.00,TX_1', '04,CB_3,Chargeback,-600.00,TX_1']);
  expect((await month(shop, '11')).breaks).toEqual([
    'amount_mismatch/over_charged_back TX_1 1000.00 1300.00 0.00 row 3',
    'duplicate_external CB_3  600.00 -600.00 row 4',
  ]);
  const over = (await shop.listed()).find(({ sub }: ShownItem) => sub === 'over_charged_back');
  expect(over).toMatchObject({
    ...{ kind: 'collection', account: 'wallet', leg: null, field: 'charged_back' },
    ...{ reason: '1300.00 was charged back of 1000.00 collected' },
    nextStep: 'Look at the chargebacks of TX_1 in the statements; ask the service to give back the one too many.',
  });
});

test('one that names nothing is compared with nothing, and says so', async () => {
  const { report, breaks } = await month(await shopOf(['07,,Chargeback,-1000.00,']), '10');
  expect(breaks).toEqual([]);
  expect(report.uncompared).toEqual([
    {
      ...{ environment: 'test', account: 'wallet', currency: 'NGN', type: 'chargeback' },
      leg: null,
      lacks: null,
      lines: 1,
      moved: '-1000.00',
    },
  ]);
});
