import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ClosingMonth, OCTOBER } from '../support/closing-month.ts';
import { TestDatabase } from '../support/test-database.ts';

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

  async function states(): Promise<string[]> {
    const all = await Promise.all(['C-2', 'C-3', 'C-4'].map((reference) => month.stateOf(reference)));
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
    expect(await states()).toEqual(OPEN.map(() => 'missing_internal resolved'));
    await month.shop.close('2026-10', { by: 'Ada' });
    await month.import('november.csv', line('2026-11-01', 'N-1', '1300.00'), line('2026-11-20', 'N-2', '1350.00'));
    await month.reconcile(...NOVEMBER);
    expect(await states()).toEqual(OPEN);
    const { stdout } = await month.run('why', 'C-2');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('carried from before its days, since 2026-10-02:');
  });

  test('October opened again has them carried, but for one that was resolved in November; comments and names stay', async () => {
    const { shop } = month;
    await shop.act({ id: idOf('C-3'), act: 'assign', to: 'Grace', by: 'Ada' });
    await shop.act({ id: idOf('C-3'), act: 'comment', text: 'asked the service', by: 'Ada' });
    await shop.resolve([idOf('C-4')], { by: 'Ada' });
    await shop.reopen('2026-10', 'a wrong reason code', 'Ada');
    const resolutions = await Promise.all(
      ['C-2', 'C-3', 'C-4'].map(async (reference) => {
        const { status, resolution, assignee, comment } = await shop.exception(idOf(reference));
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
    expect((await month.shop.auditVerdict()).ok).toBe(true);
  });

  test('a run of November leaves them carried until October is closed anew, without resolving them again', async () => {
    await month.reconcile(...NOVEMBER);
    await month.reconcile();
    expect(await states()).toEqual(OPEN.map(() => 'missing_internal resolved'));
    await month.shop.close('2026-10', { by: 'Ada' });
    expect(await month.shop.archive.period('test', '2026-10')).toMatchObject({ state: 'closed', closings: [{}, {}] });
    await month.reconcile(...NOVEMBER);
    expect(await states()).toEqual([OPEN[0], OPEN[1], 'missing_internal resolved']);
    expect((await month.shop.auditVerdict()).ok).toBe(true);
  });
});
