import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { OCTOBER } from '../support/month/days.ts';
import { at, sale, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/* Settlement lines that name no batch: what left the wallet on their day is suggested, and a person confirms it. */

const TYPES = { Sale: 'collection', 'Paid out': 'settlement', Interest: 'adjustment' } as const;
const COLUMNS = ['reference', 'group', 'type'] as const;

test('lines without a batch are one by account and day: equal sums of two days are told apart by the day', async () => {
  const sale = (reference: string, day: number) => {
    const money = { amount: '100.00', requested_amount: '100.00', fees: '0.00' };
    return told('collection', reference, { ...money, created_at: at(day), paid_at: at(day), updated_at: at(day) });
  };
  const shop = await Shop.of([sale('C1', 5), sale('C2', 5), sale('C3', 6), sale('C4', 6)]);
  const files = {
    settlement: [
      '2026-10-06,C1,,Sale,100.00',
      '2026-10-06,C2,,Sale,100.00',
      '2026-10-07,C3,,Sale,100.00',
      '2026-10-07,C4,,Sale,100.00',
    ],
    wallet: [
      '2026-10-05,C1,,Sale,100.00',
      '2026-10-05,C2,,Sale,100.00',
      '2026-10-06,C3,,Sale,100.00',
      '2026-10-06,C4,,Sale,100.00',
      '2026-10-06,,,Paid out,-200.00',
      '2026-10-07,,,Paid out,-200.00',
    ],
  };
  for (const [kind, lines] of Object.entries(files)) {
    const head = 'From,2026-10-01,To,2026-10-31,\nDate,Reference,Group,Type,Amount\n';
    shop.file(`${kind}.yaml`, datedProfile(kind, TYPES, { columns: COLUMNS }));
    await shop.take(kind, `${kind}.csv`, `${head}${lines.join('\n')}\n`);
  }
  const report = await shop.reconcile(OCTOBER);
  expect(report.breaks).toEqual([]);
  expect(
    report.suggested.map(({ reference, leg, line, effect }: Record<string, unknown>) => [reference, leg, line, effect]),
  ).toEqual([
    ['settlement 2026-10-06', 'batch-wallet', { statement: 2, row: 7 }, '0.00'],
    ['settlement 2026-10-07', 'batch-wallet', { statement: 2, row: 8 }, '0.00'],
  ]);
  const words = 'the batch of that day has this sum, and nothing else says that they belong together';
  expect(report.suggested.map(({ reason }: { reason: string }) => reason)).toEqual([words, words]);
  expect(report.proof.map(({ unexplained }: { unexplained: string }) => unexplained)).toEqual(['0.00']);
  expect(report.inTransit).toMatchObject([{ collections: 4, amount: '400.00' }]);

  const list = await shop.matches({ states: ['suggested'] });
  expect(list.map(({ pass, reference }: Record<string, unknown>) => [pass, reference])).toEqual([
    ['settlement_day', 'settlement 2026-10-07'],
    ['settlement_day', 'settlement 2026-10-06'],
  ]);
  for (const { id } of list) await shop.decide(id);
  const after = await shop.reconcile(OCTOBER);
  expect([after.breaks, after.suggested, after.matched['batch-wallet']]).toEqual([[], [], 2]);
  expect(after.proof[0]).toMatchObject({ unexplained: '0.00' });
  const settlements = after.proof[0].rows.find(({ name }: { name: string }) => name === 'settlements');
  expect(settlements).toMatchObject({ ours: '-400.00', theirs: '-400.00' });
  expect(after.inTransit).toEqual([]);
});

const HEAD = 'From,2026-10-01,To,2026-10-31,\nDate,Reference,Group,Type,Amount\n';

/** October with three sales, settled on two days without the name of a batch, and the files of their accounts. */
async function octoberOf(
  files: Readonly<Record<string, readonly string[]>>,
  kinds: Readonly<Record<string, string>> = {},
) {
  const sale = (reference: string, day: number) => {
    const money = { amount: '100.00', requested_amount: '100.00', fees: '0.00' };
    return told('collection', reference, { ...money, created_at: at(day), paid_at: at(day), updated_at: at(day) });
  };
  const shop = await Shop.of([sale('C1', 5), sale('C2', 5), sale('C3', 6)]);
  for (const [kind, lines] of Object.entries(files)) {
    const settings = { name: kind, account: kind, columns: COLUMNS };
    shop.file(`${kind}.yaml`, datedProfile(kinds[kind] ?? kind, TYPES, settings));
    await shop.take(kind, `${kind}.csv`, `${HEAD}${lines.join('\n')}\n`);
  }
  const reconcile = async () => {
    const { breaks, suggested, proof } = await shop.reconcile(OCTOBER);
    const named = (items: Record<string, unknown>[]) =>
      items.map(({ code, leg, reference, effect }) => [code, leg, reference, effect]);
    const unexplained = proof.map((one: { unexplained: string }) => one.unexplained);
    const closing = proof.map(({ account, rows }: { account: string; rows: { ours: string; theirs: string }[] }) => {
      return [account, rows.at(-1)?.ours, rows.at(-1)?.theirs];
    });
    return { breaks: named(breaks), suggested: named(suggested), unexplained, closing };
  };
  return { shop, reconcile };
}

const SETTLED = ['2026-10-06,C1,,Sale,100.00', '2026-10-06,C2,,Sale,100.00', '2026-10-07,C3,,Sale,100.00'];
const WALLET = ['2026-10-05,C1,,Sale,100.00', '2026-10-05,C2,,Sale,100.00', '2026-10-06,C3,,Sale,100.00'];

test('of an account that names no batch at all, a day whose money never came to the bank is a break', async () => {
  const { shop, reconcile } = await octoberOf({
    settlement: SETTLED,
    wallet: [...WALLET, '2026-10-06,,,Paid out,-200.00'],
    bank: ['2026-10-07,,,Paid out,100.00'],
  });
  const missing = ['missing_external', 'batch-bank', 'settlement 2026-10-06', '-200.00'];
  const before = await reconcile();
  expect(before.breaks).toEqual([missing]);
  expect(before.suggested).toEqual([
    ['suggested', 'batch-wallet', 'settlement 2026-10-06', '0.00'],
    ['suggested', 'batch-bank', 'settlement 2026-10-07', '0.00'],
  ]);
  for (const { id } of await shop.matches({ states: ['suggested'] })) await shop.decide(id);
  // The wallet shows no payment of the second day: only the end of its way is asked for.
  const closing = [
    ['bank', '300.00', '100.00'],
    ['wallet', '100.00', '100.00'],
  ];
  expect(before.closing).toEqual(closing);
  expect(await reconcile()).toEqual({ breaks: [missing], suggested: [], unexplained: ['0.00', '0.00'], closing });
});

test('without statements of the bank, the wallet is where it ends', async () => {
  const { reconcile } = await octoberOf({ settlement: SETTLED, wallet: [...WALLET, '2026-10-06,,,Paid out,-200.00'] });
  expect(await reconcile()).toMatchObject({
    breaks: [['missing_external', 'batch-wallet', 'settlement 2026-10-07', '100.00']],
    suggested: [['suggested', 'batch-wallet', 'settlement 2026-10-06', '0.00']],
    unexplained: ['0.00'],
  });
});

test('lines without a batch beside lines that name one are a guess until a person confirms them', async () => {
  const [first = '', ...rest] = SETTLED;
  const { reconcile } = await octoberOf({
    settlement: [first.replace('C1,,', 'C1,B1,'), ...rest],
    wallet: WALLET,
    bank: ['2026-10-06,B1,,Paid out,100.00'].map((line) => line.replace(',B1,,', ',B1,B1,')),
  });
  expect((await reconcile()).breaks.filter(([, , reference]) => `${reference}`.startsWith('settlement '))).toEqual([]);
});

test('of several lines or days that agree, each candidate counts by us, and the first line is explained with them', async () => {
  const paid = '2026-10-06,,,Paid out,-200.00';
  const [c1 = '', c2 = '', c3 = ''] = SETTLED;
  const others = [c3.replace('10-07', '10-06'), '2026-10-06,C4,,Sale,100.00'];
  // C4 is no record of ours.
  const two = await octoberOf(
    { settlement: [c1, c2], others, wallet: [...WALLET, paid, paid], bank: ['2026-10-07,,,Paid out,200.00'] },
    { others: 'settlement' },
  );
  const report = await two.reconcile();
  expect(report.breaks.filter(([code]) => code === 'ambiguous')).toEqual([
    ['ambiguous', 'batch-wallet', null, '200.00'],
    ['ambiguous', 'batch-wallet', null, '-200.00'],
    ['ambiguous', 'batch-bank', null, '-200.00'],
  ]);
  expect(report.closing).toEqual([
    ['bank', '400.00', '200.00'],
    ['wallet', '-100.00', '-100.00'],
  ]);
  expect(report.unexplained).toEqual(['0.00', '0.00']);

  const one = await octoberOf({ settlement: [c1, c2], wallet: [...WALLET, paid, paid] });
  expect(await one.reconcile()).toMatchObject({
    breaks: [
      ['ambiguous', 'batch-wallet', null, '0.00'],
      ['ambiguous', 'batch-wallet', null, '-200.00'],
      ['missing_external', 'records-settlement', 'C3', '-100.00'],
    ],
    closing: [['wallet', '100.00', '-100.00']],
    unexplained: ['0.00'],
  });
});

/** A file of an account, of a month and with its opening balance. */
interface MonthFile {
  readonly account: string;
  readonly month: '10' | '11';
  readonly lines: readonly string[];
  readonly opening?: string;
}

/** October, closed, then November, with sales that are settled without the name of a batch on the last business day of October. */
async function closedOctober(before: readonly MonthFile[], after: readonly MonthFile[]) {
  const sale = (reference: string, day: number) => {
    const money = { amount: '100.00', requested_amount: '100.00', fees: '0.00' };
    return told('collection', reference, { ...money, created_at: at(day), paid_at: at(day), updated_at: at(day) });
  };
  const isFirstSold = before.some(({ lines }) => lines.some((line) => line.includes('C1')));
  const shop = await Shop.of([...(isFirstSold ? [sale('C1', 6)] : []), sale('C2', 29), sale('C3', 29)]);
  const bring = async ({ account, month, lines, opening }: MonthFile) => {
    const head = `From,2026-${month}-01,To,2026-${month}-${month === '10' ? 31 : 30},Opening,${opening ?? ''}`;
    const rows = lines.map((line) => `2026-${month}-${line},`).join('\n');
    const balance = opening === undefined ? undefined : { opening: { row: 1, column: 6 } };
    shop.file(`${account}.yaml`, datedProfile(account, TYPES, { columns: COLUMNS, balance }));
    await shop.take(account, `${account}-${month}.csv`, `${head}\nDate,Reference,Group,Type,Amount,\n${rows}\n`);
  };
  const reconcile = async (from: string, to: string) => {
    const { breaks, timing, carried, suggested, proof } = await shop.reconcile({ from, to });
    const [{ rows, unexplained }] = proof;
    const row = rows.find(({ name }: { name: string }) => name === 'settlements');
    const items = [...breaks, ...timing, ...carried, ...suggested].map(({ code, reference }) => `${code} ${reference}`);
    return { items: items.sort(), settlements: [row.ours, row.theirs], closing: rows.at(-1).difference, unexplained };
  };
  for (const file of before) await bring(file);
  const october = await reconcile('2026-10-01', '2026-10-31');
  await shop.close('2026-10');
  for (const file of after) await bring(file);
  return { october, november: await reconcile('2026-11-01', '2026-11-30') };
}

const LAST_DAY = { account: 'settlement', month: '10', lines: ['30,C2,,Sale,100.00', '30,C3,,Sale,100.00'] } as const;
const INTEREST = { account: 'bank', month: '10', lines: ['09,,,Interest,1.00'], opening: '0.00' } as const;
const PAID = { account: 'bank', month: '11', lines: ['02,,,Paid out,200.00'] } as const;
const SUGGESTED = 'suggested settlement 2026-10-30';

test('a batch of a day that a closed period did not count is counted with its line in the next period', async () => {
  const { october, november } = await closedOctober([LAST_DAY, INTEREST], [{ ...PAID, opening: '1.00' }]);
  expect(october).toEqual({ items: [], settlements: ['0.00', '0.00'], closing: '0.00', unexplained: '0.00' });
  const settlements = ['200.00', '200.00'];
  expect(november).toEqual({ items: [SUGGESTED], settlements, closing: '0.00', unexplained: '0.00' });
});

test('a batch of a day that a closed period awaited is not counted again with its line', async () => {
  const first = { ...LAST_DAY, lines: ['07,C1,,Sale,100.00', ...LAST_DAY.lines] };
  const bank = { ...INTEREST, lines: ['07,,,Paid out,100.00'] };
  const { october, november } = await closedOctober([first, bank], [{ ...PAID, opening: '100.00' }]);
  expect(october).toEqual({
    items: ['suggested settlement 2026-10-07', 'timing settlement 2026-10-30'],
    ...{ settlements: ['300.00', '100.00'], closing: '-200.00', unexplained: '0.00' },
  });
  expect(november).toMatchObject({ settlements: ['0.00', '200.00'], closing: '0.00', unexplained: '0.00' });
  expect(november.items).toContain(SUGGESTED);
});

test('batches that begin to be named after a close: what the closed period awaited ends in the next one', async () => {
  const first = { ...LAST_DAY, lines: ['07,C1,,Sale,100.00', ...LAST_DAY.lines] };
  const bank = { ...INTEREST, lines: ['07,,,Paid out,100.00'] };
  const named = { account: 'settlement', month: '11', lines: ['11,C9,B1,Sale,50.00'] } as const;
  const paid = { account: 'bank', month: '11', lines: ['12,B1,B1,Paid out,50.00'], opening: '100.00' } as const;
  const { november } = await closedOctober([first, bank], [named, paid]);
  expect(november).toMatchObject({ settlements: ['-150.00', '50.00'], closing: '0.00', unexplained: '0.00' });
});

/*
 * A batch comes to the bank in several lines that name it. Where they add up to it exactly they are its parts; a line that alone is
 * the batch has copies; and the rest of a batch of which November has the second part is not due in October.
 */
test('lines of one batch that add up to it exactly are parts of it, equal or not', async () => {
  const sums = { 'S-1': '980.00', 'S-2': '1000.00', 'S-3': '980.00', 'S-4': '980.00', 'S-5': '980.00' };
  const shop = await Shop.of(Object.entries(sums).map(([batch, amount]) => sale(`OF-${batch}`, amount)));
  for (const kind of ['settlement', 'bank'])
    shop.file(`${kind}.yaml`, datedProfile(kind, TYPES, { columns: COLUMNS, balance: { running: 'Balance' } }));
  const textOf = (from: string, to: string, lines: readonly string[]) =>
    [`From,${from},To,${to},,`, 'Date,Reference,Group,Type,Amount,Balance', ...lines, ''].join('\n');
  const settled = Object.entries(sums).map(([batch, amount]) => `2026-10-29,OF-${batch},${batch},Sale,${amount},`);
  await shop.take('settlement', 'settlement.csv', textOf('2026-10-01', '2026-11-30', settled));
  // 5,400.00 in October: S-1 whole, S-2 whole, S-3 and its copy, S-4 with the copy of a part; of S-5 the first part.
  const october = [
    '2026-10-29,,S-1,Paid out,600.00,600.00',
    '2026-10-30,,S-1,Paid out,380.00,980.00',
    '2026-10-30,,S-2,Paid out,500.00,1480.00',
    '2026-10-30,,S-2,Paid out,500.00,1980.00',
    '2026-10-30,,S-3,Paid out,980.00,2960.00',
    '2026-10-30,,S-3,Paid out,980.00,3940.00',
    '2026-10-30,,S-4,Paid out,600.00,4540.00',
    '2026-10-30,,S-4,Paid out,380.00,4920.00',
    '2026-10-30,,S-4,Paid out,380.00,5300.00',
    '2026-10-30,,S-5,Paid out,100.00,5400.00',
  ];
  const november = ['2026-11-02,,S-5,Paid out,880.00,6280.00'];
  await shop.take('bank', 'october.csv', textOf('2026-10-01', '2026-10-31', october));
  await shop.take('bank', 'november.csv', textOf('2026-11-01', '2026-11-30', november));
  const shown = (items: Record<string, unknown>[]) =>
    items.map(({ code, leg, reference, effect }) => [code, leg, reference, effect]);

  const ofOctober = await shop.reconcile({ from: '2026-10-01', to: '2026-10-31' });
  expect(shown(ofOctober.breaks)).toEqual([
    ['duplicate_external', 'batch-bank', 'S-3', '980.00'],
    ['duplicate_external', 'batch-bank', 'S-4', '380.00'],
  ]);
  expect(shown(ofOctober.timing)).toEqual([['timing', 'batch-bank', 'S-5', '-880.00']]);
  expect(ofOctober.timing[0].reason).toContain('the rest of it came on 2026-11-02, after this period');
  const bankOf = ({ proof }: { proof: { account: string }[] }) => proof.find(({ account }) => account === 'bank');
  expect(bankOf(ofOctober)).toMatchObject({ unexplained: '0.00' });
  // By us all five batches: 980 + 1,000 + 980 + 980 + 980.
  const closing = { name: 'closing', ours: '4920.00', theirs: '5400.00' };
  expect(bankOf(ofOctober)).toMatchObject({ rows: expect.arrayContaining([expect.objectContaining(closing)]) });

  const ofNovember = await shop.reconcile({ from: '2026-11-01', to: '2026-11-30' });
  expect([shown(ofNovember.breaks), shown(ofNovember.timing)]).toEqual([[], []]);
  expect(bankOf(ofNovember)).toMatchObject({ unexplained: '0.00' });
});

/* T-1 of 1,000.00 left the bank in two parts; T-2 came to the wallet in two; of T-3 the wallet has 400.00 more than the bank. */
test('a top-up in two lines of the bank or of the wallet is one', async () => {
  const shop = await Shop.of([]);
  const types = { 'Top up': 'top_up' } as const;
  for (const kind of ['wallet', 'bank']) shop.file(`${kind}.yaml`, datedProfile(kind, types));
  const textOf = (lines: readonly string[]) =>
    ['From,2026-10-01,To,2026-10-31', 'Date,Reference,Type,Amount', ...lines, ''].join('\n');
  const wallet = [
    'T-1,Top up,1000.00',
    'T-2,Top up,600.00',
    'T-2,Top up,400.00',
    'T-3,Top up,600.00',
    'T-3,Top up,400.00',
  ];
  const bank = ['T-1,Top up,-600.00', 'T-1,Top up,-400.00', 'T-2,Top up,-1000.00', 'T-3,Top up,-600.00'];
  await shop.take('wallet', 'wallet.csv', textOf(wallet.map((line) => `2026-10-05,${line}`)));
  await shop.take('bank', 'bank.csv', textOf(bank.map((line) => `2026-10-05,${line}`)));
  const { breaks, proof } = await shop.reconcile({ from: '2026-10-01', to: '2026-10-31' });
  expect(breaks).toMatchObject([{ code: 'duplicate_internal', reference: 'T-3', leg: 'topup-bank', effect: '400.00' }]);
  const closing = { name: 'closing', ours: '-3000.00', theirs: '-2600.00', difference: '400.00' };
  const ofBank = proof.find(({ account }: { account: string }) => account === 'bank');
  expect([ofBank.rows.at(-1), ofBank.unexplained]).toEqual([closing, '0.00']);
});

/*
 * Parts of one name in both accounts: S-1 and S-2 (twice the same) in October, S-3 in September and October, of S-4 the first part
 * reached the bank in October, S-5 was divided in another way.
 */
test('parts of a top-up that the wallet and the bank both have match each other, also over two months', async () => {
  const shop = await Shop.of([]);
  const types = { 'Top up': 'top_up' } as const;
  for (const kind of ['wallet', 'bank']) shop.file(`${kind}.yaml`, datedProfile(kind, types));
  const textOf = (lines: readonly string[]) =>
    ['From,2026-09-01,To,2026-10-31', 'Date,Reference,Type,Amount', ...lines, ''].join('\n');
  const both = (sign: '' | '-') => [
    `2026-10-05,S-1,Top up,${sign}300.00`,
    `2026-10-06,S-1,Top up,${sign}200.00`,
    `2026-10-05,S-2,Top up,${sign}250.00`,
    `2026-10-06,S-2,Top up,${sign}250.00`,
    `2026-09-10,S-3,Top up,${sign}300.00`,
    `2026-10-06,S-3,Top up,${sign}200.00`,
  ];
  const wallet = ['2026-09-30,S-4,Top up,40.00', '2026-10-06,S-4,Top up,60.00', '2026-10-08,S-5,Top up,70.00'];
  const bank = ['2026-10-01,S-4,Top up,-40.00', '2026-10-06,S-4,Top up,-60.00', '2026-10-08,S-5,Top up,-80.00'];
  await shop.take('wallet', 'wallet.csv', textOf([...both(''), ...wallet, '2026-10-09,S-5,Top up,30.00']));
  await shop.take('bank', 'bank.csv', textOf([...both('-'), ...bank, '2026-10-09,S-5,Top up,-20.00']));
  const months = async () => {
    const shown = [];
    for (const days of [
      { from: '2026-09-01', to: '2026-09-30' },
      { from: '2026-10-01', to: '2026-10-31' },
    ]) {
      const { breaks, timing, proof } = await shop.reconcile(days);
      const ofBank = proof.find(({ account }: { account: string }) => account === 'bank');
      const { ours, theirs } = ofBank.rows.at(-1);
      const late = timing.map(({ reference, effect }: Record<string, string>) => `${reference} ${effect}`);
      shown.push({ breaks, late, closing: [ours, theirs], unexplained: ofBank.unexplained });
    }
    return shown;
  };
  const none = { breaks: [], unexplained: '0.00' };
  const september = { ...none, late: ['S-4 40.00'] };
  // Without an opening a month begins at 0.00: 300 + 40 by us in September, 500 + 500 + 200 + 100 + 100 in October.
  expect(await months()).toEqual([
    { ...september, closing: ['-340.00', '-300.00'] },
    { ...none, late: [], closing: ['-1400.00', '-1400.00'] },
  ]);
  const begun =
    'reconcile: { begin: { date: 2026-09-01, balances: { bank: { NGN: "5000.00" }, wallet: { NGN: "0.00" } } } }\n';
  shop.file('tallyhook.yaml', begun);
  const booked = [
    { ...september, closing: ['4660.00', '4700.00'] },
    { ...none, late: [], closing: ['3300.00', '3300.00'] },
  ];
  expect(await months()).toEqual(booked);
  await shop.close('2026-09');
  expect((await months())[1]).toEqual(booked[1]);
});
