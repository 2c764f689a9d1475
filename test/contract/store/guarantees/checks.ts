import { expect } from 'vitest';
import type { LeasedCheck } from '../../../../src/store/checks.ts';
import { payout, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { check, finished, lease, only, openFindings, record } from '../checking.ts';
import { EXACT, type Guarantee, type World } from '../world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What a finished check does, and when a record is due. */
export const CHECKS: readonly Guarantee[] = [
  {
    guarantee: 'news makes a record due by the clock of the store, not by that of the receiver',
    ownTime: true,
    async prove(world) {
      world.clock.ms = START_MS + 5 * DAY_MS;
      await world.receive(refund('R1', 'pending', {}, { receivedAtMs: START_MS }));
      await world.receive(refund('R2', 'pending', {}, { receivedAtMs: START_MS + 9 * DAY_MS }));
      const atMs = START_MS + 5 * DAY_MS;
      for (const name of ['R1', 'R2']) {
        expect(await record(world.here, 'refund', name)).toMatchObject({ dueAtMs: atMs, changedAtMs: atMs });
      }
    },
  },
  {
    guarantee: 'with a delay, news makes a record due that much later',
    options: { debounceMs: 7_000 },
    async prove(world) {
      await world.receive(refund('R1', 'pending'));
      expect((await record(world.here, 'refund', 'R1')).dueAtMs).toBe(START_MS + 7_000);
      expect(await lease(world.there)).toEqual([]);
      world.clock.ms += 7_000;
      expect(await lease(world.there)).toHaveLength(1);
    },
  },
  {
    guarantee: 'after a check the next due time counts from the clock of the store when it was finished',
    async prove(world) {
      await world.receive(refund('R1', 'pending'));
      const leased = only(await lease(world.here));
      world.clock.ms += 10_000;
      const { checks } = await world.here.operations();
      expect(await checks.finish([finished(leased, 'pending')])).toMatchObject([
        { accepted: true, confirmed: 'pending', changed: true, dueAtMs: START_MS + 10_000 + MINUTE_MS },
      ]);
      expect(await record(world.there, 'refund', 'R1')).toMatchObject({
        confirmed: 'pending',
        confirmedAtMs: START_MS + 10_000,
        dueAtMs: START_MS + 10_000 + MINUTE_MS,
        check: { outcome: 'answered', attempts: 1, failures: 0, leasedUntilMs: null, outcomeAtMs: START_MS + 10_000 },
      });
    },
  },
  {
    guarantee: 'a final status ends the checks; news makes the record due again',
    async prove(world) {
      await world.receive(refund('R1', 'success'));
      expect(await check(world.here, 'R1', 'success')).toMatchObject({ settled: true, dueAtMs: null });
      world.clock.ms += DAY_MS;
      expect(await lease(world.here)).toEqual([]);
      await world.receive(refund('R1', 'rejected', { updatedAt: '2026-11-20T11:00:00Z' }));
      expect(await lease(world.here)).toMatchObject([{ reference: 'R1', attempts: 1 }]);
    },
  },
  {
    guarantee: 'news that comes during a check keeps the record due, whatever the check answers',
    async prove(world) {
      const leased = await newsDuringCheck(world);
      const { checks } = await world.there.operations();
      expect(await checks.finish([finished(leased, 'success')])).toMatchObject([
        { accepted: true, confirmed: 'success', dueAtMs: START_MS + 1_000 },
      ]);
      expect(await lease(world.here)).toMatchObject([{ reference: 'R1' }]);
    },
  },
  {
    guarantee: 'news that comes during a check that is then released keeps its own due time',
    async prove(world) {
      const leased = await newsDuringCheck(world);
      await (await world.there.operations()).checks.release([leased]);
      expect((await record(world.here, 'refund', 'R1')).dueAtMs).toBe(START_MS + 1_000);
    },
  },
  {
    guarantee: 'a failed check confirms nothing and counts as a failure; the waits grow',
    async prove(world) {
      await world.receive(refund('R1', 'pending'));
      for (const [failures, waitMs] of [
        [1, MINUTE_MS],
        [2, 5 * MINUTE_MS],
        [3, 15 * MINUTE_MS],
      ] as const) {
        expect(await check(world.here, 'R1', null)).toMatchObject({ dueAtMs: world.clock.ms + waitMs });
        const { confirmed, check: state } = await record(world.here, 'refund', 'R1');
        expect([confirmed, state?.attempts, state?.failures]).toEqual([null, failures, failures]);
        world.clock.ms += waitMs;
      }
    },
  },
  {
    guarantee: 'when the attempts are used up the record is stuck, with a finding that news closes at the next check',
    options: { checkRules: { ...EXACT, attempts: 2 } },
    async prove(world) {
      await world.receive(refund('R1', 'pending'));
      expect(await check(world.here, 'R1', 'pending')).toMatchObject({ stuck: false });
      expect(await check(world.here, 'R1', 'pending')).toMatchObject({ stuck: true, dueAtMs: null });
      expect(await openFindings(world.there)).toEqual(['stuck R1']);
      const stuck = await (await world.there.archive()).stuck({ firstSeenBeforeMs: 0 }, { limit: 9 });
      expect(stuck).toMatchObject([{ reference: 'R1', check: { stuckAtMs: START_MS } }]);
      world.clock.ms += 1;
      await world.receive(refund('R1', 'processing', { updatedAt: '2026-11-20T09:30:00Z' }));
      await check(world.here, 'R1', 'processing');
      expect(await openFindings(world.there)).toEqual([]);
    },
  },
  {
    guarantee: 'a check for a waiting customer counts as no attempt and puts off no due time',
    async prove(world) {
      await world.receive(refund('R1', 'pending'));
      await check(world.here, 'R1', 'pending');
      world.clock.ms += 10_000;
      const extra = only(await lease(world.here, { reference: 'R1' }));
      const { checks } = await world.here.operations();
      await checks.finish([finished(extra, 'pending', { extra: { dueAtMs: extra.dueAtMs } })]);
      const { dueAtMs, check: state } = await record(world.here, 'refund', 'R1');
      expect([dueAtMs, state?.attempts]).toEqual([START_MS + MINUTE_MS, 1]);
    },
  },
  {
    guarantee: 'the confirmed status is that of the latest answer, as old as the clock of the store says',
    async prove(world) {
      const named = { kind: 'payout', environment: 'test', reference: 'P1' } as const;
      const { checks } = await world.there.operations();
      expect(await checks.confirmedStatus(named)).toBeNull();
      await world.receive(payout('P1', 'success'));
      expect(await checks.confirmedStatus(named)).toMatchObject({ status: null, answerAgeMs: null, disputed: false });
      const leased = only(await lease(world.here));
      const data = { amount: '90071992547409.93', currency: 'NGN' };
      await (await world.here.operations()).checks.finish([finished(leased, 'success', { data })]);
      world.clock.ms += 1_234;
      expect(await checks.confirmedStatus(named)).toEqual({
        reference: 'P1',
        status: 'success',
        answerAgeMs: 1_234,
        amount: '90071992547409.93',
        currency: 'NGN',
        disputed: true, // the webhook named 100.00
      });
    },
  },
  {
    guarantee: 'an endpoint that gave a usable answer is proven for every process, in its environment',
    async prove(world) {
      const proof = { environment: 'live', endpoint: 'payout' } as const;
      const [here, journal] = [await world.here.operations(), await world.there.journal()];
      expect(await here.checks.proven('live')).toEqual([]);
      await Promise.all([here.checks.prove(proof), journal.prove(proof)]);
      expect([await journal.proven('live'), await here.checks.proven('live')]).toEqual([['payout'], ['payout']]);
      expect(await here.checks.proven('test')).toEqual([]);
    },
  },
];

/** Leases a check of R1; a second later news of R1 arrives. Returns the leased check. */
async function newsDuringCheck(world: World): Promise<LeasedCheck> {
  await world.receive(refund('R1', 'processing'));
  const leased = only(await lease(world.there));
  world.clock.ms += 1_000;
  await world.receive(refund('R1', 'success', { updatedAt: '2026-11-20T09:30:00Z' }));
  return leased;
}
