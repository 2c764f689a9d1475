import { expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';
import { PROFILE } from '../support/statement-files.ts';

/* October was exported twice: the first file has unreadable rows, the second one is whole and goes on. */

const line = (day: string, reference: string, amount: string, balance: string) =>
  [`2026-10-${day}`, reference, 'Collection', '', amount, balance].join(',');
const A = line('03', 'A', '100.00', '1100.00');
const B = line('04', 'B', '5.00', '1105.00');
const UNREAD_B = line('04', 'B', '5..00', '1105.00');
const C = line('05', 'C', '20.00', '1125.00');
const D = line('06', 'D', '300.00', '1425.00');
const HEADER = 'Date,Reference,Type,Details,Amount,Balance';
const DAYS = 'From,2026-10-01,To,2026-10-31';

type Form = 'days' | 'plain' | 'unbalanced';
const STATES_DAYS = `${PROFILE.replace('{ format: csv }', '{ format: csv, skipRows: 1 }').replace('wallet-standard', 'wallet-days')}covers: { from: { row: 1, column: 2 }, to: { row: 1, column: 4 } }\n`;
const UNBALANCED = PROFILE.replace('wallet-standard', 'wallet-unbalanced').replace(/balance:.*\n/, '');

class Wallet {
  readonly month: ClosingMonth;

  constructor(month: ClosingMonth) {
    this.month = month;
    month.shop.file('days.yaml', STATES_DAYS);
    month.shop.file('plain.yaml', PROFILE);
    month.shop.file('unbalanced.yaml', UNBALANCED);
  }

  async import(name: string, rows: readonly string[], form: Form = 'days', mark = ''): Promise<void> {
    const first = form === 'days' ? [`${DAYS}${mark}`] : [];
    await this.month.shop.take(form, name, `${[...first, HEADER, ...rows].join('\n')}\n`);
  }

  /** The balances of theirs, and the breaks but for lines without a record. */
  async seen(from = '2026-10-01', to = '2026-10-31') {
    const { proof, breaks, carried } = await this.month.shop.reconcile({ from: from, to: to });
    const theirs = (row: string) => proof[0].rows.find(({ name }: { name: string }) => name === row)?.theirs;
    const found = [...breaks, ...carried].filter(({ code }) => code !== 'missing_internal' && code !== 'late_arrival');
    return {
      closing: theirs('closing'),
      unexplained: proof[0].unexplained,
      breaks: found.map(({ code, sub, effect }) => [code, sub, effect].filter((one) => one !== null).join(' ')),
    };
  }
}

async function withWallet(body: (wallet: Wallet) => Promise<void>): Promise<void> {
  await body(new Wallet(await ClosingMonth.of()));
}

const MENDED = { closing: '1425.00', unexplained: '0.00', breaks: [] };
const [UNREAD_C, UNREAD_DAY] = [line('05', 'C', '2O.00', '1125.00'), B.replace('2026-10-04', '04.10.26')];
const LATE_D = line('04', 'D', '300.00', '1405.00');

test.each<[string, { first: string[]; second: string[]; form?: Form; seen?: object }]>([
  ['an amount', { first: [A, UNREAD_B, C], second: [A, B, C, D] }],
  ['a date', { first: [A, UNREAD_DAY, C], second: [A, B, C, D] }],
  ['the last row', { first: [A, B, UNREAD_C], second: [A, B, C, D] }],
  ['two rows', { first: [A, UNREAD_B, UNREAD_C], second: [A, B, C, D] }],
  [
    'an amount, and the second file adds a line before the last one of the first',
    { first: [A, UNREAD_B, C], second: [A, B, LATE_D, line('05', 'C', '20.00', '1425.00')] },
  ],
  ['an amount, and the second file states no days', { first: [A, UNREAD_B, C], second: [A, B, C, D], form: 'plain' }],
  [
    'an amount, and the second file states no balances',
    { first: [A, UNREAD_B, C], second: [A, B, C, D], form: 'unbalanced' },
  ],
  [
    'two rows of which the second file mends one',
    {
      first: [A, UNREAD_B, UNREAD_C],
      second: [A, B, UNREAD_C, D],
      seen: { closing: '1425.00', unexplained: '0.00', breaks: ['unparsed 20.00'] },
    },
  ],
  [
    'an amount that the second file cannot be read in either',
    {
      first: [A, UNREAD_B, C],
      second: [A, UNREAD_B, C, D],
      seen: { closing: '1425.00', unexplained: '0.00', breaks: ['unparsed 5.00'] },
    },
  ],
  [
    'an amount, and the second file lacks another line',
    {
      first: [A, UNREAD_B, C],
      second: [A, B, line('06', 'D', '300.00', '1405.00')],
      seen: { closing: '1405.00', unexplained: '0.00', breaks: ['statement_gap contradicting -20.00'] },
    },
  ],
])(
  'unreadable in the first file: %s; the fuller file of the same days counts',
  async (_name, { first, second, form, seen = MENDED }) => {
    // Of files that say the same of themselves, the digest decides which one is held against the other.
    for (const mark of form === undefined ? ['', ',1', ',2', ',3'] : ['']) {
      await withWallet(async (wallet) => {
        await wallet.import('first.csv', first, 'days', mark);
        await wallet.import('second.csv', second, form);
        expect([mark, await wallet.seen()]).toEqual([mark, seen]);
      });
    }
  },
);

test('the outdated file imported last changes no balance: it lacks a line', async () => {
  await withWallet(async (wallet) => {
    await wallet.import('second.csv', [A, B, C, D]);
    await wallet.import('first.csv', [A, UNREAD_B, C]);
    expect(await wallet.seen()).toMatchObject({ closing: '1425.00', unexplained: '0.00' });
  });
});

const NOVEMBER = ['2026-11-01', '2026-11-30'] as const;

test('the month after goes on from the fuller file, also where it came after the close', async () => {
  for (const isClosed of [false, true]) {
    await withWallet(async (wallet) => {
      const { month } = wallet;
      await wallet.import('first.csv', [A, UNREAD_B, C]);
      expect(await wallet.seen()).toEqual({ closing: '1125.00', unexplained: '0.00', breaks: ['unparsed 5.00'] });
      await month.resolveAll();
      if (isClosed) await month.shop.close('2026-10', { by: 'Ada' });
      await wallet.import('second.csv', [A, B, C, D]);
      await month.import('november.csv', ['2026-11-01', 'E', 'Collection', '', '5.00', '1430.00']);
      expect([isClosed, await wallet.seen(...NOVEMBER)]).toEqual([isClosed, { ...MENDED, closing: '1430.00' }]);
    });
  }
});
