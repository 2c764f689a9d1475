import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import type { TargetRules } from '../../../src/domain/forwarding/forward-target.ts';
import { isSettled } from '../../../src/domain/records/lifecycle.ts';
import type { LeasedRow, OpenTarget } from '../../../src/store/outbox.ts';
import { FixedClock } from '../../support/fixed-clock.ts';
import { openOperations } from '../../support/operations.ts';
import { leastMet, randomRuns } from '../../support/random-runs.ts';
import { serviceAnswer } from '../../support/service-answer.ts';
import { payout, TestDatabase } from '../../support/test-database.ts';

// A model of a consumer beside the real database: random moves, faults, crashes and restarts, time that passes.

const RETRY = { firstMs: 1_000, maxMs: 10_000, giveUpMs: 60_000 };
const OPEN: OpenTarget = {
  name: 'shop',
  concurrency: 3,
  free: 3,
  timeoutMs: 1_000,
  includeBody: false,
  longestWaitMs: 4e6,
};
const target: TargetRules = {
  name: 'shop',
  environments: ['test'],
  kinds: ['payout'],
  when: 'confirmed',
  news: 'settled',
  events: null,
};

const references = ['P1', 'P2', 'P3'] as const;
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      reference: fc.constantFrom(...references),
      status: fc.constantFrom('pending', 'success', 'failed', 'reversed'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('attempt' as const),
      fate: fc.constantFrom('accepted', 'refused', 'accepted, answer lost', 'crash before', 'stopped'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(500, 11_000, 70_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

test('what a target accepted is, per record, in order, and ends in the last move that it selects', async () => {
  let dead = 0;
  let superseded = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const db = new TestDatabase();
      const clock = new FixedClock();
      let operations = openOperations(db.path, { ...STANDARD_CHECK_RULES, jitter: 0 }, clock);
      try {
        await operations.outbox.plan({ targets: [target] });
        db.keepAndApply(...references.map((reference) => payout(reference, 'pending')));
        const accepted: { id: string; reference: string; n: number; confirmed: string; body: string }[] = [];
        const contents = new Map<string, string>();

        const move = async (reference: string, status: string) => {
          const filter = { kinds: ['payout'], environments: ['test'], reference } as const;
          const [leased] = await operations.checks.lease({ filter, limit: 1, leaseMs: 1 });
          if (leased === undefined) return;
          const { counter, kind, recordId } = leased;
          await operations.checks.finish([
            { counter, kind, recordId, outcome: 'answered', answer: serviceAnswer('payout', status), detail: null },
          ]);
        };
        const take = (row: LeasedRow) => {
          const body = Buffer.from(row.body).toString();
          const { id, reference, n, confirmed } = JSON.parse(body);
          accepted.push({ id, reference, n, confirmed, body });
        };
        const attempt = async (fate: string) => {
          const { leased } = await operations.outbox.exchange({ ended: [], open: [OPEN] });
          expect(new Set(leased.map(({ reference }) => reference)).size).toBe(leased.length); // one at a time per record
          for (const row of leased) {
            const body = Buffer.from(row.body).toString();
            expect(contents.get(row.webhookId) ?? body).toBe(body);
            contents.set(row.webhookId, body);
            if (fate.startsWith('accepted')) take(row);
            if (fate === 'accepted, answer lost' || fate === 'crash before') continue;
            const outcome = fate === 'accepted' ? 'delivered' : fate === 'stopped' ? 'stopped' : 'refused';
            const { webhookId, attempt: number } = row;
            const facts = { status: null, detail: null, retry: RETRY, retryAfterMs: null, holdsTarget: false } as const;
            await operations.outbox.exchange({ ended: [{ webhookId, attempt: number, outcome, ...facts }], open: [] });
          }
        };

        for (const one of steps) {
          if (one.do === 'move') await move(one.reference, one.status);
          else if (one.do === 'attempt') await attempt(one.fate);
          else if (one.do === 'wait') clock.ms += one.ms;
          else if (one.do === 'retry')
            await operations.outbox.retry({ rows: { filter: { states: ['dead'] }, afterId: 0 }, dryRun: false });
          else {
            await operations.close();
            operations = openOperations(db.path, { ...STANDARD_CHECK_RULES, jitter: 0 }, clock);
          }
        }
        // The target is well again: everything that is open leaves, and a person tries dead letters again.
        for (let round = 0; round < 60; round++) {
          clock.ms += 15_000;
          await attempt('accepted');
          await operations.outbox.retry({ rows: { filter: { states: ['dead'] }, afterId: 0 }, dryRun: false });
        }
        const states = db.database.prepare<[], string>('SELECT state FROM outbox').pluck().all();
        expect(states.filter((state) => state === 'waiting' || state === 'failing')).toEqual([]);
        dead += states.filter((state) => state === 'dead').length;
        superseded += states.filter((state) => state === 'superseded').length;
        const history = db.database
          .prepare<[], { reference: string; n: number; to: string; from: string | null }>(`
            SELECT reference, n, to_status AS "to", from_status AS "from" FROM history JOIN payouts ON payouts.id = record_id
            WHERE history.kind = 'payout' AND field = 'confirmed' ORDER BY record_id, n`)
          .all();
        for (const reference of references) {
          const got = accepted.filter((one) => one.reference === reference);
          const selected = history
            .filter((one) => one.reference === reference)
            .filter(({ to, from }) => isSettled('payout', to) || (from !== null && isSettled('payout', from)));
          const places = got.map(({ n }) => n);
          expect(places).toEqual(places.toSorted((one, other) => one - other));
          for (const { n, confirmed } of got) expect(selected.find((one) => one.n === n)?.to).toBe(confirmed);
          expect(got.at(-1)?.n).toBe(selected.at(-1)?.n);
        }
      } finally {
        await operations.close();
        db.remove();
      }
    }),
    { numRuns: randomRuns(25) },
  );
  expect(superseded + dead).toBeGreaterThanOrEqual(leastMet(1));
});
