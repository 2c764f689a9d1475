import { afterEach, beforeEach, expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../../../src/domain/checks/next-check.ts';
import { STANDARD_REASONS } from '../../../../src/domain/exceptions/reasons.ts';
import { RECORD_KINDS } from '../../../../src/domain/records/lifecycle.ts';
import { reconcileAndKeep } from '../../../../src/reconcile/keep/keep-run.ts';
import type { ReconcileOrder } from '../../../../src/reconcile/load/order.ts';
import { loadRules } from '../../../../src/reconcile/rules/load.ts';
import type { Archive } from '../../../../src/store/archive.ts';
import type { Exception } from '../../../../src/store/exceptions.ts';
import { openArchive } from '../../../../src/store/sqlite/read/archive.ts';
import { checked } from '../../../support/check.ts';
import { collection } from '../../../support/deliveries.ts';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';
import { plantedOctober } from '../../../support/reconciling.ts';
import { TestDatabase } from '../../../support/test-database.ts';

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };
const DECEMBER = { from: '2026-12-01', to: '2026-12-31' };
const JANUARY = { from: '2027-01-01', to: '2027-01-04' };
const NOW_MS = Date.parse('2027-01-05T00:00:00Z');
const rules = await loadRules();

/** Not due yet when October ended. */
const DUE_IN_NOVEMBER = ['R-reserve stuck', 'R-young stuck'];

let db: TestDatabase;
let operations: OpenOperations;
let archive: Archive;
/** Runs that were made: each knows a millisecond more than the one before. */
let runs = 0;
beforeEach(async () => {
  runs = 0;
  db = new TestDatabase(await plantedOctober());
  operations = openOperations(db.path, STANDARD_CHECK_RULES);
  archive = openArchive(db.path);
});
afterEach(async () => {
  await archive.close();
  await operations.close();
  db.remove();
});

async function run(days: typeof OCTOBER, over: Partial<ReconcileOrder> = {}): Promise<number> {
  const order: ReconcileOrder = {
    ...{ ...days, asAtMs: NOW_MS + runs++, dayRule: { zone: 'UTC', cutOffMinutes: 1_440 } },
    ...{ kinds: RECORD_KINDS, withoutEndpoint: [], rules, begin: null },
    ...over,
  };
  return (await reconcileAndKeep(archive, operations, order)).run;
}

/** Of October: C-later is one of November's own. */
async function all(): Promise<readonly Exception[]> {
  const statuses = ['open', 'assigned', 'resolved', 'closed', 'reopened'] as const;
  const { rows } = await archive.exceptions({ statuses }, { after: null, limit: 500 });
  return rows.filter(({ reference }) => reference !== 'C-later');
}

async function resolveAll(how: 'carry' | 'claim'): Promise<void> {
  const said = { reference: how === 'claim' ? 'CLM-1' : null, followUp: how === 'claim' ? '2026-12-01' : null };
  const reasonCode = how === 'claim' ? 'service_error' : 'next_period';
  const resolution = { resolution: how, reasonCode, comment: null, attachments: [], lines: [], ...said } as const;
  const acts = (await all()).map(({ id }) => ({ id, act: 'resolve' as const, by: 'ada', ...resolution }));
  const results = await operations.exceptions.act({ acts, reasons: STANDARD_REASONS });
  expect(results.map(({ outcome }) => outcome)).not.toContain('refused');
}

const states = async () =>
  Object.fromEntries((await all()).map(({ reference, sub, code, status }) => [`${reference} ${sub ?? code}`, status]));
const closed = async () =>
  Object.entries(await states())
    .filter(([, status]) => status === 'closed')
    .map(([name]) => name);
const lastOf = async (reference: string) => {
  const [one] = await archive.exceptionsNaming(reference);
  const log = await archive.exceptionLog(one?.id ?? '');
  const { act, run: by } = log.at(-1) ?? {};
  return [act, by];
};

/** The causes of some go: a check confirms, a webhook arrives, an amount is mended. */
async function mend(): Promise<void> {
  const nowMs = Date.parse('2026-11-12T00:00:00Z');
  await checked(db, 'R-stuck', 'success', { kind: 'refund', nowMs });
  const over = { receivedAtMs: nowMs };
  db.keepAndApply(
    collection('C-never', 'success', { updatedAt: '2026-11-11T09:00:00Z', data: { amount: '70.00' } }, over),
  );
  await checked(db, 'C-over', 'success', {
    kind: 'collection',
    data: { requested_amount: '12.00', amount: '12.00' },
    nowMs,
  });
}

test('what was carried stays open in later months while its cause is there, whatever the break is', async () => {
  await run(OCTOBER);
  const found = await all();
  expect(found.length).toBeGreaterThan(20);
  await resolveAll('carry');
  const december = await run(DECEMBER);
  const again = await all();
  expect(again.map(({ id, status, lastRun }) => [id, status, lastRun])).toEqual(
    found.map(({ id }) => [id, 'open', december]),
  );
  await run(JANUARY);
  expect(new Set(Object.values(await states()))).toEqual(new Set(['open']));
});

test('a run of the next period closes what was carried once its cause is gone, and the log names that run', async () => {
  await run(OCTOBER);
  await resolveAll('carry');
  await run(NOVEMBER);
  await mend();
  await run(NOVEMBER, { account: 'wallet-main' });
  await run(NOVEMBER, { kinds: ['payout'] });
  expect(await closed()).toEqual([]);
  const november = await run(NOVEMBER);
  expect(await closed()).toEqual(expect.arrayContaining(['R-stuck stuck', 'C-never never_seen']));
  expect(await lastOf('R-stuck')).toEqual(['gone', november]);
  expect(await lastOf('C-never')).toEqual(['gone', november]);
});

test('what was carried and is gone before a later month is run is closed by its first run', async () => {
  await run(OCTOBER);
  await resolveAll('carry');
  await mend();
  const december = await run(DECEMBER);
  expect(await lastOf('R-stuck')).toEqual(['gone', december]);
  expect((await states())['P-fee fee_mismatch']).toBe('open');
});

test('a claim about a record of a closed period holds until its cause is gone', async () => {
  await run(OCTOBER);
  const claimed = new Set((await all()).map(({ id }) => id));
  await resolveAll('claim');
  const closedOctober = {
    environment: 'test',
    accounts: null,
    ...OCTOBER,
    run: 1,
    closedAtMs: NOW_MS,
    // The claims were made after that run and before the close.
    decidedUntilMs: NOW_MS + 1,
    balances: [],
  } as const;
  await run(NOVEMBER, { closed: [closedOctober] });
  const later = (await all()).filter(({ id }) => !claimed.has(id));
  expect(later.map(({ reference, code }) => `${reference} ${code}`).sort()).toEqual(DUE_IN_NOVEMBER);
  expect(later.map(({ status }) => status)).toEqual(['open', 'open']);
  const statuses = (await all()).filter(({ id }) => claimed.has(id)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(['resolved']));
  await mend();
  await run(NOVEMBER);
  // October is open again: its own run has them as not due yet.
  expect((await closed()).sort()).toEqual(DUE_IN_NOVEMBER);
  const november = await run(NOVEMBER, { closed: [closedOctober] });
  expect(await lastOf('R-stuck')).toEqual(['gone', november]);
  expect((await states())['P-fee fee_mismatch']).toBe('resolved');
});

test('a run of one kind alone closes nothing that is still there', async () => {
  await run(OCTOBER);
  for (const kind of RECORD_KINDS) {
    await run(OCTOBER, { kinds: [kind] });
    expect([kind, await closed()]).toEqual([kind, []]);
  }
});
