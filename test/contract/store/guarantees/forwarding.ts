import { expect } from 'vitest';
import { payout, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { check, only } from '../checking.ts';
import {
  confirmed,
  end,
  exchange,
  LEASE_MS,
  lease,
  parsed,
  plan,
  RETRY,
  rows,
  shownStates,
  target,
} from '../forwarding.ts';
import type { Guarantee } from '../world.ts';

/** How rows leave: leases, order, superseding, dead letters. */
export const FORWARDING: readonly Guarantee[] = [
  {
    guarantee: 'a row has one holder, until its lease is over; then it is failing, and the first holder ends nothing',
    async prove(world) {
      await plan(world.here, target());
      await confirmed(world, 'R1', 'success');
      const first = only(await lease(world.here));
      expect(first).toMatchObject({ attempt: 1, leasedUntilMs: START_MS + LEASE_MS });
      expect(await lease(world.there)).toEqual([]);
      world.clock.ms += LEASE_MS;
      await world.receive(refund('R1', 'success')); // another body would be built now
      expect(await shownStates(world.there)).toEqual(['refund.success failing']);
      expect(await end(world.here, first)).toBe(false);
      const second = only(await lease(world.there));
      expect([second.webhookId, second.attempt, Buffer.compare(second.body, first.body)]).toEqual([
        first.webhookId,
        2,
        0,
      ]);
      expect(await end(world.here, first)).toBe(false);
      expect(await end(world.there, second)).toBe(true);
      const kept = await (await world.here.archive()).outboxRow(first.webhookId);
      expect(kept).toMatchObject({ state: 'delivered', body: null, deliveredAtMs: world.clock.ms });
      expect(kept?.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(kept?.attemptsLog.map(({ outcome }) => outcome)).toEqual(['lost', 'delivered']);
    },
  },
  {
    guarantee: 'no row is leased of a record on which an attempt that has ended still works; others are not held up',
    async prove(world) {
      await plan(world.here, target());
      for (const reference of ['R1', 'R2']) await confirmed(world, reference, 'success');
      const working = [{ environment: 'test', kind: 'refund', reference: 'R1' }];
      const [one] = await lease(world.here, { free: 1, working });
      expect(one).toMatchObject({ reference: 'R2', attempt: 1 });
      expect(await lease(world.here, { working })).toEqual([]);
      expect(only(await lease(world.here))).toMatchObject({ reference: 'R1', attempt: 1 });
    },
  },
  {
    guarantee: 'no more attempts are under way at once than the target allows, of all processes together',
    async prove(world) {
      await plan(world.here, target());
      for (const reference of ['R1', 'R2', 'R3', 'R4']) await confirmed(world, reference, 'success');
      const [here, there] = await Promise.all([
        lease(world.here, { concurrency: 3, free: 2 }),
        lease(world.there, { concurrency: 3, free: 2 }),
      ]);
      expect(here.length + there.length).toBe(3);
      await end(world.here, here[0] as never);
      expect(await lease(world.there, { concurrency: 3 })).toHaveLength(1);
    },
  },
  {
    guarantee: 'rows of one record leave one after the other, and records never wait for one another',
    async prove(world) {
      await plan(world.here, target());
      await world.receive(payout('P1', 'pending'), payout('P2', 'pending'));
      for (const status of ['success', 'reversed']) await check(world.here, 'P1', status);
      await check(world.here, 'P2', 'failed');
      const leased = await lease(world.here);
      expect(leased.map(({ type }) => type).toSorted()).toEqual(['payout.failed', 'payout.success']);
      for (const row of leased) await end(world.here, row);
      expect(only(await lease(world.here)).type).toBe('payout.reversed');
    },
  },
  {
    guarantee: 'a failing move is superseded by the next, which names all since the last delivered one',
    async prove(world) {
      await plan(world.here, target());
      await world.receive(payout('P1', 'pending'));
      for (const status of ['success', 'pending', 'failed']) await check(world.here, 'P1', status);
      const first = only(await lease(world.here));
      await end(world.here, first, 'refused', { status: 500 });
      const second = only(await lease(world.here));
      expect([second.type, parsed(second).supersedes]).toEqual(['payout.pending', [first.webhookId]]);
      await end(world.here, second, 'timeout', { status: null });
      const third = only(await lease(world.here));
      expect([third.type, parsed(third).supersedes]).toEqual(['payout.failed', [first.webhookId, second.webhookId]]);
      await end(world.here, third);
      expect(await shownStates(world.here)).toEqual([
        'payout.success superseded',
        'payout.pending superseded',
        'payout.failed delivered',
      ]);
      expect((await rows(world.here))[0]).toMatchObject({ supersededBy: second.webhookId, outcome: 'refused' });
    },
  },
  {
    guarantee: 'a move whose attempt is under way is not superseded, nor is a received event',
    async prove(world) {
      await plan(world.here, target(), target({ name: 'facts', when: 'received' }));
      await world.receive(payout('P1', 'pending'), payout('P1', 'success', { updatedAt: '2026-11-20T09:30:00Z' }));
      await check(world.here, 'P1', 'success');
      const underWay = only(await lease(world.here));
      await check(world.here, 'P1', 'reversed');
      expect(await lease(world.here)).toEqual([]);
      await end(world.here, underWay);
      const pending = only(await lease(world.here, { name: 'facts' }));
      await end(world.here, pending, 'refused', { status: 500 });
      world.clock.ms += RETRY.maxMs;
      expect(only(await lease(world.here, { name: 'facts' }))).toMatchObject({
        webhookId: pending.webhookId,
        attempt: 2,
      });
    },
  },
  {
    guarantee: 'a row is dead when an attempt fails long after its first one, and the next goes on and names it',
    async prove(world) {
      await plan(world.here, target({ when: 'received' }));
      await world.receive(refund('R1', 'pending'), refund('R1', 'success', { updatedAt: '2026-11-20T09:30:00Z' }));
      const first = only(await lease(world.here));
      await end(world.here, first, 'refused', { status: 500 });
      world.clock.ms += 10 * RETRY.giveUpMs; // time alone kills nothing
      expect((await shownStates(world.here))[0]).toBe('refund.pending failing');
      await end(world.here, only(await lease(world.here)), 'refused', { status: 500 });
      expect((await shownStates(world.here))[0]).toBe('refund.pending dead');
      const next = only(await lease(world.here));
      expect(parsed(next)).toMatchObject({ missing: [first.webhookId], supersedes: [] });
    },
  },
  {
    guarantee:
      'the wait before the next attempt lies anywhere below its limit, and never below what the target asks for',
    async prove(world) {
      await plan(world.here, target());
      for (const reference of ['R1', 'R2', 'R3', 'R4']) await confirmed(world, reference, 'success');
      for (const row of await lease(world.here)) await end(world.here, row, 'refused', { status: 500 });
      const dues = (await rows(world.here)).map(({ dueAtMs }) => dueAtMs - START_MS);
      expect(dues.every((ms) => ms >= 0 && ms <= RETRY.firstMs)).toBe(true);
      expect(new Set(dues).size).toBeGreaterThan(1);
      world.clock.ms += RETRY.firstMs;
      const [row] = await lease(world.here);
      await end(world.here, row as never, 'refused', { status: 500, retryAfterMs: 3_600_000 });
      expect((await rows(world.here, { reference: row?.reference }))[0]?.dueAtMs).toBe(world.clock.ms + 3_600_000);
    },
  },
  {
    guarantee: 'an answer may hold the whole target, or disable it until a person enables it',
    async prove(world) {
      await plan(world.here, target());
      for (const reference of ['R1', 'R2', 'R3']) await confirmed(world, reference, 'success');
      const [one] = await lease(world.here, { free: 1 });
      await end(world.here, one as never, 'refused', { status: 503, retryAfterMs: 60_000, holdsTarget: true });
      expect(await lease(world.here)).toEqual([]);
      const heldAtMs = world.clock.ms;
      const obstacles = async () => (await rows(world.there)).map(({ obstacle }) => obstacle);
      const held = { is: 'held', sinceMs: heldAtMs, untilMs: heldAtMs + 60_000, status: 503 };
      expect(await obstacles()).toEqual([held, held, held]);
      world.clock.ms += 60_000;
      expect(await obstacles()).toEqual([null, null, null]);
      const [two] = await lease(world.here, { free: 1 });
      await end(world.here, two as never, 'gone', { status: 410 });
      world.clock.ms += 4 * 3_600_000;
      await plan(world.there, target()); // a restart does not enable it
      expect(await lease(world.here)).toEqual([]);
      expect((await obstacles())[0]).toEqual({ is: 'disabled', sinceMs: heldAtMs + 60_000 });
      await confirmed(world, 'R4', 'success');
      expect(await rows(world.here)).toHaveLength(4);
      const { outbox } = await world.there.operations();
      expect([await outbox.enable({ target: 'shop' }), await outbox.enable({ target: 'other' })]).toEqual([
        true,
        false,
      ]);
      expect(await lease(world.here)).toHaveLength(4);
    },
  },
  {
    guarantee: 'enabling a target ends its hold, and the waits of its failing rows',
    async prove(world) {
      await plan(world.here, target());
      for (const reference of ['R1', 'R2']) await confirmed(world, reference, 'success');
      const [held, gone] = await lease(world.here);
      await end(world.here, held as never, 'refused', { status: 429, retryAfterMs: 3_600_000, holdsTarget: true });
      await end(world.here, gone as never, 'gone', { status: 410, retryAfterMs: 1_800_000 });
      expect(await lease(world.here)).toEqual([]);
      await (await world.there.operations()).outbox.enable({ target: 'shop' });
      expect((await rows(world.here)).map(({ obstacle, dueAtMs }) => [obstacle, dueAtMs])).toEqual([
        [null, world.clock.ms],
        [null, world.clock.ms],
      ]);
      expect(await lease(world.here)).toHaveLength(2);
    },
  },
  {
    guarantee: 'a stopped attempt is tried again at once, and is no reason to give up',
    async prove(world) {
      await plan(world.here, target());
      await confirmed(world, 'R1', 'success');
      const first = only(await lease(world.here));
      await end(world.here, first, 'stopped', { status: null });
      expect(await exchange(world.there, [])).toMatchObject({ leased: [{ webhookId: first.webhookId, attempt: 2 }] });
    },
  },
];
