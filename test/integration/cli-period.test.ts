import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { ClosingMonth, OCTOBER } from '../support/closing-month.ts';
import { undocumentedFields } from '../support/commands.ts';
import { TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
const month = new ClosingMonth(db);
afterAll(() => db.remove());
const SECTION = ['period list, show, check, close, approve, lock, reopen'];
const frozen = (closing: number): string =>
  db.database.prepare<[number], string>('SELECT report FROM period_closings WHERE closing = ?').pluck().get(closing) ??
  '';

test('before anything is there, a period is open and its check says why', async () => {
  const check = await month.json('period', 'check', '2026-10', '--set', 'test');
  expect(check).toMatchObject({ code: 3, period: '2026-10', state: 'open', ready: false });
  expect(check.items.map(({ name }: { name: string }) => name)).toEqual([
    ...['run', 'statements', 'closing_balance', 'unparsed', 'control', 'unexplained'],
    ...['exceptions', 'approvals', 'reserves', 'suggestions', 'late_items', 'previous_period'],
  ]);
  expect(undocumentedFields(check.items, SECTION)).toEqual([]);
  expect(await month.json('period', 'show', '2026-10', '--set', 'test')).toEqual({
    ...{ code: 0, period: '2026-10', set: 'test', environment: 'test', state: 'open', closing: 0 },
    ...{ preparer: null, approver: null, digest: null, head: null, reason: null, sinceClose: [], changes: null },
  });
});

test.each([
  [['period', 'close', '2026-13'], 'is no period'],
  [['period', 'close', '2026-10', '--set', 'shop'], 'There is no set of accounts "shop"'],
  [['period', 'close', '2026-10'], 'Which set of accounts is meant?'],
  [['period', 'reopen', '2026-10', '--set', 'test', '--reason', ' '], '--reason is empty'],
])('what does not name a period is refused: %j', async (args, message) => {
  const { code, stderr } = await month.run(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('with an unresolved exception the period cannot be closed', async () => {
  await month.import('october.csv', OCTOBER, ['2026-10-31', 'C-2', 'Collection', '', '50.00', '1150.00']);
  await month.reconcile();
  const check = await month.json('period', 'check', '2026-10');
  const open = check.items.filter(({ state }: { state: string }) => state === 'open');
  expect(open.map(({ name, count }: { name: string; count: number }) => [name, count])).toEqual([
    ['closing_balance', 1],
    ['exceptions', 2],
  ]);
  const { code, stderr } = await month.run('period', 'close', '2026-10', '--as', 'Ada');
  expect(code).toBe(1);
  expect(stderr).toContain('Period 2026-10 cannot be closed: closing_balance, exceptions are open.');
  expect(stderr).toContain('period check 2026-10');
  const { error } = await month.json('period', 'close', '2026-10', '--as', 'Ada');
  expect(error).toMatchObject({ kind: 'failed', reason: 'not_ready' });
});

test('once they are resolved it is ready, and the close freezes the bytes of the report', async () => {
  await month.resolveAll();
  const check = await month.json('period', 'check', '2026-10');
  expect(check).toMatchObject({ code: 0, ready: true, state: 'open' });
  expect(check.items[2]).toMatchObject({ name: 'closing_balance', state: 'explained', count: 1 });
  const closed = await month.json('period', 'close', '2026-10', '--as', 'Ada');
  expect(closed).toMatchObject({
    code: 0,
    state: 'closed',
    closing: 1,
    preparer: 'Ada',
    approver: null,
    changes: null,
  });
  expect(closed.head).toMatch(/^\d+:[0-9a-f]{64}$/);
  expect(closed.digest).toBe(createHash('sha256').update(frozen(1)).digest('hex'));
  expect(JSON.parse(frozen(1))).toMatchObject({ period: '2026-10', prepared: { who: 'Ada' }, approved: null });
  expect(undocumentedFields(closed, SECTION)).toEqual(['code']);
  const head = await month.json('audit', 'head');
  expect(closed.head).toContain(String(head.hash ?? head.head ?? ''));
});

test('a closed period refuses what would change it', async () => {
  const removed = await month.run('statements', 'remove', '1', '--yes', '--as', 'Ada');
  expect(removed.code).toBe(1);
  expect(removed.stderr).toContain('Statement 1 cannot be removed: period 2026-10, in which it lies, is closed.');
  const again = await month.run('period', 'close', '2026-10', '--as', 'Ada');
  expect(again.code).toBe(1);
  expect(again.stderr).toMatch(/Period 2026-10 is closed \(by Ada, 2\d{3}-\d\d-\d\d [\d:]{8}\+01:00\)\./);
});

test('who closed it does not approve it, and it is locked after the approval only', async () => {
  for (const name of ['Ada', ' ada ', 'ADA']) {
    const { code, stderr } = await month.run('period', 'approve', '2026-10', '--as', name);
    expect([code, stderr.includes('another person has to approve it')]).toEqual([1, true]);
  }
  expect((await month.json('period', 'approve', '2026-10', '--as', 'Ada')).error).toMatchObject({ reason: 'person' });
  const next = async (...args: string[]) =>
    (await month.run('period', 'show', '2026-10', ...args)).stdout.split('\n').at(-2);
  expect(await next()).toBe('Next, by another person than Ada: tallyhook period approve 2026-10 --as NAME');
  expect(await next('--set', 'test')).toContain('tallyhook period approve 2026-10 --set test --as NAME');
  const early = await month.run('period', 'lock', '2026-10', '--yes', '--as', 'Grace');
  expect(early.code).toBe(1);
  const unseen = await month.json('period', 'approve', '2026-10', '--as', 'Grace', '--digest', '0'.repeat(64));
  expect(unseen).toMatchObject({ code: 1, error: { reason: 'changed' } });
  const { digest } = await month.json('period', 'show', '2026-10');
  const approved = await month.json('period', 'approve', '2026-10', '--as', 'Grace', '--digest', digest);
  expect(approved).toMatchObject({ code: 0, state: 'approved', preparer: 'Ada', approver: 'Grace', digest });
  expect(await next()).toBe('Next, when it is never to change again: tallyhook period lock 2026-10 --yes');
  expect((await month.run('period', 'lock', '2026-10', '--as', 'Grace')).code).toBe(2);
  const other = await month.json('period', 'lock', '2026-10', '--yes', '--as', 'Grace', '--digest', '0'.repeat(64));
  expect(other).toMatchObject({ code: 1, error: { reason: 'changed' } });
});

test('after a reopening a stale run is refused, and the second closing says what differs', async () => {
  const reopened = await month.json(
    'period',
    'reopen',
    '2026-10',
    '--as',
    'Ada',
    '--reason',
    'a statement was missing',
  );
  expect(reopened).toMatchObject({ code: 0, state: 'open', closing: 1, reason: 'a statement was missing' });
  await month.import('more.csv', ['2026-10-31', 'C-3', 'Collection', '', '25.00', '1175.00']);
  const stale = await month.run('period', 'close', '2026-10', '--as', 'Ada');
  expect(stale.code).toBe(1);
  expect(stale.stderr).toContain('1 statement was imported since');
  await month.reconcile();
  await month.resolveAll();
  const closed = await month.json('period', 'close', '2026-10', '--as', 'Grace');
  expect(closed).toMatchObject({ code: 0, state: 'closed', closing: 2, preparer: 'Grace', approver: null });
  expect(closed.reason).toBe('a statement was missing');
  expect(closed.changes).toContainEqual({
    path: 'proof[test wallet-main NGN].rows[closing].theirs',
    before: '1150.00',
    after: '1175.00',
  });
  expect(frozen(1)).toContain('1150.00');
  expect(frozen(1)).not.toContain('1175.00');
});

test('what comes later is listed as since close, and alters no frozen figure', async () => {
  const before = frozen(2);
  await month.import('late.csv', ['2026-10-30', 'C-4', 'Collection', '', '10.00', '1110.00']);
  const shown = await month.json('period', 'show', '2026-10');
  expect(shown.sinceClose).toEqual([{ what: 'late line', reference: 'C-4', at: expect.stringMatching(/Z$/) }]);
  expect(frozen(2)).toBe(before);
  expect(shown.digest).toBe(createHash('sha256').update(before).digest('hex'));
});

test('periods are closed in their order, share no day, and are locked for ever', async () => {
  const crossing = await month.run('period', 'close', '2026-10-15..2026-11-14', '--as', 'Ada');
  expect(crossing.stderr).toContain('overlaps 2026-10');
  expect(crossing.code).toBe(1);
  const gap = await month.run('period', 'close', '2026-12', '--as', 'Ada');
  expect([gap.code, gap.stderr.includes('while 2026-11, after 2026-10, is open')]).toEqual([1, true]);
  await month.run('period', 'approve', '2026-10', '--as', 'Ada');
  const locked = await month.json('period', 'lock', '2026-10', '--yes', '--as', 'Ada');
  expect(locked).toMatchObject({ code: 0, state: 'locked' });
  const never = await month.run('period', 'reopen', '2026-10', '--reason', 'x', '--as', 'Ada');
  expect([never.code, never.stderr.includes('Locked is for ever')]).toEqual([1, true]);
  const list = await month.json('period', 'list');
  expect(list.periods).toMatchObject([{ set: 'test', period: '2026-10', state: 'locked', closing: 2 }]);
  expect(undocumentedFields(list, SECTION)).toEqual(['code']);
});

test('each act stands in the audit, and the chain holds', async () => {
  const acts = db.database
    .prepare<[], string>(
      "SELECT act || ' ' || who FROM audit_entries WHERE subject = 'period:test/2026-10' ORDER BY seq",
    )
    .pluck()
    .all();
  expect(acts).toEqual([
    ...['period.close Ada', 'period.approve Grace', 'period.reopen Ada', 'period.close Grace'],
    ...['period.approve Ada', 'period.lock Ada'],
  ]);
  expect((await month.run('audit', 'verify')).code).toBe(0);
});
