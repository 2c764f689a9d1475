import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';
import { undocumentedFields } from '../support/commands.ts';
import { TestDatabase } from '../support/test-database.ts';

const NOVEMBER = '2026-11-01..2026-11-20';
const db = new TestDatabase();
const month = new ClosingMonth(db);
afterAll(() => db.remove());

// October is closed: one difference is accepted, one carried. Then a line of October comes, and those of November.
beforeAll(async () => {
  await month.import(
    'october.csv',
    ['2026-10-01', 'C-1', 'Collection', '', '100.00', '1100.00'],
    ['2026-10-31', 'C-2', 'Collection', '', '50.00', '1150.00'],
  );
  await month.reconcile();
  await month.resolveAll({ carry: ['C-2'] });
  const { code, stderr } = await month.run('period', 'close', '2026-10', '--as', 'Ada');
  if (code !== 0) throw new Error(stderr);
  await month.import('late.csv', ['2026-10-30', 'C-4', 'Collection', '', '10.00', '1110.00']);
  await month.import(
    'november.csv',
    ['2026-11-02', 'C-5', 'Collection', '', '20.00', '1180.00'],
    ['2026-11-20', 'C-6', 'Collection', '', '5.00', '1185.00'],
  );
});
const closing = (report: { proof: { rows: { name: string }[] }[] }) =>
  report.proof[0]?.rows.find(({ name }) => name === 'closing');

test('a run over the closed days gives the frozen figures, what came since, and is not kept', async () => {
  const runs = () => db.database.prepare<[], number>('SELECT count(*) FROM runs').pluck().get();
  const before = runs();
  const october = await month.json('reconcile', '--from', '2026-10-01', '--to', '2026-10-31');
  expect(closing(october)).toMatchObject({ ours: '1000.00', theirs: '1150.00' });
  expect(october.sinceClose).toEqual([{ what: 'late line', reference: 'C-4', at: expect.any(String) }]);
  expect(runs()).toBe(before);
  expect(undocumentedFields(october.sinceClose, ['reconcile'])).toEqual([]);
  const { stderr } = await month.run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31');
  expect(stderr).toContain('period 2026-10 of test is closed: its figures as they were frozen');
});

test('so does a run over a part of the closed days, with what was known of them at the close', async () => {
  const runs = () => db.database.prepare<[], number>('SELECT count(*) FROM runs').pluck().get();
  const before = runs();
  const part = await month.json('reconcile', '--from', '2026-10-30', '--to', '2026-10-31');
  expect(closing(part)).toMatchObject({ theirs: '1150.00' });
  expect(part.breaks.map(({ reference }: { reference: string }) => reference)).toEqual(['C-2']);
  expect(part.sinceClose).toMatchObject([{ what: 'late line', reference: 'C-4' }]);
  const { stderr } = await month.run('reconcile', '--from', '2026-10-01', '--to', '2026-10-29');
  expect(stderr).toMatch(
    /period 2026-10 of test is closed: .* these days as they were known .*; since then nothing changed/,
  );
  expect(runs()).toBe(before);
});

test('the next period opens with its balances, and takes in what came late', async () => {
  const november = await month.json('reconcile', '--from', '2026-11-01', '--to', '2026-11-20');
  expect(november.proof[0].rows[0]).toMatchObject({ name: 'opening', ours: '1000.00', theirs: '1150.00' });
  expect(closing(november)).toMatchObject({ theirs: '1185.00' });
  expect(november.proof[0].unexplained).toBe('0.00');
  expect(november.breaks).toContainEqual(
    expect.objectContaining({ code: 'late_arrival', reference: 'C-4', effect: '10.00' }),
  );
});

test('what was carried stands open again, and is resolved in the next period; what was accepted stays as it is', async () => {
  expect(await month.stateOf('C-2')).toEqual(['missing_internal open']);
  expect(await month.stateOf('C-1')).toEqual(['missing_internal resolved']);
  const check = await month.json('period', 'check', NOVEMBER);
  expect(check.items.find(({ name }: { name: string }) => name === 'exceptions')).toMatchObject({
    state: 'open',
    count: 4,
    next: `tallyhook exceptions list --environment test --period ${NOVEMBER}`,
  });
  const { exceptions } = await month.json('exceptions', 'list', '--environment', 'test', '--period', NOVEMBER);
  const open = exceptions.filter(({ code }: { code: string }) => code !== 'late_arrival');
  expect(open.map(({ reference, code, effect }: Record<string, string>) => `${reference ?? code} ${effect}`)).toEqual([
    'C-2 50.00',
    'C-5 20.00',
    'C-6 5.00',
    'statement_gap 0.00', // october.csv denies the line that came late, and november.csv takes that back
  ]);
  const [{ id }] = db.database
    .prepare<[], { id: string }>("SELECT id FROM exceptions WHERE reference = 'C-1'")
    .all() as [{ id: string }];
  const reopened = await month.run('exceptions', 'reopen', id, '--reason', 'x', '--as', 'Ada');
  expect([reopened.code, reopened.stderr.includes('lies in period 2026-10')]).toEqual([1, true]);
  await month.resolveAll();
  expect(await month.stateOf('C-2')).toEqual(['missing_internal resolved']);
});

test('late items never keep a period open: its close closes them, in one entry of the audit', async () => {
  const check = await month.json('period', 'check', NOVEMBER);
  expect(check).toMatchObject({ code: 0, ready: true });
  expect(check.items.find(({ name }: { name: string }) => name === 'late_items')).toMatchObject({
    state: 'note',
    count: 1,
  });
  expect(await month.stateOf('C-4')).toEqual(['late_arrival open']);
  expect((await month.run('period', 'close', NOVEMBER, '--as', 'Ada')).code).toBe(0);
  expect(await month.stateOf('C-4')).toEqual(['late_arrival closed']);
  const frozen = JSON.parse((await month.run('report', 'period', NOVEMBER, '--format', 'json')).stdout);
  const { byCode } = frozen.exceptions;
  expect(byCode.map(({ code, count, open }: Record<string, unknown>) => [code, count, open])).toEqual([
    ['missing_internal', 2, 0],
    ['statement_gap', 1, 0],
    ['late_arrival', 1, 0],
  ]);
  expect((await month.run('audit', 'verify')).code).toBe(0);
});

test('a run over days that took in what came late gives their frozen figures again', async () => {
  const again = await month.json('reconcile', '--from', '2026-11-01', '--to', '2026-11-20');
  expect(closing(again)).toMatchObject({ theirs: '1185.00' });
  expect(again.proof[0].unexplained).toBe('0.00');
  expect(again.breaks.map(({ code, reference }: Record<string, string>) => `${code} ${reference}`)).toContain(
    'late_arrival C-4',
  );
});

test('a period before a closed one cannot be opened', async () => {
  const { code, stderr } = await month.run('period', 'reopen', '2026-10', '--reason', 'x', '--as', 'Ada');
  expect(code).toBe(1);
  expect(stderr).toContain(`Period 2026-10 cannot be reopened while ${NOVEMBER} after it is closed.`);
});
