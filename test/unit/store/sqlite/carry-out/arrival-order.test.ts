import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { OUTCOMES } from '../../../../../src/domain/checks/check.ts';
import { LIFECYCLES, RECORD_KINDS, type RecordKind } from '../../../../../src/domain/records/lifecycle.ts';
import type { Delivery } from '../../../../../src/store/inbox.ts';
import { randomRuns } from '../../../../support/random-runs.ts';
import { Sweeping } from '../../../../support/sweeping.ts';
import { collection, delivery, payout, refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';

// The whole way through the store: webhooks kept and applied, checks leased and finished, in any order of arrival.

const world = new Sweeping();
afterAll(() => world.close());

const MINUTE_MS = 60_000;
interface Reported {
  readonly status: string;
  readonly minute: number;
}
interface Answered extends Reported {
  readonly outcome: (typeof OUTCOMES)[number];
}

let made = 0;

function deliveryOf(kind: RecordKind, reference: string, { status, minute }: Reported): Delivery {
  const updatedAt = new Date(START_MS + minute * MINUTE_MS).toISOString();
  return { refund, payout, collection }[kind](reference, status, { updatedAt });
}

/** Checks the record now with this answer; does nothing without a record. */
async function tell(kind: RecordKind, reference: string, { status, outcome }: Answered, atMs: number): Promise<void> {
  const filter = { kinds: [kind], environments: ['test'], reference } as const;
  world.clock.ms = atMs;
  const [leased] = await world.operations.checks.lease({ filter, limit: 1, leaseMs: MINUTE_MS });
  if (leased === undefined) throw new Error('there was no record to check');
  const { counter, recordId } = leased;
  const stated = { status, time: null, facts: {}, details: {}, times: {}, unreadable: [], contradiction: false };
  const answer = outcome === 'answered' ? { stated, digest: '0'.repeat(64) } : null;
  const ended = { counter, kind, recordId, outcome, answer, detail: null };
  expect(await world.operations.checks.finish([ended])).toMatchObject([{ accepted: true }]);
}

/** Webhooks and answers in this order of arrival; each answer is given at its own time. Returns where that ends. */
async function play(
  kind: RecordKind,
  webhooks: readonly Reported[],
  answers: readonly Answered[],
  positions: readonly number[],
) {
  const reference = `ORDER-${made++}`;
  const steps: (() => Promise<void> | void)[] = webhooks.map(
    (one) => () => void world.db.keepAndApply(deliveryOf(kind, reference, one)),
  );
  for (const [index, answer] of answers.entries()) {
    // Answers keep their own order, which is that of their counters; the first webhook makes the record.
    const place = Math.min(steps.length, 1 + index + (positions[index] ?? 0));
    steps.splice(place, 0, () => tell(kind, reference, answer, START_MS + (index + 1) * 10 * MINUTE_MS));
  }
  for (const step of steps) await step();
  const state = world.row<Record<string, unknown>>(
    `SELECT reported, reported_time, confirmed, confirmed_at, amount_minor, currency FROM ${kind}s WHERE reference = ?`,
    reference,
  );
  const findings = world.rows(
    `SELECT code, subject, detail FROM findings
     WHERE reference = ? AND closed_at IS NULL AND code <> 'stuck' ORDER BY code, subject`,
    reference,
  );
  return { state, findings };
}

test.each(RECORD_KINDS)(
  'every order of arrival of a %s’s webhooks and answers ends in the same state',
  async (kind) => {
    const statuses = fc.constantFrom(...LIFECYCLES[kind].ranks.flat());
    const webhook = fc.record({ status: statuses, minute: fc.integer({ min: -30, max: 30 }) });
    const outcome = fc.constantFrom('answered', 'answered', 'answered', 'not_found', 'unavailable', 'unreadable');
    const answered = fc.record({ status: statuses, minute: fc.constant(0), outcome }) as fc.Arbitrary<Answered>;
    const webhooks = fc.array(webhook, { minLength: 1, maxLength: 5 });
    const answers = fc.array(answered, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(webhooks, answers, fc.infiniteStream(fc.nat(6)), async (sent, answered, choices) => {
        const first = await play(kind, sent, answered, [0, 0, 0]);
        for (let attempt = 0; attempt < 3; attempt++) {
          const [a = 0, b = 0, c = 0] = choices.take(3);
          const keyed = sent.map((webhook) => ({ webhook, key: choices.next().value ?? 0 }));
          const shuffled = keyed.sort((one, other) => one.key - other.key).map(({ webhook }) => webhook);
          // Answers never overtake each other.
          expect(await play(kind, shuffled, answered, [a, Math.max(a, b), Math.max(a, b, c)])).toEqual(first);
        }
      }),
      { numRuns: randomRuns(25) },
    );
  },
);

/** What a payout is after events with these data, which arrive one by one in a database of their own. */
function payoutAfter(datas: readonly Record<string, unknown>[]) {
  const db = new TestDatabase();
  for (const data of datas) db.keepAndApply(payout('P1', 'success', { data }));
  const fields = db.database
    .prepare(
      `SELECT reported, reported_time, amount_minor, currency, bank_code, account_number, fee_exact, stamp_duty_exact,
              bank_name, account_name, narration, session_id FROM payouts`,
    )
    .all();
  const findings = db.database
    .prepare('SELECT code, subject, detail FROM findings WHERE closed_at IS NULL ORDER BY code, subject')
    .all();
  db.remove();
  return { fields, findings };
}

test('of two events with the same observation, the same one gives the fields in either order of arrival', () => {
  // Payout events carry no updated_at (interface 6.3): two that differ in a fee are two events, level in rank and time.
  const data = fc.record({
    fee: fc.constantFrom('1.00', '2.50', 3, null),
    bank_name: fc.constantFrom('One', 'Two'),
    narration: fc.constantFrom('a', 'b'),
    updated_at: fc.constantFrom(undefined, undefined, '2026-11-20T09:00:00Z'),
  });
  const datas = fc.array(data, { minLength: 2, maxLength: 4 });
  const orders = datas.chain((one) =>
    fc.tuple(fc.constant(one), fc.shuffledSubarray(one, { minLength: one.length, maxLength: one.length })),
  );
  fc.assert(
    fc.property(orders, ([one, another]) => {
      expect(payoutAfter(another)).toEqual(payoutAfter(one));
    }),
    { numRuns: randomRuns(20) },
  );
});

test('of two encodings of one event it does not matter which came first', () => {
  const encodings = ['12', '12.0', '1.2e1', '120E-1', '12.000'].map(
    (number) =>
      `{"notify":"payout","notifyType":"successful","data":{"reference":"P1","bank_code":${number},"fee":${number}}}`,
  );
  const states = encodings.map((body) => {
    const db = new TestDatabase();
    const kept = [body, ...encodings].flatMap((each) => db.keepAndApply(delivery(each)));
    expect(new Set(kept.map(({ eventId }) => eventId)).size).toBe(1);
    const state = db.database.prepare('SELECT bank_code, fee_exact FROM payouts').all();
    db.remove();
    return state;
  });
  for (const state of states) expect(state).toEqual([{ bank_code: '12', fee_exact: '12.00' }]);
});
