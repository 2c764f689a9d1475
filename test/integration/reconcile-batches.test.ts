import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { command } from '../support/command.ts';
import { commandEnv, fill } from '../support/month/fill.ts';
import { at, told } from '../support/wallet-month.ts';

vi.setConfig({ testTimeout: 240_000 });

/* Settlement lines that name no batch: what left the wallet on their day is suggested, and a person confirms it. */

const profile = (kind: string, types: string) => `version: 1
name: ${kind}
kind: ${kind}
account: ${kind}
environment: test
currency: NGN
file: { skipRows: 1 }
columns: { date: Date, reference: Reference, group: Group, type: Type }
dateFormat: yyyy-MM-dd
amount: { signed: Amount }
types: ${types}
covers: { from: { row: 1, column: 2 }, to: { row: 1, column: 4 } }
`;

test('lines without a batch are one by account and day: equal sums of two days are told apart by the day', async () => {
  const sale = (reference: string, day: number) => {
    const money = { amount: '100.00', requested_amount: '100.00', fees: '0.00' };
    return told('collection', reference, { ...money, created_at: at(day), paid_at: at(day), updated_at: at(day) });
  };
  const { folder: cwd, database } = await fill([sale('C1', 5), sale('C2', 5), sale('C3', 6), sale('C4', 6)]);
  const run = (...args: readonly string[]) => command(args, { cwd, env: commandEnv(database) });
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
    writeFileSync(join(cwd, `${kind}.csv`), `${head}${lines.join('\n')}\n`);
    writeFileSync(join(cwd, `${kind}.yaml`), profile(kind, '{ Sale: collection, "Paid out": settlement }'));
    expect(await run('statements', 'import', `${kind}.csv`, '--profile', `${kind}.yaml`)).toMatchObject({ code: 0 });
  }
  const reconcile = async () => {
    const { stdout } = await run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31', '--json');
    return JSON.parse(stdout);
  };
  const report = await reconcile();
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

  const list = JSON.parse((await run('matches', 'list', '--state', 'suggested', '--json')).stdout);
  expect(list.items.map(({ pass, reference }: Record<string, unknown>) => [pass, reference])).toEqual([
    ['settlement_day', 'settlement 2026-10-07'],
    ['settlement_day', 'settlement 2026-10-06'],
  ]);
  for (const { id } of list.items) expect(await run('matches', 'confirm', String(id))).toMatchObject({ code: 0 });
  const after = await reconcile();
  expect([after.breaks, after.suggested, after.matched['batch-wallet']]).toEqual([[], [], 2]);
  expect(after.proof[0]).toMatchObject({ unexplained: '0.00' });
  const settlements = after.proof[0].rows.find(({ name }: { name: string }) => name === 'settlements');
  expect(settlements).toMatchObject({ ours: '-400.00', theirs: '-400.00' });
  expect(after.inTransit).toEqual([]);
});

const HEAD = 'From,2026-10-01,To,2026-10-31,\nDate,Reference,Group,Type,Amount\n';

/** October with three sales, settled on two days without the name of a batch, and the files of their accounts. */
async function octoberOf(files: Readonly<Record<string, readonly string[]>>) {
  const sale = (reference: string, day: number) => {
    const money = { amount: '100.00', requested_amount: '100.00', fees: '0.00' };
    return told('collection', reference, { ...money, created_at: at(day), paid_at: at(day), updated_at: at(day) });
  };
  const { folder: cwd, database } = await fill([sale('C1', 5), sale('C2', 5), sale('C3', 6)]);
  const run = (...args: readonly string[]) => command(args, { cwd, env: commandEnv(database) });
  for (const [kind, lines] of Object.entries(files)) {
    writeFileSync(join(cwd, `${kind}.csv`), `${HEAD}${lines.join('\n')}\n`);
    writeFileSync(join(cwd, `${kind}.yaml`), profile(kind, '{ Sale: collection, "Paid out": settlement }'));
    expect(await run('statements', 'import', `${kind}.csv`, '--profile', `${kind}.yaml`)).toMatchObject({ code: 0 });
  }
  const reconcile = async () => {
    const { stdout } = await run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31', '--json');
    const { breaks, suggested, proof } = JSON.parse(stdout);
    const named = (items: Record<string, unknown>[]) =>
      items.map(({ code, leg, reference, effect }) => [code, leg, reference, effect]);
    const unexplained = proof.map((one: { unexplained: string }) => one.unexplained);
    const closing = proof.map(({ account, rows }: { account: string; rows: { ours: string; theirs: string }[] }) => {
      return [account, rows.at(-1)?.ours, rows.at(-1)?.theirs];
    });
    return { breaks: named(breaks), suggested: named(suggested), unexplained, closing };
  };
  return { run, reconcile };
}

const SETTLED = ['2026-10-06,C1,,Sale,100.00', '2026-10-06,C2,,Sale,100.00', '2026-10-07,C3,,Sale,100.00'];
const WALLET = ['2026-10-05,C1,,Sale,100.00', '2026-10-05,C2,,Sale,100.00', '2026-10-06,C3,,Sale,100.00'];

test('of an account that names no batch at all, a day whose money never came to the bank is a break', async () => {
  const { run, reconcile } = await octoberOf({
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
  const { items } = JSON.parse((await run('matches', 'list', '--state', 'suggested', '--json')).stdout);
  for (const { id } of items) expect(await run('matches', 'confirm', String(id))).toMatchObject({ code: 0 });
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

test('lines without a batch beside lines that name one are a guess, as long as nobody confirms them', async () => {
  const [first = '', ...rest] = SETTLED;
  const { reconcile } = await octoberOf({
    settlement: [first.replace('C1,,', 'C1,B1,'), ...rest],
    wallet: WALLET,
    bank: ['2026-10-06,B1,,Paid out,100.00'].map((line) => line.replace(',B1,,', ',B1,B1,')),
  });
  expect((await reconcile()).breaks.filter(([, , reference]) => `${reference}`.startsWith('settlement '))).toEqual([]);
});
