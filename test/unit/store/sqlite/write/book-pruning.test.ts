import { afterEach, beforeEach, expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../../../../src/domain/checks/next-check.ts';
import type { BookPart } from '../../../../../src/store/pruning.ts';
import { begun, orderOf } from '../../../../contract/store/importing.ts';
import { AuditedDatabase } from '../../../../support/audited-database.ts';
import { openOperations } from '../../../../support/operations.ts';

// November of one account in two statements that share lines, closed, and erased step by step.

let audited: AuditedDatabase;
beforeEach(async () => {
  audited = new AuditedDatabase();
  await audited.import('aab', { first: true });
  await audited.import('abc', { first: false });
  await audited.decide('apart');
});
afterEach(() => audited.remove());

const order = (part: BookPart, beforeDay = '2026-12-01') => ({ part, beforeDay, beforeMs: Number.MAX_SAFE_INTEGER });
const texts = () =>
  audited.db.database.prepare('SELECT count(text) + count(counterparty) FROM imported_lines').pluck().get();

async function closeNovember(asAtMs = Date.now() + 3_600_000, closing = 1): Promise<void> {
  const { runs, periods } = audited.operations;
  const days = { from: '2026-11-01', to: '2026-11-30' };
  const { run } = await runs.beginRun({
    ...{ ...days, environment: 'test', account: null, asAtMs, zone: 'Africa/Lagos' },
    ...{ cutOffMinutes: 1_440, what: 'all', rules: { name: 'standard', digest: 'standard', text: 'passes' } },
  });
  await runs.finishRun({ run, report: '{}', scope: { ...days, environment: 'test', account: null } as never });
  while (!(await audited.operations.exceptions.follow()).done);
  const closed = await periods.close({
    ...{ ...days, period: '2026-11', set: { name: 'test', environment: 'test', accounts: null }, closing, run },
    ...{ checkedUntil: { carriedOut: 0, asAtMs }, beforeMs: asAtMs },
    ...{ report: '{"report":"month"}', changes: null, by: 'Ada', balances: [], closedAtMs: Date.now() },
    journal: { by: 'day', entries: [] },
  });
  expect(closed.outcome).toBe('done');
}

/** Every step up to the end; returns how much they erased. */
async function whole(part: BookPart, between: () => void = () => {}): Promise<number> {
  for (let count = 0; ; ) {
    const step = await audited.operations.pruning.pruneBooks(order(part));
    count += step.count;
    between();
    if (step.done) return count;
  }
}

test('an open period keeps everything', async () => {
  expect([await whole('texts'), await whole('comments'), await whole('reports')]).toEqual([0, 0, 0]);
  expect(texts()).toBeGreaterThan(0);
});

test('after every step each row is as its last entry left it, with lines that two statements show', async () => {
  await closeNovember();
  const verified = () => expect(audited.verdict().firstBad).toBeNull();
  expect(await whole('texts', verified)).toBe(4);
  expect(texts()).toBe(0);
  expect([await whole('comments', verified), await whole('reports', verified)]).toEqual([1, 1]);
  expect(await whole('texts', verified)).toBe(0);
});

test('a process that dies after any step leaves a chain that is whole, and the next one does the rest', async () => {
  await closeNovember();
  for (let dead = 0; texts() !== 0; dead++) {
    const operations = openOperations(audited.db.path, STANDARD_CHECK_RULES);
    for (let step = 0; step <= dead; step++) await operations.pruning.pruneBooks(order('texts'));
    await operations.close(); // its pass is lost
    expect([dead, audited.verdict().firstBad]).toEqual([dead, null]);
    expect(dead).toBeLessThan(30);
  }
  expect(await whole('texts')).toBe(0);
  expect(audited.verdict().ok).toBe(true);
  expect(audited.db.database.prepare('SELECT count(cleared_at) FROM erased_texts').pluck().get()).toBe(1);
});

test('a statement that comes while the digests are read makes them be read anew', async () => {
  await closeNovember();
  await audited.operations.pruning.pruneBooks(order('texts'));
  const november = { set: 'test', period: '2026-11', from: '2026-11-01', to: '2026-11-30' };
  await audited.operations.periods.reopen({ ...november, by: 'Ada', reason: 'a statement is missing' });
  await audited.import('bcd', { first: false });
  await closeNovember(undefined, 2);
  expect(await whole('texts')).toBe(5);
  expect([texts(), audited.verdict().firstBad]).toEqual([0, null]);
});

test('while a statement came later than the closing of the last old period, all of those days keep their texts', async () => {
  await closeNovember(Date.now());
  await audited.import('bcd', { first: false });
  const before = texts();
  expect(await whole('texts')).toBe(0);
  expect([texts(), audited.verdict().firstBad]).toEqual([before, null]);
});

test('while a statement is being imported, its account keeps its texts', async () => {
  await closeNovember();
  await begun(audited.handle, orderOf('under way'));
  expect(await whole('texts')).toBe(0);
  expect(texts()).toBeGreaterThan(0);
});
