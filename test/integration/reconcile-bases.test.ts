import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

vi.setConfig({ testTimeout: 120_000 });

/*
 * What September leaves open when it is closed, and how October begins with it: MISSING of 300.00 has no line, EDGE of 200.00 is of 30
 * September and has its line in October, STRANGE of 50.00 has no record, SHORT of 70.00 has a line of 69.00.
 */

const SEPTEMBER = { from: '2026-09-01', to: '2026-09-30' };
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const SALES = {
  PLAIN: ['09-03', '100.00'],
  MISSING: ['09-10', '300.00'],
  SHORT: ['09-12', '70.00'],
  EDGE: ['09-30', '200.00'],
};
const LINES = ['2026-09-03,PLAIN,Sale,100.00', '2026-09-05,STRANGE,Sale,50.00', '2026-09-12,SHORT,Sale,69.00'];

async function closedSeptember(): Promise<Shop> {
  const records = Object.entries(SALES).map(([reference, [day = '', amount = '']]) => {
    const time = `2026-${day}T10:00:00Z`;
    const times = { created_at: time, paid_at: time, updated_at: time };
    return told('collection', reference, { amount, requested_amount: amount, fees: '0.00', ...times });
  });
  const shop = await Shop.of(records);
  shop.file('wallet.yaml', datedProfile('wallet', { Sale: 'collection' }));
  shop.file('tallyhook.yaml', '{}');
  await file(shop, 'september.csv', SEPTEMBER, LINES);
  await shop.reconcile(SEPTEMBER);
  const open = await shop.listed();
  await shop.resolve(
    open.map(({ id }: { id: string }) => id),
    { resolution: 'carry', reasonCode: 'next_period' },
  );
  await shop.close('2026-09');
  await file(shop, 'october.csv', OCTOBER, ['2026-10-01,EDGE,Sale,200.00']);
  return shop;
}

const file = (shop: Shop, name: string, { from, to }: typeof OCTOBER, lines: readonly string[]) =>
  shop.take('wallet', name, [`From,${from},To,${to}`, 'Date,Reference,Type,Amount', ...lines, ''].join('\n'));

async function october(shop: Shop) {
  const { breaks, timing, carried, proof } = await shop.reconcile(OCTOBER);
  const said = (items: Record<string, string>[]) => items.map((one) => [one.code, one.reference, one.effect].join(' '));
  const [{ rows, unexplained }] = proof;
  const closing = rows.find(({ name }: { name: string }) => name === 'closing');
  return {
    ...{ breaks: said(breaks), timing: said(timing), carried: said(carried) },
    ...{ unexplained, difference: closing.difference },
  };
}

const AS_CLOSED = {
  ...{ breaks: [], timing: [] },
  carried: ['amount_mismatch SHORT -1.00', 'missing_external MISSING -300.00', 'missing_internal STRANGE 50.00'],
  ...{ unexplained: '0.00', difference: '-251.00' },
};

/** Changes rows of the store behind its back. */
function change(shop: Shop, ...statements: readonly string[]): void {
  shop.rest();
  const database = openDatabase(shop.database);
  for (const statement of statements) database.exec(statement);
  database.close();
}

test('a month begins with what the close left open, what was not due included', async () => {
  expect(await october(await closedSeptember())).toEqual(AS_CLOSED);
});

test('of a month that a version before closed, the breaks have their effects, and what was not due is judged again', async () => {
  const shop = await closedSeptember();
  change(shop, 'DELETE FROM period_groups', 'UPDATE reconciliation_runs SET has_groups = 0');
  expect(await october(shop)).toEqual(AS_CLOSED);
});

test('what the close left open stands as it was frozen once its record was erased', async () => {
  const shop = await closedSeptember();
  change(shop, "DELETE FROM collections WHERE reference IN ('MISSING', 'SHORT')");
  expect(await october(shop)).toEqual(AS_CLOSED);
});

test('a record whose line agreed with it is not asked for again once it was erased', async () => {
  const shop = await closedSeptember();
  change(shop, "DELETE FROM collections WHERE reference = 'PLAIN'");
  expect(await october(shop)).toEqual(AS_CLOSED);
});

test('a late line ends what was left open, and one that differs leaves the rest', async () => {
  const shop = await closedSeptember();
  await file(shop, 'late.csv', SEPTEMBER, ['2026-09-10,MISSING,Sale,290.00']);
  const { breaks, carried, unexplained, difference } = await october(shop);
  expect(breaks.filter((one) => one.startsWith('late_arrival'))).toEqual(['late_arrival MISSING -10.00']);
  expect(carried.filter((one) => one.includes('MISSING'))).toEqual([]);
  expect([unexplained, difference]).toEqual(['0.00', '39.00']);
});
