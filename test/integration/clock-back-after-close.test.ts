import { beforeAll, expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { at, sale, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * October is closed with the sale C1 while the clock is a year ahead. Then the clock is set right, and by it everything comes before the
 * close: deliveries that C1 was reversed and about the sale C2 of October, and another file of October, with the line of C2 and one without
 * a record. The next days are closed by that clock, too.
 */

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const NOVEMBER = { from: '2026-11-01', to: '2026-11-10' };
const AFTER_IT = { from: '2026-11-11', to: '2026-11-15' };
const YEAR_MS = 365 * 24 * 3_600_000;
const C1 = { amount: '100.00', requested_amount: '100.00', fees: '0.00', created_at: at(5), paid_at: at(5) };
const reversed = told('collection', 'C1', { ...C1, status: 'reversed', updated_at: at(20) });
const HEAD = 'Date,Reference,Type,Amount\n';

let shop: Shop;
let closed: Awaited<ReturnType<Shop['reconcile']>>;

/** What is frozen; the exception of a break goes on. */
const figures = ({ proof, breaks, carried, timing }: typeof closed) => {
  const frozen = breaks.map(({ exception: _, ...rest }: Record<string, unknown>) => rest);
  return { proof, breaks: frozen, carried, timing };
};
const since = ({ sinceClose }: typeof closed): string[] =>
  sinceClose.map(({ what, reference }: Record<string, string>) => `${what} ${reference}`);

beforeAll(async () => {
  shop = await Shop.of([sale('C1', '100.00')]);
  shop.clock.ms += YEAR_MS;
  shop.file('wallet.yaml', datedProfile('wallet', { Collection: 'collection' }));
  await shop.take('wallet', 'october.csv', `From,2026-10-01,To,2026-10-31\n${HEAD}2026-10-05,C1,Collection,98.00\n`);
  await shop.reconcile(OCTOBER);
  await shop.resolve(
    (await shop.listed()).map(({ id }: { id: string }) => id),
    { reasonCode: 'other', comment: 'known' },
  );
  await shop.close('2026-10');
  closed = await shop.reconcile(OCTOBER);
  shop.clock.ms -= YEAR_MS;
  await shop.tell([sale('C2', '50.00'), reversed]);
  const late = `From,2026-10-01,To,2026-10-31\n${HEAD}2026-10-05,C2,Collection,49.00\n2026-10-06,C3,Collection,10.00\n`;
  await shop.take('wallet', 'late.csv', late);
});

test('the closed days keep their frozen figures, and say what came since', async () => {
  const again = await shop.reconcile(OCTOBER);
  expect(figures(again)).toEqual(figures(closed));
  // The webhook and the status check of C1 say one thing.
  expect(since(again).sort()).toEqual(['collection reversed C1', 'late collection C2', 'late line C2', 'late line C3']);
});

/** The references of what came late for the closed days before these, and that October stands as it was closed. */
async function lateIn(days: typeof NOVEMBER): Promise<string[]> {
  const { breaks } = await shop.reconcile(days);
  expect(figures(await shop.reconcile(OCTOBER))).toEqual(figures(closed));
  const late = breaks.filter(({ code }: Record<string, string>) => code === 'late_arrival');
  return late.map(({ reference }: Record<string, string>) => reference).sort();
}

test('the next days open with the closed balances and have it as late_arrival, and are closed by the same clock', async () => {
  await shop.take('wallet', 'november.csv', `From,2026-11-01,To,2026-11-10\n${HEAD}`);
  expect(await lateIn(NOVEMBER)).toEqual(['C2', 'C3']);
  await shop.resolve(
    (await shop.listed()).map(({ id }: { id: string }) => id),
    { reasonCode: 'other', comment: 'known' },
  );
  await shop.reconcile(NOVEMBER);
  await shop.close('2026-11-01..2026-11-10');
  const before = await shop.reconcile(NOVEMBER);
  await shop.tell([sale('C4', '70.00')]);
  expect(figures(await shop.reconcile(NOVEMBER))).toEqual(figures(before));
});

test('what came after the second close is late for the days behind it, and so it is once the clock has passed the closes', async () => {
  await shop.take('wallet', 'behind.csv', `From,2026-11-11,To,2026-11-15\n${HEAD}`);
  expect(await lateIn(AFTER_IT)).toEqual(['C4']);
  shop.clock.ms += 2 * YEAR_MS;
  expect(await lateIn(AFTER_IT)).toEqual(['C4']);
});
