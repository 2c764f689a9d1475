import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { at, told } from '../support/month/told.ts';
import type { Told } from '../support/shop/records.ts';
import { Shop } from '../support/shop/shop.ts';

/* The files state no days: a batch of Friday is before the first line of the bank, which is of Monday, and pays it. */

const UNDATED = { file: undefined, covers: undefined } as const;

function sale(reference: string, day: number) {
  const times = { created_at: at(day), paid_at: at(day), updated_at: at(day) };
  return told('collection', reference, { amount: '100.00', requested_amount: '100.00', fees: '0.00', ...times });
}

/** A batch for each day, and the lines of the bank: each `DATE,AMOUNT`. */
async function shopOf(batches: readonly string[], bank: readonly string[]): Promise<Shop> {
  const shop = await Shop.of(batches.map((day) => sale(`S${day}`, Number(day.slice(-2)))));
  const settled = { account: 'a-settlement', columns: ['reference', 'group', 'type'], ...UNDATED } as const;
  shop.file('settlement.yaml', datedProfile('settlement', { Sale: 'collection' }, settled));
  const received = { account: 'a-bank', columns: ['type'], ...UNDATED } as const;
  shop.file('bank.yaml', datedProfile('bank', { Incoming: 'settlement' }, received));
  const rows = batches.map((day) => `${day},S${day},B${day},Sale,100.00`);
  await shop.take('settlement', 'settlement.csv', `Date,Reference,Group,Type,Amount\n${rows.join('\n')}\n`);
  await shop.take('bank', 'bank.csv', `Date,Amount,Type\n${bank.map((line) => `${line},Incoming`).join('\n')}\n`);
  return shop;
}

async function runOf(shop: Shop, from: string) {
  const { suggested, breaks, proof, noStatement } = await shop.reconcile({ from, to: '2026-10-31' });
  const ofBank = breaks.filter(({ leg }: { leg: string }) => leg === 'batch-bank');
  const named = (items: readonly Record<string, unknown>[]) =>
    items.map(({ code, reference, line, effect }) => ({ code, reference, line, effect }));
  const { unexplained, rows } = proof.find(({ account }: { account: string }) => account === 'a-bank');
  const closing = rows.find(({ name }: { name: string }) => name === 'closing');
  return {
    suggested: named(suggested),
    breaks: named(ofBank),
    unexplained,
    closing,
    without: noStatement['batch-bank'],
  };
}

const MONDAY = { statement: 2, row: 2 };

test('a batch of a day that the bank does not show is suggested for a line until it is due', async () => {
  const shop = await shopOf(['2026-10-02', '2026-10-06'], ['2026-10-05,100.00', '2026-10-06,100.00']);
  const { suggested, breaks, unexplained, closing, without } = await runOf(shop, '2026-10-01');
  expect([breaks, unexplained, without]).toEqual([[], '0.00', undefined]);
  expect(suggested).toMatchObject([
    { reference: 'B2026-10-02', line: MONDAY, effect: '0.00' },
    { reference: 'B2026-10-06', line: { statement: 2, row: 3 }, effect: '0.00' },
  ]);
  expect(closing).toMatchObject({ ours: '200.00', theirs: '200.00' });
  const { stdout } = await shop.run('why', 'B2026-10-02');
  expect(stdout).toContain('amount_and_date  suggests row 2 of statement 2: a person decides');
});

test('one that is due before the first line, or has no line, is still of a day without a statement', async () => {
  const shop = await shopOf(['2026-10-01', '2026-10-02'], ['2026-10-05,70.00', '2026-10-06,100.00']);
  const { suggested, breaks, without } = await runOf(shop, '2026-10-01');
  expect([suggested, without]).toEqual([[], 2]);
  expect(breaks).toMatchObject([
    { code: 'missing_internal', line: MONDAY },
    { code: 'missing_internal', line: { statement: 2, row: 3 } },
  ]);
});

test('a batch of before the period is suggested for its line in it', async () => {
  const shop = await shopOf(['2026-10-02', '2026-10-06'], ['2026-10-05,100.00', '2026-10-07,100.00']);
  const { suggested, breaks, unexplained } = await runOf(shop, '2026-10-05');
  expect(suggested.map(({ reference }) => reference)).toEqual(['B2026-10-02', 'B2026-10-06']);
  expect([breaks, unexplained]).toEqual([[], '0.00']);
});

