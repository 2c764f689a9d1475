import { expect, test } from 'vitest';
import { fillInBulk } from '../support/month/bulk.ts';
import { fill } from '../support/month/fill.ts';
import { makeMonth } from '../support/month/month.ts';
import { toldOf } from '../support/month/tell.ts';
import { readerOf } from '../support/reader.ts';
import { Shop } from '../support/shop/shop.ts';

/** When something was learnt, what is to be asked next, and numbers of rows and of entries of the log. */
const OF_THE_PATH = new Set(['id', 'confirmed_at', 'changed_at', 'first_seen_at', 'due_at', 'row_sum', 'changed_seq']);

test('the two fast ways into a store write the same records as webhooks and answers do', async () => {
  const { records } = makeMonth({ seed: 11, clean: 80, each: 0 }).book;
  const told = records.map(toldOf);
  const [real, shop, fast] = [await fill(told), await Shop.of(told), fillInBulk(records)];
  for (const table of ['refunds', 'payouts', 'collections']) {
    const rows = ({ database }: Pick<Shop, 'database'>) =>
      (readerOf(database).prepare(`SELECT * FROM ${table} ORDER BY environment, reference`).all() as object[]).map(
        (row) => Object.fromEntries(Object.entries(row).filter(([column]) => !OF_THE_PATH.has(column))),
      );
    expect(rows(fast).length).toBeGreaterThan(5);
    expect(rows(fast)).toEqual(rows(real));
    expect(rows(shop)).toEqual(rows(real));
  }
});
