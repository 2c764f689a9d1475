import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ClosingMonth, OCTOBER } from '../support/closing-month.ts';
import { TestDatabase } from '../support/test-database.ts';

vi.setConfig({ testTimeout: 120_000 });

/* October carries three lines, November finds them open, then October is opened again. */

const NOVEMBER = ['2026-11-01', '2026-11-20'] as const;
const line = (day: string, reference: string, balance: string) => [day, reference, 'Collection', '', '50.00', balance];

const OPEN = ['missing_internal open', 'missing_internal open', 'missing_internal open'];
const BEGIN = `reconcile: { begin: { date: 2026-10-01, balances: { wallet-main: { NGN: "1000.00" } } } }\n`;

describe.each([
  { opens: 'with the balance of October', settings: '' },
  { opens: 'with that of the books', settings: BEGIN },
])('November opens $opens', ({ settings }) => {
  const db = new TestDatabase();
  const month = new ClosingMonth(db);
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `database: ${db.path}\n${settings}`);
  afterAll(() => db.remove());

  async function standings(): Promise<string[]> {
    const all = await Promise.all(['C-2', 'C-3', 'C-4'].map((reference) => month.standing(reference)));
    return all.flat();
  }
  const idOf = (reference: string) =>
    db.database.prepare<[string], string>('SELECT id FROM exceptions WHERE reference = ?').pluck().get(reference) ?? '';

  test('a run of November opens what October carried', async () => {
    const rows = [
      line('2026-10-02', 'C-2', '1150.00'),
      line('2026-10-03', 'C-3', '1200.00'),
      line('2026-10-31', 'C-4', '1250.00'),
    ];
    await month.import('october.csv', OCTOBER, ...rows);
    await month.reconcile();
    await month.resolveAll({ carry: ['C-2', 'C-3', 'C-4'] });
    await month.reconcile('2026-11-01', '2026-11-10');
    // October is still open: what was decided of it holds.
    expect(await standings()).toEqual(OPEN.map(() => 'missing_internal resolved'));
    expect((await month.run('period', 'close', '2026-10', '--as', 'Ada')).stderr).toBe('');
    await month.import('november.csv', line('2026-11-01', 'N-1', '1300.00'), line('2026-11-20', 'N-2', '1350.00'));
    await month.reconcile(...NOVEMBER);
    expect(await standings()).toEqual(OPEN);
  });

  test('October opened again has them carried, but for one that was resolved in November; comments and names stay', async () => {
    const accept = ['--resolution', 'accept', '--reason-code', 'bank_charge', '--as', 'Ada'];
    expect((await month.run('exceptions', 'assign', idOf('C-3'), '--to', 'Grace', '--as', 'Ada')).code).toBe(0);
    expect((await month.run('exceptions', 'comment', idOf('C-3'), 'asked the service', '--as', 'Ada')).code).toBe(0);
    expect((await month.run('exceptions', 'resolve', idOf('C-4'), ...accept)).stderr).toBe('');
    const { code } = await month.run('period', 'reopen', '2026-10', '--reason', 'a wrong reason code', '--as', 'Ada');
    expect(code).toBe(0);
    const resolutions = await Promise.all(
      ['C-2', 'C-3', 'C-4'].map(async (reference) => {
        const { status, resolution, assignee, comment } = await month.json('exceptions', 'show', idOf(reference));
        return { status, resolution, assignee, comment };
      }),
    );
    expect(resolutions).toEqual([
      { status: 'resolved', resolution: 'carry', assignee: null, comment: null },
      { status: 'resolved', resolution: 'carry', assignee: 'Grace', comment: 'asked the service' },
      { status: 'resolved', resolution: 'accept', assignee: null, comment: null },
    ]);
    const shown = await month.run('exceptions', 'show', idOf('C-2'));
    expect(shown.stdout).toContain('Ada opened its period again: carried out of it as before');
    expect((await month.json('audit', 'verify')).ok).toBe(true);
  });

  test('a run of November leaves them carried until October is closed anew, without resolving them again', async () => {
    await month.reconcile(...NOVEMBER);
    await month.reconcile();
    expect(await standings()).toEqual(OPEN.map(() => 'missing_internal resolved'));
    const closed = await month.json('period', 'close', '2026-10', '--as', 'Ada');
    expect(closed).toMatchObject({ code: 0, state: 'closed', closing: 2 });
    await month.reconcile(...NOVEMBER);
    expect(await standings()).toEqual([OPEN[0], OPEN[1], 'missing_internal resolved']);
    expect((await month.json('audit', 'verify')).ok).toBe(true);
  });
});
