import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount, isAmount } from '../../../src/domain/money/amount.ts';
import type { Item } from '../../../src/domain/reconciling/break.ts';
import { breakOf } from '../../../src/reconcile/recon-break.ts';
import { type Reconciliation, reconcile } from '../../../src/reconcile/reconcile.ts';
import { loadRules } from '../../../src/reconcile/rules/load.ts';
import { openStore } from '../../../src/store/open.ts';
import { checked } from '../../support/check.ts';
import { payout, refund } from '../../support/deliveries.ts';
import { FixedClock } from '../../support/fixed-clock.ts';
import { randomRuns } from '../../support/random-runs.ts';
import { TestDatabase } from '../../support/test-database.ts';

const DAY_MS = 86_400_000;
const OCTOBER_MS = Date.parse('2026-10-01T00:00:00Z');
const RECEIVED_MS = Date.parse('2026-11-03T00:00:00Z');
const NOW_MS = Date.parse('2026-12-01T00:00:00Z');
const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A refund as both witnesses tell it. Times are days from 1 October, some of them in September or November. */
const told = fc.record({
  kind: fc.constantFrom('refund' as const, 'payout' as const),
  begun: fc.integer({ min: -40, max: 35 }),
  took: fc.integer({ min: 0, max: 5 }),
  reported: fc.constantFrom('processing', 'success', 'failed', 'awaiting_settlement'),
  answered: fc.option(fc.constantFrom('processing', 'success', 'failed', 'awaiting_settlement')),
  amount: fc.constantFrom('50.00', '90071992547409.93'),
  theirs: fc.constantFrom('same', 'same', 'other'),
  fee: fc.constantFrom('0.19836', '1.00'),
  otherFee: fc.constantFrom(null, null, '0.19837'),
  environment: fc.constantFrom('test' as const, 'live' as const),
});
type Told = typeof told extends fc.Arbitrary<infer Value> ? Value : never;

/** The rules of the specification once more, as plainly as possible; it shares nothing with the code. */
function oracle(one: Told, index: number): string[] {
  const effectiveDay = one.begun + one.took;
  if (effectiveDay < 0 || effectiveDay > 30) return [];
  const name = `${one.environment} ${one.kind} ${index}`;
  const settled = one.kind === 'refund' ? ['success'] : ['success', 'failed'];
  const found: string[] = [];
  if (one.answered !== null && one.theirs === 'other') found.push(`break amount_mismatch amount ${name}`);
  const same = one.answered === one.reported;
  if (same && one.otherFee !== null) found.push(`break fee_mismatch fee ${name}`);
  // The service settled a payout as failed, and a webhook says that it succeeded. Of a refund success is ahead of all.
  const isContradicted = one.kind === 'payout' && one.answered === 'failed' && one.reported === 'success';
  if (isContradicted) found.push(`break status_mismatch status ${name}`);
  const waits = one.answered === null || !settled.includes(one.answered);
  if (!waits) return found;
  const status = one.answered ?? one.reported;
  const limit = one.kind === 'payout' ? 3 : status === 'awaiting_settlement' ? 30 : 10;
  // Judged at the last millisecond of day 30.
  const late = 31 > one.begun + limit;
  return [...found, late ? `break stuck status ${name}` : `timing timing status ${name}`];
}

const shownValue = (value: unknown) => (isAmount(value) ? formatAmount(value) : value);
const line =
  (list: string) =>
  ({ facts, environment, kind, reference }: Item) =>
    `${list} ${facts.code} ${facts.field} ${environment} ${kind} ${reference}`;

async function report(all: readonly Told[], order: readonly number[]): Promise<Reconciliation> {
  const db = new TestDatabase();
  try {
    for (const index of order) {
      const one = all[index] as Told;
      const make = one.kind === 'refund' ? refund : payout;
      const updatedAt = iso(OCTOBER_MS + (one.begun + one.took) * DAY_MS);
      const began = iso(OCTOBER_MS + one.begun * DAY_MS);
      const data = { amount: one.amount, currency: 'USD', fee: one.fee, requested_at: began, created_at: began };
      const over = { environment: one.environment, receivedAtMs: RECEIVED_MS };
      db.keepAndApply(make(String(index), one.reported, { updatedAt, data }, over));
      if (one.answered === null) continue;
      const amount = one.theirs === 'same' ? one.amount : '7.00';
      const answer = { ...data, amount, fee: one.otherFee ?? one.fee, updated_at: updatedAt };
      const about = { kind: one.kind, environment: one.environment, nowMs: RECEIVED_MS + 60_000 };
      await checked(db, String(index), one.answered, { ...about, data: answer });
    }
    db.database.exec(`INSERT OR IGNORE INTO proven_endpoints (environment, endpoint, proven_at)
      VALUES ('test', 'payout', 1), ('live', 'payout', 1)`);
    const archive = await openStore(db.path, { clock: new FixedClock(NOW_MS) }).archive();
    try {
      return await reconcile(archive, {
        kinds: ['refund', 'payout', 'collection'],
        from: '2026-10-01',
        to: '2026-10-31',
        asAtMs: NOW_MS,
        dayRule: { zone: 'UTC', cutOffMinutes: 1_440 },
        withoutEndpoint: [],
        rules: await loadRules(),
        begin: null,
      });
    } finally {
      await archive.close();
    }
  } finally {
    db.remove();
  }
}

const months = fc
  .array(told, { minLength: 1, maxLength: 12 })
  .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })));

test('a month has exactly the breaks that the specification gives it, in whatever order it arrives', async () => {
  const property = fc.asyncProperty(months, async ([all, shuffled]) => {
    const first = await report(all, [...all.keys()]);
    const found = [...first.breaks.map(line('break')), ...first.timing.map(line('timing'))];
    expect(found.toSorted()).toEqual(all.flatMap(oracle).toSorted());
    expect(first.notConfirmed).toEqual([]);
    const other = await report(all, shuffled);
    expect(withoutIds(other)).toBe(withoutIds(first));
  });
  await fc.assert(property, { numRuns: randomRuns(25) });
});

/** Everything that a report says but for the numbers that rows have in one database. */
function withoutIds({ span, ...result }: Reconciliation): string {
  const shown = (items: readonly Item[]) => items.map((item) => breakOf(item, span.judgedDay, null));
  const lists = { breaks: shown(result.breaks), timing: shown(result.timing) };
  return JSON.stringify({ ...result, ...lists }, (_name, value) =>
    typeof value === 'bigint' ? `${value}n` : shownValue(value),
  );
}

test('the totals of a month are the sums of its records', async () => {
  const property = fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 8 }), async (all) => {
    const { totals } = await report(all, [...all.keys()]);
    const sums: Record<string, bigint> = {};
    for (const one of all) {
      const day = one.begun + one.took;
      if (day < 0 || day > 30) continue;
      const amount = one.answered !== null && one.theirs === 'other' ? '7.00' : one.amount;
      const name = `${one.environment} ${one.kind} ${one.answered ?? one.reported}`;
      sums[name] = (sums[name] ?? 0n) + BigInt(amount.replace('.', ''));
    }
    const found = totals.map(({ environment, kind, status, total }) => [
      `${environment} ${kind} ${status}`,
      BigInt(formatAmount(total).replace('.', '')),
    ]);
    expect(Object.fromEntries(found)).toEqual(sums);
  });
  await fc.assert(property, { numRuns: randomRuns(10) });
});
