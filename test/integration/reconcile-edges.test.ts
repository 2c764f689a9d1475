import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { OCTOBER } from '../support/month/days.ts';
import { at, told } from '../support/month/told.ts';
import type { Told } from '../support/shop/records.ts';
import { Shop } from '../support/shop/shop.ts';

/* What is at the edge of a month's reconciliation: figures by hand, and never anything unexplained. */

/** A sale of 100.00 with a fee of 2.00. */
const sale = (reference: string, day: number, currency = 'NGN') => {
  const money = { currency, amount: '100.00', requested_amount: '100.00', fees: '2.00' };
  return told('collection', reference, {
    ...money,
    created_at: at(day),
    paid_at: at(day),
    updated_at: at(day),
  });
};
const payout = (reference: string, status: string, day: number) =>
  told('payout', reference, {
    status,
    ...{ amount: '200.00', fee: '5.00', stamp_duty: '0.00', created_at: at(day), updated_at: at(day) },
  });

interface File {
  readonly account: string;
  /** `Date,Reference,Type,Amount,Fee,Balance,Currency`; the balance may be empty in a file without one. */
  readonly lines: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly hasBalance?: boolean;
  readonly currency?: string;
}

const TYPES = {
  Collection: 'collection',
  Payout: 'payout',
  Reversal: 'payout_reversal',
  Chargeback: 'chargeback',
  Conversion: 'conversion',
  Adjustment: 'adjustment',
  Transfer: 'transfer',
} as const;

function profileOf({ account, hasBalance = true, currency }: File): string {
  const columns = ['reference', 'type', 'group'] as const;
  return datedProfile('wallet', TYPES, {
    ...{ name: account, account, currency, fee: 'Fee' },
    columns: currency === undefined ? [...columns, 'currency'] : columns,
    ...(hasBalance && { balance: { running: 'Balance' } }),
  });
}

interface Report {
  readonly breaks: readonly Break[];
  readonly timing: readonly Break[];
  readonly suggested: readonly Break[];
  readonly proof: readonly {
    readonly account: string;
    readonly currency: string;
    readonly rows: readonly {
      readonly name: string;
      readonly ours: string;
      readonly theirs: string;
      readonly difference: string;
    }[];
    readonly unexplained: string;
  }[];
}

interface Break {
  readonly code: string;
  readonly reference: string | null;
  readonly account: string | null;
  readonly currency: string | null;
  readonly effect: string;
}

const minor = (text: string) => BigInt(text.replace('.', ''));

/** Imports the files and reconciles October; holds what must be true of every report. */
async function october(records: readonly Told[], files: readonly File[]): Promise<Report> {
  const shop = await Shop.of(records);
  for (const [index, file] of files.entries()) {
    const day = (number: number) => at(number).slice(0, 10);
    const head = `From,${day(file.from ?? 1)},To,${day(file.to ?? 31)},,,,\nDate,Reference,Type,Amount,Fee,Balance,Currency,Group\n`;
    shop.file(`${index}.yaml`, profileOf(file));
    await shop.take(`${index}`, `${index}.csv`, `${head}${file.lines.join('\n')}\n`);
  }
  const report: Report = await shop.reconcile(OCTOBER);
  for (const { account, currency, rows, unexplained } of report.proof) {
    const items = [...report.breaks, ...report.timing, ...report.suggested];
    const own = items.filter((one) => one.account === account && one.currency === currency);
    const closing = rows.find(({ name }) => name === 'closing');
    const effects = own.reduce((sum, { effect }) => sum + minor(effect), 0n);
    expect([account, currency, effects, unexplained]).toEqual([
      account,
      currency,
      minor(closing?.difference ?? ''),
      '0.00',
    ]);
  }
  return report;
}

const said = ({ breaks }: Report) =>
  breaks.map(({ code, reference, account, effect }) => `${code} ${reference} ${account} ${effect}`).toSorted();
const closings = ({ proof }: Report) =>
  Object.fromEntries(
    proof.map(({ account, currency, rows }) => {
      const { ours, theirs } = rows.at(-1) ?? { ours: '', theirs: '' };
      return [`${account} ${currency}`, [ours, theirs]];
    }),
  );

test('several wallets of one currency: each break stands in the account whose balance it moves', async () => {
  const report = await october(
    [
      sale('C1', 2),
      sale('C2', 3),
      sale('C3', 4),
      sale('C4', 5),
      payout('P1', 'success', 6),
      payout('P2', 'reversed', 7),
    ],
    [
      {
        ...{ account: 'one', currency: 'NGN' },
        lines: [
          '2026-10-02,C1,Collection,98.00,2.00,1098.00,,',
          '2026-10-04,C3,Collection,98.00,2.00,1196.00,,',
          '2026-10-06,P1,Payout,-205.00,5.00,991.00,,',
          '2026-10-07,P2,Payout,-205.00,5.00,786.00,,',
        ],
      },
      {
        ...{ account: 'two', currency: 'NGN' },
        lines: [
          '2026-10-03,C2,Collection,97.00,3.00,597.00,,',
          // The same sale once more, in the other wallet.
          '2026-10-05,C3,Collection,98.00,2.00,695.00,,',
          '2026-10-08,P1,Reversal,205.00,,900.00,,',
          '2026-10-09,P2,Reversal,205.00,,1105.00,,',
        ],
      },
    ],
  );
  expect(said(report)).toEqual([
    'duplicate_external C3 two 98.00',
    'fee_mismatch C2 two -1.00',
    'missing_external C4 one -98.00',
    'status_mismatch P1 two 205.00',
  ]);
  expect(closings(report)).toEqual({ 'one NGN': ['884.00', '786.00'], 'two NGN': ['803.00', '1105.00'] });
});

