import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';
import { TestDatabase } from '../support/test-database.ts';

vi.setConfig({ testTimeout: 120_000 });

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
        const db = new TestDatabase();
        try {
          const month = new ClosingMonth(db);
          const begin = 'reconcile: { begin: { date: 2026-10-01, balances: { wallet-main: { NGN: "1000.00" } } } }\n';
          if (begins) writeFileSync(join(db.folder, 'tallyhook.yaml'), begin);
          for (const [index, rows] of files.entries()) await month.import(`${index}.csv`, ...rows);
          const seen = [];
          for (const [from, to] of MONTHS) {
            const { proof, breaks } = await month.json('reconcile', '--from', from, '--to', to);
            const { items } = await month.json('period', 'check', from.slice(0, 7));
            const unparsed = breaks.filter(({ code }: { code: string }) => code === 'unparsed');
            expect(proof[0].unexplained).toBe('0.00');
            expect(breaks.map(({ code }: { code: string }) => code)).not.toContain('statement_gap');
            expect(items.find(({ name }: { name: string }) => name === 'unparsed').count).toBe(unparsed.length);
            seen.push([unparsed.length, proof[0].rows.at(-1).theirs]);
          }
          expect(seen).toEqual(expected);
        } finally {
          db.remove();
        }
      }
    },
  );
}
