import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';
import { holdWrites, isWriteLocked } from '../support/held-write.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { someOf } from '../support/random-runs.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

let db: TestDatabase;
let month: ClosingMonth;
beforeEach(async () => {
  db = new TestDatabase();
  month = new ClosingMonth(db);
  await month.ready();
});
afterEach(() => db.remove());

const count = (table: string) => db.database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
const kept = () => ['periods', 'period_closings', 'period_balances', 'journal_entries'].map(count);
const entries = () =>
  db.database.prepare<[], number>("SELECT count(*) FROM audit_entries WHERE act = 'period.close'").pluck().get();

test('of two processes that close one period at a time, one closes it and the other is refused', async () => {
  const ended = await Promise.all(
    ['Ada', 'Grace'].map((name) => month.alone('period', 'close', '2026-10', '--as', name)),
  );
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(ended.find(({ code }) => code === 1)?.stderr).toContain('Period 2026-10 is closed');
  expect([count('period_closings'), entries()]).toEqual([1, 1]);
  expect((await month.run('audit', 'verify')).code).toBe(0);
});

test('of two processes that approve one period at a time, one signs it', async () => {
  await month.run('period', 'close', '2026-10', '--as', 'Ada');
  const ended = await Promise.all(
    ['Grace', 'Joan'].map((name) => month.alone('period', 'approve', '2026-10', '--as', name)),
  );
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect((await month.run('audit', 'verify')).code).toBe(0);
});

/** The writes of a close, the last of them first. */
const WRITES = [
  ['audit_head', 'UPDATE'],
  ['audit_entries', 'INSERT'],
  ['period_balances', 'INSERT'],
  ['period_closings', 'INSERT'],
  ['periods', 'INSERT'],
] as const;

test.each(someOf(1, WRITES))(
  'SIGKILL while the close writes %s: nothing is closed, and the next close is whole',
  async (table, act) => {
    const release = holdWrites(db.path, { after: `${act} ON ${table}`, lasts: 'for ever' });
    const words = [LAUNCHER, 'period', 'close', '2026-10', '--as', 'Ada'];
    const env = { PATH: process.env.PATH ?? '', ...month.env };
    const child = spawn(process.execPath, words, { cwd: db.folder, env });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    await until(() => isWriteLocked(db.path), 'the close holds the write lock');
    child.kill('SIGKILL');
    await ended;
    release();
    expect(kept()).toEqual([0, 0, 0, 0]);
    expect(entries()).toBe(0);
    expect(await month.json('period', 'show', '2026-10')).toMatchObject({ state: 'open', closing: 0 });
    const closed = await month.json('period', 'close', '2026-10', '--as', 'Ada');
    expect(closed).toMatchObject({ code: 0, state: 'closed', closing: 1 });
    expect((await month.run('audit', 'verify')).code).toBe(0);
  },
);
