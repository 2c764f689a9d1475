import { expect, test } from 'vitest';
import { ClosingMonth, OCTOBER } from '../support/closing-month.ts';

/* The bank has a file of August and one of October, and none of September, in which 25.00 came in. */

const AUGUST = OCTOBER.with(0, '2026-08-03').with(1, 'C-0').with(5, '975.00');
const NEXT = /; where there is none, close both as one: tallyhook period check 2026-09-01\.\.2026-10-31$/;

test('a month without any statement is closed together with the next one, as its check says', async () => {
  const month = await ClosingMonth.of();
  const close = async (period: string) => {
    await month.resolveAll();
    const { code, stderr } = await month.run('period', 'close', period, '--as', 'Ada');
    expect([code, stderr]).toEqual([0, '']);
  };
  await month.import('august.csv', AUGUST);
  const item = async (period: string, name: string) =>
    (await month.shop.check(period)).items.find((one: { name: string }) => one.name === name);
  // Before the first statement, and behind days that no period has.
  expect(await item('2026-07', 'statements')).toMatchObject({
    state: 'open',
    text: expect.stringContaining('no statement covers any'),
  });
  expect(await item('2026-09', 'previous_period')).toMatchObject({
    ...{ state: 'note', text: expect.stringContaining('statements of days before 2026-09-01, which are not closed') },
    next: 'tallyhook period check 2026-08',
  });
  await month.reconcile('2026-08-01', '2026-08-31');
  await close('2026-08');
  await month.import('october.csv', OCTOBER);
  await month.reconcile('2026-09-01', '2026-09-30');
  const { items } = await month.shop.check('2026-09');
  expect(items.find(({ name }: { name: string }) => name === 'statements')).toMatchObject({
    ...{ state: 'open', text: 'no statement of wallet-main covers these days', next: expect.stringMatching(NEXT) },
  });
  await month.reconcile('2026-09-01', '2026-10-31');
  const { exceptions } = await month.json('exceptions', 'list', '--code', 'statement_gap');
  expect(exceptions).toMatchObject([{ status: 'open', effect: '25.00' }]);
  await close('2026-09-01..2026-10-31');
});
