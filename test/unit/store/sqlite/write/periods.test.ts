import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../../../src/store/open.ts';
import type { Known } from '../../../../../src/store/periods.ts';
import { AuditedDatabase } from '../../../../support/audited-database.ts';
import { collection } from '../../../../support/deliveries.ts';

// October is closed while deliveries are carried out. Until the third entry its records were looked at before the close.

const DAYS = { from: '2026-10-01', to: '2026-10-31' } as const;
const AFTER_MS = Date.parse('2026-11-01T00:00:00Z');

let audited: AuditedDatabase;
beforeEach(() => {
  audited = new AuditedDatabase();
});
afterEach(() => audited.remove());

const carriedOut = (seq: number) => audited.db.database.prepare('UPDATE carried_out SET seq = ?').run(seq);

async function close(checkedUntil: Known) {
  const { runs, periods } = audited.operations;
  const { run } = await runs.beginRun({
    ...{ ...DAYS, environment: 'test', account: null, asAtMs: Number.MAX_SAFE_INTEGER, zone: 'Africa/Lagos' },
    ...{ cutOffMinutes: 1_440, what: 'all', rules: { name: 'standard', digest: 'standard', text: 'passes' } },
  });
  await runs.finishRun({ run, report: '{}' });
  return periods.close({
    ...{ ...DAYS, period: '2026-10', set: { name: 'test', environment: 'test', accounts: null }, closing: 1, run },
    ...{ report: '{}', changes: null, by: 'Ada', balances: [], closedAtMs: AFTER_MS, beforeMs: AFTER_MS, checkedUntil },
    journal: { by: 'day', entries: [] },
  });
}

test.each<[string, { seq: number; paidAt: string }, string]>([
  ['looked at before', { seq: 3, paidAt: '2026-10-15T10:00:00Z' }, 'done'],
  ['carried out since, with an earlier time of the clock', { seq: 4, paidAt: '2026-10-15T10:00:00Z' }, 'refused'],
  ['carried out since, of later days', { seq: 4, paidAt: '2026-11-02T10:00:00Z' }, 'done'],
])('a close beside a delivery that was %s', async (_, { seq, paidAt }, outcome) => {
  const { db } = audited;
  db.keepAndApply(collection('C-1', 'success', { data: { created_at: paidAt, paid_at: paidAt } }));
  db.database
    .prepare('UPDATE collections SET changed_seq = ?, created_at_utc = ?, paid_at_utc = ?')
    .run(seq, paidAt, paidAt);
  carriedOut(seq);
  const closed = await close({ carriedOut: 3, asAtMs: Number.MAX_SAFE_INTEGER });
  expect(closed).toMatchObject({ outcome });
  if (closed.outcome === 'refused')
    expect(closed).toMatchObject({ reason: 'stale', message: expect.stringContaining('1 record has news since') });
});

test('a run keeps how far the log was carried out when the run began', async () => {
  carriedOut(5);
  expect(await close({ carriedOut: 5, asAtMs: AFTER_MS })).toMatchObject({ outcome: 'done' });
  carriedOut(9);
  const archive = await openStore(audited.db.path).archive();
  try {
    expect(await archive.lastRun()).toMatchObject({ carriedOut: 5 });
  } finally {
    await archive.close();
  }
});