/** A shop with a settlement file of eight days, which takes files of its bank that state their days and opening balances. */
async function settledShop(records: readonly Told[], settled: string) {
  const shop = await Shop.of(records);
  const opening = { file: { skipRows: 2 }, balance: { opening: { row: 2, column: 2 } } };
  shop.file('bank.yaml', datedProfile('bank', { In: 'settlement', Fee: 'fee' }, opening));
  const columns = ['reference', 'group', 'type'] as const;
  shop.file('settlement.yaml', datedProfile('settlement', { Sale: 'collection' }, { columns }));
  const days = 'From,2026-10-01,To,2026-10-08,';
  await shop.take('settlement', 's.csv', `${days}\nDate,Reference,Group,Type,Amount\n${settled}`);
  return {
    shop,
    bank(from: string, to: string, balance: string, line: string) {
      const head = `From,${from},To,${to}\nOpening,${balance},,\nDate,Reference,Type,Amount`;
      return shop.take('bank', `${from}.csv`, `${head}\n${line}\n`);
    },
    async acceptAll() {
      const all: readonly { readonly id: string }[] = await shop.listed();
      const ids = all.map(({ id }) => id);
      await shop.resolve(ids, { reasonCode: 'small_difference' });
    },
  };
}

const FIRST = { from: '2026-10-01', to: '2026-10-04' };
const NEXT = { from: '2026-10-05', to: '2026-10-08' };

test.each([
  ['names it', 'B3'],
  ['names nothing', ''],
])(
  'closed figures lack a batch of a day without a statement: a line of the next period that %s counts it there',
  async (_, name) => {
    const settled = '2026-10-01,S1,B1,Sale,100.00\n2026-10-03,S3,B3,Sale,100.00\n';
    const { shop, bank, acceptAll } = await settledShop([sale('S1', 1), sale('S3', 3)], settled);
    await bank('2026-10-01', '2026-10-02', '0.00', '2026-10-02,B1,In,100.00');
    expect((await shop.reconcile(FIRST)).noStatement).toEqual({ 'batch-bank': 1 });
    await acceptAll();
    await shop.close(`${FIRST.from}..${FIRST.to}`);
    await bank('2026-10-05', '2026-10-08', '100.00', `2026-10-05,${name},In,100.00`);
    const { breaks, carried, suggested, proof } = await shop.reconcile(NEXT);
    // The closed days have their gap already.
    const gaps = carried.filter(({ code }: { code: string }) => code === 'statement_gap');
    expect([breaks, gaps.map(({ reason }: { reason: string }) => reason)]).toEqual([
      [],
      ['no statement covers 2026-10-03 to 2026-10-04'],
    ]);
    expect(suggested.map(({ reference }: { reference: string }) => reference)).toEqual(name === '' ? ['B3'] : []);
    expect(proof).toMatchObject([{ account: 'bank', unexplained: '0.00' }]);
    expect(proof[0].rows.at(-1)).toMatchObject({ name: 'closing', ours: '200.00', theirs: '200.00' });
  },
);

test('closed figures have a batch of before the first line that is suggested for it: the next period does not count it again', async () => {
  const settled = '2026-10-02,S1,B1,Sale,100.00\n';
  const { shop, bank, acceptAll } = await settledShop([sale('S1', 1)], settled);
  await bank('2026-10-05', '2026-10-06', '0.00', '2026-10-05,,In,100.00');
  const first = await shop.reconcile({ from: '2026-10-01', to: '2026-10-06' });
  expect(first.suggested.map(({ reference }: { reference: string }) => reference)).toEqual(['B1']);
  await acceptAll();
  await shop.close('2026-10-01..2026-10-06');
  await bank('2026-10-07', '2026-10-08', '100.00', '2026-10-07,,Fee,-1.00');
  const { proof } = await shop.reconcile({ from: '2026-10-07', to: '2026-10-08' });
  expect(proof).toMatchObject([{ account: 'bank', unexplained: '0.00' }]);
  expect(proof[0].rows.at(-1)).toMatchObject({ name: 'closing', ours: '99.00', theirs: '99.00' });
});

test('a record of before the first line keeps its suggestion when its month is closed', async () => {
  const shop = await Shop.of([sale('S6', 6)]);
  shop.file('wallet.yaml', datedProfile('wallet', { Sale: 'collection' }, { account: 'a-wallet', ...UNDATED }));
  const take = (name: string, line: string) => shop.take('wallet', name, `Date,Reference,Amount,Type\n${line},Sale\n`);
  await take('october.csv', '2026-10-07,,100.00');
  const suggestedIn = async (from: string, to: string) => {
    const { suggested, carried, proof } = await shop.reconcile({ from, to });
    expect(proof[0].unexplained).toBe('0.00');
    const names = (items: readonly Record<string, string>[]) =>
      items.map(({ code, reference }) => `${code} ${reference}`);
    return { suggested: names(suggested), carried: names(carried) };
  };
  expect(await suggestedIn('2026-10-01', '2026-10-31')).toEqual({ suggested: ['suggested S6'], carried: [] });
  await shop.close('2026-10');
  await take('november.csv', '2026-11-02,X,1.00');
  expect(await suggestedIn('2026-11-01', '2026-11-05')).toEqual({ suggested: [], carried: ['suggested S6'] });
});
