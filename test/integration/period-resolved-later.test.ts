import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ClosingMonth, OCTOBER } from '../support/closing-month.ts';
import { TestDatabase } from '../support/test-database.ts';

/* October carries C-2 and bears C-1; November resolves C-2, opens it again, and resolves it. */

const NOVEMBER = ['2026-11-01', '2026-11-20'] as const;
const PERIOD = NOVEMBER.join('..');
const ACCEPT = ['--resolution', 'accept', '--reason-code', 'bank_charge', '--as', 'Ada'];

const db = new TestDatabase();
const month = new ClosingMonth(db);
writeFileSync(join(db.folder, 'tallyhook.yaml'), `database: ${db.path}\n`);
afterAll(() => db.remove());

const idOf = (reference: string) =>
  db.database.prepare<[string], string>('SELECT id FROM exceptions WHERE reference = ?').pluck().get(reference) ?? '';
const reopen = (reference: string) =>
  month.run('exceptions', 'reopen', idOf(reference), '--reason', 'wrong', '--as', 'Ada');
async function listed(period: string): Promise<string[]> {
  const { exceptions } = await month.json('exceptions', 'list', '--period', period);
  return exceptions.map(({ reference, status }: Record<string, string>) => `${reference} ${status}`).sort();
}

test('what the open month resolved of a closed one is listed in it, and can be opened again', async () => {
  await month.import('october.csv', OCTOBER, ['2026-10-31', 'C-2', 'Collection', '', '50.00', '1150.00']);
  await month.reconcile();
  await month.resolveAll({ carry: ['C-2'] });
  await month.shop.close('2026-10', { by: 'Ada' });
  await month.import('november.csv', ['2026-11-20', 'N-1', 'Collection', '', '1.00', '1151.00']);
  await month.reconcile(...NOVEMBER);
  expect(await listed(PERIOD)).toEqual(['C-2 open', 'N-1 open']);

  await month.resolveAll();
  expect(await listed(PERIOD)).toEqual(['C-2 resolved', 'N-1 resolved']);
  expect(await reopen('C-2')).toMatchObject({ code: 0, stderr: '' });
  expect(await listed(PERIOD)).toEqual(['C-2 reopened', 'N-1 resolved']);
  expect(await reopen('C-1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('lies in period 2026-10, which is closed'),
  });
});

test('the close of that month freezes it, too', async () => {
  expect((await month.run('exceptions', 'resolve', idOf('C-2'), ...ACCEPT)).stderr).toBe('');
  await month.reconcile(...NOVEMBER);
  await month.shop.close(PERIOD, { by: 'Ada' });
  expect(await reopen('C-2')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`was resolved in period ${PERIOD}, which is closed`),
  });
  expect(await listed(PERIOD)).toEqual(['C-2 resolved', 'N-1 resolved']);
  expect(await listed('2026-11-21..2026-11-30')).toEqual([]);
});
