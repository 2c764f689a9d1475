import { describe, expect, test } from 'vitest';
import type { LineType } from '../../src/domain/statements/lines.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { shown } from '../support/month/shown.ts';
import { at, sale, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/* What files say of refunds. The amounts that are expected were computed by hand. */

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const TYPES = { Refund: 'refund', Reserve: 'reserve', Release: 'release', Sale: 'collection' } as const;

/** A refund of 100.00 and its fee of 1.00, asked for on the 5th and settled on the 6th. */
const refund = (reference: string, status = 'success', transaction = 'TX_A') =>
  told('refund', reference, {
    ...{ refund_reference: reference, transaction_reference: transaction, status },
    ...{ amount: '100.00', fee: '1.00', total_reserved: '101.00' },
    ...{ requested_at: at(5), completed_at: at(6), updated_at: at(6), funding: { status: 'released' } },
  });

interface Row {
  readonly ours: string;
  readonly theirs: string;
}
/** What October says of these refunds, by the lines `DAY,REFERENCE,TYPE,AMOUNT,TRANSACTION` of a wallet. */
async function october(
  records: Parameters<typeof Shop.of>[0],
  lines: readonly string[],
  types: Readonly<Record<string, LineType>> = TYPES,
) {
  const shop = await Shop.of(records);
  shop.file('wallet.yaml', datedProfile('wallet', types, { columns: ['reference', 'type', 'transactionReference'] }));
  const rows = lines.map((line) => `2026-10-${line}`).join('\n');
  await shop.take(
    'wallet',
    'wallet.csv',
    `From,2026-10-01,To,2026-10-31,\nDate,Reference,Type,Amount,OrigTx\n${rows}\n`,
  );
  const report = await shop.reconcile(OCTOBER);
  expect(report.proof.map(({ unexplained }: { unexplained: string }) => unexplained)).toEqual(['0.00']);
  return { shop, report, breaks: report.breaks.map(shown), timing: report.timing.map(shown) };
}

test('a line that names another transaction than the refund is a break, though every amount agrees', async () => {
  const { shop, report, breaks, timing } = await october(
    [refund('RF_1'), refund('RF_2')],
    [
      '05,RF_1,Reserve,-101.00,TX_A',
      '06,RF_1,Release,101.00,TX_A',
      '06,RF_1,Refund,-101.00,TX_B',
      // The money alone, in one line: it is held against the record where it is loaded, and says no transaction, or ours.
      '06,RF_2,Refund,-101.00,TX_A',
    ],
  );
  expect([breaks, timing]).toEqual([['fact_mismatch RF_1 TX_A TX_B 0.00'], []]);
  expect(report.breaks[0]).toMatchObject({
    ...{ field: 'transactionReference', leg: 'records-wallet', variance: null, line: { row: 5 } },
    reason: 'the statement says that it belongs to TX_B, our record to TX_A',
    nextStep: 'Ask the service which transaction refund RF_1 gave back.',
  });
  expect((await shop.run('reconcile', '--from', OCTOBER.from, '--to', OCTOBER.to)).code).toBe(3);
});

test('one line alone that agrees in everything else names the other transaction, too', async () => {
  const { breaks } = await october([refund('RF_1')], ['06,RF_1,Refund,-101.00,TX_B']);
  expect(breaks).toEqual(['fact_mismatch RF_1 TX_A TX_B 0.00']);
});

const SETTLEMENT = { ...TYPES, Payout: 'payout', Correction: 'adjustment' } as const;

test('refunds and payouts of a settlement file are held against their records, and what no rule compares is named', async () => {
  const payout = told('payout', 'PO_1', {
    ...{ amount: '40.00', fee: '0.00', stamp_duty: '0.00', created_at: at(5), updated_at: at(5) },
  });
  const shop = await Shop.of([refund('RF_1'), refund('RF_2'), refund('RF_3'), payout, sale('C_1', '980.00')]);
  const columns = ['reference', 'group', 'type'] as const;
  for (const kind of ['settlement', 'bank'] as const)
    shop.file(`${kind}.yaml`, datedProfile(kind, { ...SETTLEMENT, 'Paid out': 'settlement' }, { columns }));
  const head = 'From,2026-10-01,To,2026-10-31,\nDate,Reference,Group,Type,Amount\n';
  const lines = [
    '2026-10-06,C_1,S-1,Sale,980.00',
    '2026-10-06,RF_1,S-1,Refund,-141.00',
    '2026-10-06,RF_1,S-1,Refund,-141.00',
    '2026-10-06,RF_GHOST,S-1,Refund,-50.00',
    '2026-10-06,RF_2,S-1,Refund,-101.00',
    '2026-10-06,PO_1,S-1,Payout,-41.00',
    '2026-10-06,,S-1,Correction,-3.00',
  ];
  await shop.take('settlement', 'settlement.csv', `${head}${lines.join('\n')}\n`);
  // 980.00 − 141.00 − 141.00 − 50.00 − 101.00 − 41.00 − 3.00
  await shop.take('bank', 'bank.csv', `${head}2026-10-07,S-1,S-1,Paid out,503.00\n`);
  const report = await shop.reconcile(OCTOBER);
  expect(report.breaks.map(shown)).toEqual([
    'amount_mismatch PO_1 40.00 41.00 -1.00',
    'amount_mismatch RF_1 101.00 141.00 -40.00',
    'duplicate_external RF_1  141.00 -141.00',
    'missing_internal RF_GHOST  50.00 -50.00',
  ]);
  expect(report.timing).toEqual([]);
  expect(report.matched).toMatchObject({ 'records-settlement': 4, 'batch-bank': 1 });
  expect(report.noStatement).toEqual({});
  const correction = { account: 'settlement', currency: 'NGN', type: 'adjustment', lines: 1, moved: '-3.00' };
  expect(report.uncompared).toEqual([{ environment: 'test', ...correction, leg: null, lacks: null }]);
  const { stdout, code } = await shop.run('reconcile', '--from', OCTOBER.from, '--to', OCTOBER.to);
  expect(code).toBe(3);
  expect(stdout).toContain(
    '1 adjustment line of settlement (test), 3.00 NGN in all, was compared with nothing: no rule compares it.\n',
  );
  // What the file does not show is not missing in it, and `why` tells of no leg that does not look for it.
  const legs = async (reference: string) => {
    const { records } = await shop.json('why', reference);
    return records[0].matching.map(({ leg }: { leg: string }) => leg);
  };
  expect([await legs('RF_1'), await legs('RF_3')]).toEqual([['records-settlement'], []]);
});

describe('a refund that was rejected after it was paid out and came back nets to nothing', () => {
  const words = { ...TYPES, Back: 'refund_reversal', Sent: 'refund' } as const;
  const settled = ['05,RF_1,Reserve,-101.00,', '06,RF_1,Release,101.00,', '07,RF_1,Refund,-101.00,'];

  test.each([
    ['a word of its own', 'Back'],
    ['a refund of the other sign', 'Sent'],
    ['one more release', 'Release'],
  ])('by %s', async (_, word) => {
    const { breaks, timing, report } = await october(
      [refund('RF_1', 'rejected')],
      [...settled, `09,RF_1,${word},101.00,`],
      words,
    );
    expect([breaks, timing]).toEqual([[], []]);
    const rows = report.proof[0].rows.filter(({ ours, theirs }: Row) => ours !== '0.00' || theirs !== '0.00');
    expect(rows).toEqual([]);
  });

  test('before it came back it is open, in the month in which it came nothing', async () => {
    const open = await october([refund('RF_1', 'rejected')], settled, words);
    expect(open.breaks).toEqual(['status_mismatch/internal_vs_statement RF_1 rejected success -101.00']);
    await open.shop.take(
      'wallet',
      'november.csv',
      'From,2026-11-01,To,2026-11-30,\nDate,Reference,Type,Amount,OrigTx\n2026-11-03,RF_1,Back,101.00,\n',
    );
    const october31 = await open.shop.reconcile(OCTOBER);
    expect([october31.breaks, october31.timing.map(shown)]).toEqual([[], ['timing RF_1 100.00  -101.00']]);
    expect(october31.timing[0].reason).toContain('its return came on 2026-11-03');
    const november = await open.shop.reconcile({ from: '2026-11-01', to: '2026-11-30' });
    expect([november.breaks, november.timing, november.proof[0].unexplained]).toEqual([[], [], '0.00']);
  });

  test('less came back', async () => {
    const { breaks } = await october([refund('RF_1', 'rejected')], [...settled, '09,RF_1,Back,100.00,'], words);
    expect(breaks).toEqual(['amount_mismatch RF_1 101.00 100.00 -1.00']);
  });

  test('paid again, it is paid once; and one that our record calls paid and that came back is a break', async () => {
    const again = [...settled, '08,RF_1,Back,101.00,', '09,RF_1,Refund,-101.00,'];
    expect((await october([refund('RF_1')], again, words)).breaks).toEqual([]);
    const { breaks } = await october([refund('RF_1')], again.slice(0, -1), words);
    expect(breaks).toEqual(['status_mismatch/internal_vs_statement RF_1 success reversed 101.00']);
    // A second release of a refund that was paid is a copy, as ever.
    const copied = await october([refund('RF_1')], [...settled, '08,RF_1,Release,101.00,'], words);
    expect(copied.breaks).toEqual(['duplicate_external RF_1  101.00 101.00']);
  });
});
