import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { command } from '../support/command.ts';
import { payout, TestDatabase } from '../support/test-database.ts';

vi.setConfig({ testTimeout: 120_000 });

const PROFILE = `version: 1
name: wallet
kind: wallet
account: wallet
environment: test
currency: NGN
zone: Africa/Lagos
columns: { date: Date, sessionId: Session, type: Type }
dateFormat: yyyy-MM-dd
amount: { signed: Amount }
number: { decimal: ".", group: null, unit: major, negative: minus }
types: { Payout: payout }
`;

const db = new TestDatabase();
db.keepAndApply(
  payout('P-1', 'success', { data: { sessionid: 'S-1' } }),
  payout('P-2', 'success', { data: { sessionid: 'S-1' } }),
);
writeFileSync(join(db.folder, 'wallet.yaml'), PROFILE);
writeFileSync(join(db.folder, 'wallet.csv'), 'Date,Session,Type,Amount\n2026-11-20,S-1,Payout,-100.00\n');
afterAll(() => db.remove());
const run = (...words: string[]) => command(words, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } });

test('of two payouts that are the same, the first has the line, in the run and in why', async () => {
  const imported = await run('statements', 'import', 'wallet.csv', '--profile', 'wallet.yaml');
  expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)]);
  const { stdout } = await run('reconcile', '--from', '2026-11-20', '--to', '2026-11-20', '--json');
  expect(JSON.parse(stdout).matched).toEqual({ 'records-wallet': 1 });
  const outcomes = async (reference: string) => {
    const [record] = JSON.parse((await run('why', reference, '--json')).stdout).records;
    return record.matching[0].passes.map((one: { pass: string; outcome: string }) => `${one.pass} ${one.outcome}`);
  };
  expect((await outcomes('P-1')).slice(0, 2)).toEqual(['reference no_line', 'session_id taken']);
  expect((await outcomes('P-2')).slice(0, 2)).toEqual(['reference no_line', 'session_id copy']);
});

test.each(['refunds', 'collections', 'payouts', 'batch-bank', '--account wallet'])(
  'a run of %s ends no match of the payout that has the line',
  async (asked) => {
    const days = ['--from', '2026-11-20', '--to', '2026-11-20'];
    await run('reconcile', ...days);
    const before = (await run('matches', 'list', '--json')).stdout;
    expect(JSON.parse(before).items).toMatchObject([{ reference: 'P-1', pass: 'session_id', state: 'confirmed' }]);
    expect((await run('reconcile', ...asked.split(' '), ...days)).stderr).toBe('');
    expect((await run('matches', 'list', '--json')).stdout).toBe(before);
  },
);

test('why says once that a full run found the match anew', async () => {
  await run('reconcile', '--from', '2026-11-20', '--to', '2026-11-20', '--full');
  const [{ id, run: full }] = JSON.parse((await run('matches', 'list', '--json')).stdout).items;
  const text = (await run('why', 'P-1')).stdout;
  expect(text).not.toContain('found it no more');
  expect(text).toContain(
    `Run ${full} matched it with row 2 of statement 1 (records-wallet, by session_id), in place of match ${id - 1}.`,
  );
});

test('a run that ends before the day of the copy ends no match either', async () => {
  const other = new TestDatabase();
  other.keepAndApply(
    payout('P-1', 'success', { data: { sessionid: 'S-1' } }),
    payout('P-2', 'success', { data: { sessionid: 'S-1' }, updatedAt: '2026-11-21T09:00:00.000Z' }),
  );
  const go = (...words: string[]) => command(words, { cwd: db.folder, env: { TALLYHOOK_DATABASE: other.path } });
  await go('statements', 'import', 'wallet.csv', '--profile', 'wallet.yaml');
  await go('reconcile', '--from', '2026-11-20', '--to', '2026-11-21');
  const before = (await go('matches', 'list', '--json')).stdout;
  expect(JSON.parse(before).items).toMatchObject([{ reference: 'P-1' }]);
  const { stdout } = await go('reconcile', '--from', '2026-11-20', '--to', '2026-11-20', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ matched: { 'records-wallet': 1 }, breaks: [] });
  expect((await go('matches', 'list', '--json')).stdout).toBe(before);
  other.remove();
});
