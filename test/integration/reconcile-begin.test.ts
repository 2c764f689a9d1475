import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { command } from '../support/command.ts';
import { commandEnv, fill } from '../support/month/fill.ts';
import { told } from '../support/wallet-month.ts';

vi.setConfig({ testTimeout: 120_000 });

/*
 * Books that begin on 1 October, while items of September are open: C-1 and C-0 of ours, 150.00 in all, whose lines come in October
 * and November, and a line of 10.00 that no record has. The wallet has 1,000.00 then, so the books have 1,140.00.
 */

const PROFILE = `version: 1
name: wallet
kind: wallet
account: wallet
environment: test
currency: NGN
file: { skipRows: 1 }
columns: { date: Date, reference: Reference, type: Type }
dateFormat: yyyy-MM-dd
amount: { signed: Amount }
types: { Sale: collection }
balance: { running: Balance }
covers: { from: { row: 1, column: 2 }, to: { row: 1, column: 4 } }
`;

const FILES = [
  ['2026-09-01', '2026-09-30', '2026-09-10,C-9,Sale,10.00,1000.00'],
  ['2026-10-01', '2026-10-31', '2026-10-02,C-1,Sale,100.00,1100.00'],
  ['2026-11-01', '2026-11-30', '2026-11-05,C-0,Sale,50.00,1150.00'],
] as const;

const PERIODS = [
  ['2026-10-01', '2026-10-31'],
  ['2026-11-01', '2026-11-30'],
  ['2026-10-01', '2026-11-30'],
] as const;

const sale = (reference: string, at: string, amount: string) =>
  told('collection', reference, { amount, requested_amount: amount, fees: '0.00', paid_at: at, updated_at: at });

test('what was open when the books began explains the first opening balance, and the rest is a break of every period', async () => {
  const { folder: cwd, database } = await fill([
    sale('C-0', '2026-09-20T10:00:00Z', '50.00'),
    sale('C-1', '2026-09-29T10:00:00Z', '100.00'),
  ]);
  const run = (...args: readonly string[]) => command(args, { cwd, env: commandEnv(database) });
  writeFileSync(join(cwd, 'wallet.yaml'), PROFILE);
  for (const [index, [from, to, row]] of FILES.entries()) {
    const text = `From,${from},To,${to}\nDate,Reference,Type,Amount,Balance\n${row}\n`;
    writeFileSync(join(cwd, `${index}.csv`), text);
    await run('statements', 'import', `${index}.csv`, '--profile', 'wallet.yaml');
  }
  const gaps = async (begin: string, [from, to]: readonly [string, string]) => {
    const begun = `reconcile: { begin: { date: 2026-10-01, balances: { wallet: { NGN: "${begin}" } } } }\n`;
    writeFileSync(join(cwd, 'tallyhook.yaml'), begun);
    const { stdout } = await run('reconcile', '--from', from, '--to', to, '--json');
    const { breaks, carried, proof } = JSON.parse(stdout);
    const found: Record<string, string>[] = [...breaks, ...carried].filter(({ code }) => code === 'statement_gap');
    return [proof[0].unexplained, ...found.map(({ ours, theirs, effect, reason }) => [ours, theirs, effect, reason])];
  };
  for (const days of PERIODS) {
    expect([days, await gaps('1140.00', days)]).toEqual([days, ['0.00']]);
    const reason =
      'on 2026-10-01 it begins with 1000.00, `reconcile.begin` makes 1010.00 (1150.00, and -140.00 was open then)';
    const gap = ['1010.00', '1000.00', '-10.00', reason];
    expect([days, await gaps('1150.00', days)]).toEqual([days, ['0.00', gap]]);
  }
});