test('a wallet whose statements have no balance begins at 0.00 on both sides', async () => {
  const lines = ['2026-10-02,C1,Collection,98.00,2.00,,,', '2026-10-03,C9,Collection,50.00,,,,'];
  const report = await october([sale('C1', 2)], [{ account: 'one', currency: 'NGN', hasBalance: false, lines }]);
  expect(said(report)).toEqual(['missing_internal C9 one 50.00']);
  expect(closings(report)).toEqual({ 'one NGN': ['98.00', '148.00'] });
});

test('statements that cover part of the month say nothing of the rest of it but that they miss it', async () => {
  const report = await october(
    [sale('C1', 2), sale('C2', 3), sale('C3', 20), sale('C4', 31)],
    [{ account: 'one', currency: 'NGN', from: 1, to: 10, lines: ['2026-10-02,C1,Collection,98.00,2.00,1098.00,,'] }],
  );
  expect(said(report)).toEqual(['missing_external C2 one -98.00', 'statement_gap null one 0.00']);
  expect(closings(report)).toEqual({ 'one NGN': ['1196.00', '1098.00'] });
});

test('files that overlap count each line once', async () => {
  const lines = (...days: number[]) =>
    days.map(
      (day) =>
        `${at(day).slice(0, 10)},C${day},Collection,98.00,2.00,${1000 + 98 * [2, 10, 15, 25].indexOf(day) + 98}.00,,`,
    );
  const report = await october(
    [2, 10, 15, 25].map((day) => sale(`C${day}`, day)),
    [
      { account: 'one', currency: 'NGN', from: 1, to: 20, lines: lines(2, 10, 15) },
      { account: 'one', currency: 'NGN', from: 8, to: 31, lines: lines(10, 15, 25) },
    ],
  );
  expect(said(report)).toEqual([]);
  expect(closings(report)).toEqual({ 'one NGN': ['1392.00', '1392.00'] });
});

test('a chargeback of a known collection has no other side; of an unknown one it is missing on ours', async () => {
  const report = await october(
    [sale('C1', 2)],
    [
      {
        ...{ account: 'one', currency: 'NGN' },
        lines: [
          '2026-10-02,C1,Collection,98.00,2.00,1098.00,,',
          '2026-10-12,C1,Chargeback,-100.00,,998.00,,',
          '2026-10-13,C8,Chargeback,-40.00,,958.00,,',
          '2026-10-14,,Chargeback,-7.00,,951.00,,',
          '2026-10-15,,Adjustment,-1.50,,949.50,,',
          '2026-10-16,X1,Transfer,10.00,,959.50,,',
        ],
      },
    ],
  );
  expect(said(report)).toEqual(['missing_internal C8 one -40.00']);
  expect(closings(report)).toEqual({ 'one NGN': ['999.50', '959.50'] });
  const rows = report.proof[0]?.rows.filter(({ name }) => ['chargebacks', 'adjustments', 'other'].includes(name));
  expect(rows).toEqual([
    { name: 'chargebacks', ours: '-107.00', theirs: '-147.00', difference: '-40.00' },
    { name: 'adjustments', ours: '-1.50', theirs: '-1.50', difference: '0.00' },
    { name: 'other', ours: '10.00', theirs: '10.00', difference: '0.00' },
  ]);
});

test('a conversion is two lines of one group, a currency each, and no break in either', async () => {
  const lines = [
    '2026-10-02,C1,Collection,98.00,2.00,,NGN,',
    '2026-10-10,,Conversion,-80.00,,,NGN,G1',
    '2026-10-10,,Conversion,0.05,,,USD,G1',
    '2026-10-11,D1,Collection,98.00,2.00,,USD,',
  ];
  const report = await october([sale('C1', 2), sale('D1', 11, 'USD')], [{ account: 'all', hasBalance: false, lines }]);
  expect(said(report)).toEqual([]);
  expect(closings(report)).toEqual({ 'all NGN': ['18.00', '18.00'], 'all USD': ['98.05', '98.05'] });
});

test('two payouts and two lines that name nothing, in two wallets: each line is ambiguous in its own', async () => {
  const report = await october(
    [payout('P1', 'success', 5), payout('P2', 'success', 5)],
    [
      { account: 'one', currency: 'NGN', lines: ['2026-10-05,,Payout,-205.00,,795.00,,'] },
      { account: 'two', currency: 'NGN', lines: ['2026-10-05,,Payout,-205.00,,295.00,,'] },
    ],
  );
  // The first also has what both payouts moved by us.
  expect(said(report).toSorted()).toEqual(['ambiguous null one 205.00', 'ambiguous null two -205.00']);
  expect(closings(report)).toEqual({ 'one NGN': ['590.00', '795.00'], 'two NGN': ['500.00', '295.00'] });
});
