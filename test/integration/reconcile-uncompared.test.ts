import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { command } from '../support/command.ts';
import { TestDatabase } from '../support/test-database.ts';

vi.setConfig({ testTimeout: 120_000 });

/* A wallet and a bank, and no settlement statement: what left the wallet for the bank has no other side. No rule compares other lines. */

const db = new TestDatabase();
afterAll(() => db.remove());
const run = (...words: string[]) => command(words, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } });

async function statement(kind: string, ...lines: readonly string[]) {
  writeFileSync(
    join(db.folder, `${kind}.yaml`),
    `version: 1
name: ${kind}
kind: ${kind}
account: ${kind}-main
environment: test
currency: NGN
columns: { date: Date, group: Group, type: Type }
dateFormat: yyyy-MM-dd
amount: { signed: Amount }
types: { Settlement: settlement, Top-up: top_up, Sale: collection, Other: other }
`,
  );
  writeFileSync(join(db.folder, `${kind}.csv`), `Date,Group,Type,Amount\n${lines.join('\n')}\n`);
  expect(await run('statements', 'import', `${kind}.csv`, '--profile', `${kind}.yaml`)).toMatchObject({ code: 0 });
}
const OCTOBER = ['--from', '2026-10-01', '--to', '2026-10-31'];
const uncompared = async (...words: string[]) =>
  JSON.parse((await run('reconcile', ...words, ...OCTOBER, '--json')).stdout).uncompared;

const OF_WALLET = {
  ...{ environment: 'test', account: 'wallet-main', currency: 'NGN', type: 'settlement', leg: 'batch-wallet' },
  ...{ lacks: 'settlement', lines: 2, moved: '-6901.00' },
};
const OTHER = { ...OF_WALLET, account: 'bank-main', type: 'other', leg: null, lacks: null, lines: 1, moved: '-3.00' };
const OF_BANK = { ...OF_WALLET, account: 'bank-main', leg: 'batch-bank', lines: 1, moved: '5001.00' };

test('lines whose other side has no statement are no breaks, and the report names them', async () => {
  const before = '2026-09-30,B-0,Settlement,-1.00';
  await statement('wallet', before, '2026-10-05,B-1,Settlement,-5901.00', '2026-10-06,B-2,Settlement,-1000.00');
  await statement('bank', '2026-10-06,B-1,Settlement,5001.00', '2026-10-07,,Other,-3.00');
  const { code, stdout } = await run('reconcile', ...OCTOBER);
  expect(code).toBe(0);
  expect(stdout).toContain('No breaks');
  expect(stdout).toContain(
    '2 settlement lines of wallet-main (test), 6901.00 NGN in all, were compared with nothing: no settlement statement covers them. Import one: tallyhook statements import FILE --profile PROFILE',
  );
  expect(stdout).toContain('1 settlement line of bank-main (test), 5001.00 NGN in all, was compared with nothing');
  expect(stdout).toContain(
    '1 other line of bank-main (test), 3.00 NGN in all, was compared with nothing: no rule compares it.\n',
  );
  expect(await uncompared()).toEqual([OTHER, OF_BANK, OF_WALLET]);
});

test('of a leg or an account those alone, and of some records none', async () => {
  expect(await uncompared('batch-bank')).toEqual([OF_BANK]);
  expect(await uncompared('--account', 'wallet-main')).toEqual([OF_WALLET]);
  expect(await uncompared('refunds')).toEqual([]);
});

test('with a settlement statement only those that no rule compares', async () => {
  await statement('settlement', '2026-10-05,B-1,Sale,5901.00', '2026-10-06,B-2,Sale,1000.00');
  expect(await uncompared()).toEqual([OTHER]);
  expect((await run('reconcile', ...OCTOBER)).stdout).not.toContain('no settlement statement');
});

test('a top-up of the wallet needs the bank, and one of the bank the wallet', async () => {
  const other = new TestDatabase();
  try {
    const at = { cwd: other.folder, env: { TALLYHOOK_DATABASE: other.path } };
    writeFileSync(join(other.folder, 'wallet.csv'), 'Date,Group,Type,Amount\n2026-10-05,T-1,Top-up,100.00\n');
    const take = async (kind: string) => {
      const words = ['statements', 'import', `${kind}.csv`, '--profile', join(db.folder, `${kind}.yaml`)];
      expect(await command(words, at)).toMatchObject({ code: 0 });
    };
    await take('wallet');
    const { stdout } = await command(['reconcile', ...OCTOBER], at);
    expect(stdout).toContain(
      '1 top-up line of wallet-main (test), 100.00 NGN in all, was compared with nothing: no bank',
    );
    writeFileSync(join(other.folder, 'bank.csv'), 'Date,Group,Type,Amount\n2026-10-05,T-1,Top-up,-90.00\n');
    await take('bank');
    const compared = JSON.parse((await command(['reconcile', ...OCTOBER, '--json'], at)).stdout);
    expect(compared.uncompared).toEqual([]);
    const legs = [...compared.breaks, ...compared.timing].map(({ leg }: { leg: string }) => leg);
    expect(legs).toEqual(['topup-bank', 'topup-bank']);
  } finally {
    other.remove();
  }
});
