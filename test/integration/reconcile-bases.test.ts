import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

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

test('of two equal lines of a closed sale the one stands that the close had, and the one that came later is the copy', async () => {
  const shop = await closedSeptember();
  await file(shop, 'late.csv', SEPTEMBER, ['2026-09-02,PLAIN,Sale,100.00']);
  const { breaks, carried, unexplained, difference } = await october(shop);
  expect(breaks).toEqual(['late_arrival PLAIN 100.00']);
  expect([carried, unexplained, difference]).toEqual([AS_CLOSED.carried, '0.00', '-151.00']);
});

test('a run over closed and open days says of each what is known today, on its own day', async () => {
  const shop = await closedSeptember();
  await file(shop, 'late.csv', SEPTEMBER, ['2026-09-10,MISSING,Sale,290.00']);
  const { breaks, timing, carried, proof } = await shop.reconcile({ from: SEPTEMBER.from, to: OCTOBER.to });
  const said = breaks.map((one: Record<string, string>) => [one.code, one.reference, one.effect].join(' '));
  expect(said).toEqual([
    'amount_mismatch MISSING -10.00',
    'amount_mismatch SHORT -1.00',
    'missing_internal STRANGE 50.00',
  ]);
  // 100.00, 300.00, 70.00 and 200.00 by us; by them 10.00 and 1.00 less, and 50.00 more.
  const [{ rows, unexplained }] = proof;
  expect(rows.at(-1)).toMatchObject({ name: 'closing', ours: '670.00', theirs: '709.00', difference: '39.00' });
  expect([timing, carried, unexplained]).toEqual([[], [], '0.00']);
});

/** A shop with sales of 10.00, each by its name and day. */
async function shopWith(sales: Readonly<Record<string, string>>): Promise<Shop> {
  const records = Object.entries(sales).map(([reference, day]) => {
    const time = `2026-${day}T10:00:00Z`;
    const times = { created_at: time, paid_at: time, updated_at: time };
    return told('collection', reference, { amount: '10.00', requested_amount: '10.00', fees: '0.00', ...times });
  });
  const shop = await Shop.of(records);
  shop.file('wallet.yaml', datedProfile('wallet', { Sale: 'collection' }));
  shop.file('tallyhook.yaml', '{}');
  return shop;
}

/** Reconciles September, leaves open what is open, and closes it. */
async function closeSeptember(shop: Shop): Promise<void> {
  await shop.reconcile(SEPTEMBER);
  const ids = (await shop.listed()).map(({ id }: { id: string }) => id);
  if (ids.length > 0) await shop.resolve(ids, { resolution: 'carry', reasonCode: 'next_period' });
  await shop.close('2026-09');
}

test('what was open before the first closed period is in both opening balances, and is not carried after it', async () => {
  const shop = await shopWith({ AUGUST: '08-25', ONE: '09-03', TWO: '10-03' });
  await file(shop, 'august.csv', { from: '2026-08-01', to: '2026-08-31' }, ['2026-08-05,STRANGE,Sale,7.00']);
  await file(shop, 'september.csv', SEPTEMBER, ['2026-09-03,ONE,Sale,10.00']);
  await closeSeptember(shop);
  await file(shop, 'october.csv', OCTOBER, ['2026-10-03,TWO,Sale,10.00']);
  const nothing = { breaks: [], timing: [], carried: [], unexplained: '0.00', difference: '0.00' };
  expect(await october(shop)).toEqual(nothing);
});

test('a sale of a closed day that only a later statement covers is a break of the first open day', async () => {
  const shop = await shopWith({ ONE: '09-03', LATER: '09-25', TWO: '10-03' });
  await file(shop, 'begin.csv', { from: '2026-09-01', to: '2026-09-20' }, ['2026-09-03,ONE,Sale,10.00']);
  await closeSeptember(shop);
  await file(shop, 'end.csv', { from: '2026-09-21', to: '2026-09-30' }, []);
  await file(shop, 'october.csv', OCTOBER, ['2026-10-03,TWO,Sale,10.00']);
  const { breaks, carried, unexplained, difference } = await october(shop);
  expect([breaks, unexplained, difference]).toEqual([['missing_external LATER -10.00'], '0.00', '-10.00']);
  expect(carried).toEqual([]);
});

test('a suggestion that a version before froze with an effect is taken apart: its row and its line are breaks of the open month', async () => {
  const shop = await closedSeptember();
  const ofStrange = `(SELECT lines FROM period_groups WHERE verdicts LIKE '%"STRANGE"%')`;
  const suggested = `json_set(verdicts, '$[0].code', 'suggested', '$[0].effect', '-250.00')`;
  change(
    shop,
    `UPDATE period_groups SET lines = ${ofStrange}, verdicts = ${suggested}, effect_minor = -25000,
      proof_rows = replace(proof_rows, '-30000', '-25000') WHERE verdicts LIKE '%"MISSING"%'`,
    `DELETE FROM period_groups WHERE verdicts LIKE '%"STRANGE"%'`,
  );
  expect(await october(shop)).toEqual({
    ...AS_CLOSED,
    breaks: ['missing_external MISSING -300.00', 'missing_internal STRANGE 50.00'],
    carried: ['amount_mismatch SHORT -1.00'],
  });
});
