import { expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';

/* Two files that reach over the end of October have the same unreadable row: it stands in the month of its date alone. */

const row = (date: string, reference: string, amount: string, balance: string) =>
  [`2026-${date}`, reference, 'Collection', '', amount, balance] as const;

const [first, second] = [row('10-01', 'C-1', '100.00', '1100.00'), row('10-30', 'C-2', '10.00', '1110.00')];
const [unread, after] = [row('10-31', 'C-3', '5O.00', '1160.00'), row('10-31', 'C-4', '1.00', '1161.00')];
const last = row('11-20', 'C-5', '5.00', '1166.00');
const early = row('10-02', 'C-6', '2O.00', '1120.00');
const [secondLater, unreadLater] = [row('10-30', 'C-2', '10.00', '1130.00'), row('10-31', 'C-3', '5O.00', '1180.00')];
const [afterLater, lateUnread] = [row('10-31', 'C-4', '1.00', '1181.00'), row('11-19', 'C-7', '3O.00', '1211.00')];
const lastLater = row('11-20', 'C-5', '5.00', '1216.00');
const [novemberUnread, inBoth] = [row('11-03', 'C-3', '5O.00', '1160.00'), row('11-04', 'C-4', '1.00', '1161.00')];

/** The files; the unreadable rows of October and of November, and the closing balances of both. */
const CASES = {
  'at the end of October': [
    [first, second, unread, after],
    [second, unread, after, last],
    [1, '1161.00'],
    [0, '1166.00'],
  ],
  'that the November file begins with': [
    [first, second, unread, after],
    [unread, after, last],
    [1, '1161.00'],
    [0, '1166.00'],
  ],
  'at the end of October, and others beside it in both files': [
    [first, early, secondLater, unreadLater, afterLater],
    [secondLater, unreadLater, afterLater, lateUnread, lastLater],
    [2, '1181.00'],
    [1, '1216.00'],
  ],
  'of November': [
    [first, second, novemberUnread, inBoth],
    [novemberUnread, inBoth, last],
    [0, '1110.00'],
    [1, '1166.00'],
  ],
} as const;

const MONTHS = [
  ['2026-10-01', '2026-10-31'],
  ['2026-11-01', '2026-11-30'],
] as const;

for (const begins of [false, true]) {
  test.each(Object.entries(CASES))(
    `an unreadable row %s${begins ? ', with an opening balance of our own' : ''}`,
    async (_, [one, other, ...expected]) => {
      for (const files of [
        [one, other],
        [other, one],
      ]) {
        const month = await ClosingMonth.of();
        const begin = 'reconcile: { begin: { date: 2026-10-01, balances: { wallet-main: { NGN: "1000.00" } } } }\n';
        if (begins) month.shop.file('tallyhook.yaml', begin);
        for (const [index, rows] of files.entries()) await month.import(`${index}.csv`, ...rows);
        const seen = [];
        for (const [from, to] of MONTHS) {
          const { proof, breaks } = await month.shop.reconcile({ from: from, to: to });
          const { items } = await month.shop.check(from.slice(0, 7));
          const unparsed = breaks.filter(({ code }: { code: string }) => code === 'unparsed');
          expect(proof[0].unexplained).toBe('0.00');
          expect(breaks.map(({ code }: { code: string }) => code)).not.toContain('statement_gap');
          expect(items.find(({ name }: { name: string }) => name === 'unparsed').count).toBe(unparsed.length);
          seen.push([unparsed.length, proof[0].rows.at(-1).theirs]);
        }
        expect(seen).toEqual(expected);
      }
    },
  );
}

/*
 * The second file goes on within the last day of the first one: its later line is no part of the balance with which the first one ends.
 * The opening balance is 1,000.00; of October the closing balance is 1,155.00 with a note, and 1,205.00 with a row of 50.00.
 */

const later = (balance: string) => row('10-31', 'C-4', '40.00', balance);
const note = (date: string) => [`2026-${date}`, 'see desk', 'Note', '', 'see desk', ''] as const;
const end = (balance: string) => row('11-20', 'C-5', '1.00', balance);

/** The first file, the second one, what the unreadable row moved, and the closing balances of October and November. */
const WITHIN_THE_LAST_DAY = {
  'a note of an earlier day': [
    [first, second, note('10-30'), row('10-31', 'C-3', '5.00', '1115.00')],
    [second, note('10-30'), row('10-31', 'C-3', '5.00', '1115.00'), later('1155.00'), end('1156.00')],
    ['0.00', '1155.00', '1156.00'],
  ],
  'a note after its last line': [
    [first, second, row('10-31', 'C-3', '5.00', '1115.00'), note('10-31')],
    [second, row('10-31', 'C-3', '5.00', '1115.00'), note('10-31'), later('1155.00'), end('1156.00')],
    ['0.00', '1155.00', '1156.00'],
  ],
  'a note, and the second file ends that day': [
    [first, second, row('10-31', 'C-3', '5.00', '1115.00'), note('10-31')],
    [second, row('10-31', 'C-3', '5.00', '1115.00'), note('10-31'), later('1155.00')],
    ['0.00', '1155.00', undefined],
  ],
  'a payment of an earlier day': [
    [first, second, row('10-30', 'C-6', '5O.00', '1160.00'), row('10-31', 'C-3', '5.00', '1165.00')],
    [
      ...[second, row('10-30', 'C-6', '5O.00', '1160.00'), row('10-31', 'C-3', '5.00', '1165.00')],
      ...[later('1205.00'), end('1206.00')],
    ],
    ['50.00', '1205.00', '1206.00'],
  ],
  'a payment after its last line': [
    [first, second, row('10-31', 'C-3', '5.00', '1115.00'), row('10-31', 'C-6', '5O.00', '1165.00')],
    [
      ...[second, row('10-31', 'C-3', '5.00', '1115.00'), row('10-31', 'C-6', '5O.00', '1165.00')],
      ...[later('1205.00'), end('1206.00')],
    ],
    ['50.00', '1205.00', '1206.00'],
  ],
  'a payment of the last day, which the second can be read of': [
    [first, second, row('10-31', 'C-6', '5O.00', '1160.00'), row('10-31', 'C-3', '5.00', '1165.00')],
    [
      ...[second, row('10-31', 'C-6', '50.00', '1160.00'), row('10-31', 'C-3', '5.00', '1165.00')],
      ...[later('1205.00'), end('1206.00')],
    ],
    [null, '1205.00', '1206.00'],
  ],
} as const;

test.each(Object.entries(WITHIN_THE_LAST_DAY))(
  'two files share %s, and the second has a later line of the first one’s last day',
  async (_, [one, other, [minor, october, november]]) => {
    for (const files of [
      [one, other],
      [other, one],
    ]) {
      const month = await ClosingMonth.of();
      for (const [index, rows] of files.entries()) await month.import(`${index}.csv`, ...rows);
      const seen = [];
      for (const [from, to] of MONTHS) {
        const { proof, breaks } = await month.shop.reconcile({ from: from, to: to });
        const ofFiles = breaks.filter(({ code }: { code: string }) => code !== 'missing_internal');
        seen.push(ofFiles.map(({ code, effect }: Record<string, string>) => `${code} ${effect}`));
        seen.push(proof[0]?.rows.at(-1).theirs);
        expect(proof[0]?.unexplained ?? '0.00').toBe('0.00');
      }
      expect(seen).toEqual([minor === null ? [] : [`unparsed ${minor}`], october, [], november]);
    }
  },
);
