import { expect, test } from 'vitest';
import type { LineType } from '../../src/domain/statements/lines.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * A batch comes to the bank and leaves the wallet, a top-up the other way round; one whose sum is negative, the opposite. The values
 * were computed by hand.
 */

const TYPES: Readonly<Record<string, LineType>> = {
  ...{ Sale: 'collection', Refund: 'refund', 'Paid out': 'settlement', 'Top-up': 'top_up', Chargeback: 'chargeback' },
};
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };

/** The legs between statements, of October: lines `DAY,REFERENCE,GROUP,TYPE,AMOUNT` by kind of statement. */
async function october(files: Readonly<Record<string, readonly string[]>>) {
  const shop = await Shop.of([]);
  for (const [kind, lines] of Object.entries(files)) {
    shop.file(`${kind}.yaml`, datedProfile(kind, TYPES, { columns: ['reference', 'group', 'type'] }));
    const rows = lines.map((line) => `2026-10-${line}\n`).join('');
    await shop.take(kind, `${kind}.csv`, `From,2026-10-01,To,2026-10-31,\nDate,Reference,Group,Type,Amount\n${rows}`);
  }
  const report = await shop.reconcile(OCTOBER);
  const said = [...report.breaks, ...report.timing, ...report.suggested].flatMap((one) =>
    ['batch', 'top_up'].includes(one.kind)
      ? [[one.code, one.leg, one.reference, one.ours, one.theirs, one.effect].join(' ')]
      : [],
  );
  for (const { unexplained } of report.proof) expect(unexplained).toBe('0.00');
  return { said: said.sort(), report };
}

const BATCH = ['05,C-1,S-1,Sale,980.00'];

test('a batch that leaves the bank, or comes to the wallet, is a break of twice its sum', async () => {
  const { said, report } = await october({
    settlement: BATCH,
    wallet: ['05,S-1,S-1,Paid out,980.00'],
    bank: ['06,S-1,S-1,Paid out,-980.00'],
  });
  expect(said).toEqual([
    'split_incomplete batch-bank S-1 980.00 -980.00 -1960.00',
    'split_incomplete batch-wallet S-1 -980.00 980.00 1960.00',
  ]);
  const bank = report.proof.find(({ account }: { account: string }) => account === 'bank');
  expect(bank.rows.find(({ name }: { name: string }) => name === 'settlements')).toMatchObject({
    ...{ ours: '980.00', theirs: '-980.00', difference: '-1960.00' },
  });
});

test('a batch of which more was given back than sold is taken from the bank and comes back to the wallet', async () => {
  const back = ['05,C-1,S-1,Sale,300.00', '05,R-1,S-1,Refund,-1006.00'];
  const right = { settlement: back, wallet: ['05,S-1,S-1,Paid out,706.00'], bank: ['06,S-1,S-1,Paid out,-706.00'] };
  expect((await october(right)).said).toEqual([]);
  const wrong = { settlement: back, wallet: ['05,S-1,S-1,Paid out,-706.00'], bank: ['06,S-1,S-1,Paid out,706.00'] };
  expect((await october(wrong)).said).toEqual([
    'split_incomplete batch-bank S-1 -706.00 706.00 1412.00',
    'split_incomplete batch-wallet S-1 706.00 -706.00 -1412.00',
  ]);
  // Without a line, it is missing with the effect that the account does not have.
  const nothing = { settlement: back, wallet: ['05,S-1,S-1,Paid out,706.00'], bank: ['09,X-1,X-1,Chargeback,-1.00'] };
  const { said, report } = await october(nothing);
  expect(said).toEqual(['missing_external batch-bank S-1 706.00  706.00']);
  expect(report.breaks.find(({ reference }: { reference: string }) => reference === 'S-1').amount).toBe('-706.00');
});

test('a short batch in the right direction keeps its values without a sign', async () => {
  const files = { settlement: BATCH, wallet: ['05,S-1,S-1,Paid out,-979.00'], bank: ['06,S-1,S-1,Paid out,978.00'] };
  expect((await october(files)).said).toEqual([
    'split_incomplete batch-bank S-1 980.00 978.00 -2.00',
    'split_incomplete batch-wallet S-1 980.00 979.00 1.00',
  ]);
});

test('of two lines of one batch in both directions the one in its own stands', async () => {
  const files = { settlement: BATCH, bank: ['06,S-1,S-1,Paid out,-980.00', '07,S-1,S-1,Paid out,980.00'] };
  const { report } = await october(files);
  expect(report.breaks.map(({ code, line, effect }: Record<string, unknown>) => [code, line, effect])).toContainEqual([
    ...['duplicate_external', { statement: 2, row: 3 }, '-980.00'],
  ]);
});

test('a top-up that both accounts receive is a break of twice its amount', async () => {
  const { said } = await october({
    wallet: ['05,T-1,,Top-up,250.00', '07,T-2,,Top-up,-40.00'],
    bank: ['05,T-1,,Top-up,250.00', '07,T-2,,Top-up,40.00'],
  });
  expect(said).toEqual(['amount_mismatch topup-bank T-1 -250.00 250.00 500.00']);
});

test('a line in the wrong direction is not suggested for the batch of its sum', async () => {
  const { said } = await october({
    settlement: ['05,C-1,S-1,Sale,980.00'],
    wallet: ['05,Y-1,,Paid out,980.00', '06,S-2,S-2,Paid out,-1.00'],
  });
  expect(said).toEqual([
    'missing_external batch-wallet S-1 980.00  980.00',
    'missing_internal batch-wallet S-2  1.00 -1.00',
    'missing_internal batch-wallet Y-1  980.00 980.00',
  ]);
});
