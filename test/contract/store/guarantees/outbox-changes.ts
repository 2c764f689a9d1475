import { expect } from 'vitest';
import type { ChangeOrder } from '../../../../src/store/outbox.ts';
import { payout, refund } from '../../../support/deliveries.ts';
import { check, finished, only } from '../checking.ts';
import { confirmed, end, lease, parsed, plan, RETRY, rows, shownStates, target } from '../forwarding.ts';
import type { Handle } from '../handle.ts';
import type { Guarantee } from '../world.ts';

const change = async (handle: Handle, what: 'retry' | 'drop', rowsOf: ChangeOrder['rows'], dryRun = false) =>
  (await handle.operations()).outbox[what]({ rows: rowsOf, dryRun });
const all = { filter: {}, afterId: 0 };

/** What people do to rows: try again, drop, replay. */
export const OUTBOX_CHANGES: readonly Guarantee[] = [
  {
    guarantee:
      'pruning leaves a record alone while news of it will leave, and then empties the bodies of those that will not',
    async prove(world) {
      await plan(world.here, target());
      await confirmed(world, 'R1', 'success');
      const { pruning, checks } = await world.here.operations();
      const [watched] = await checks.lease({
        filter: { kinds: ['refund'], environments: ['test'], reference: 'R1' },
        limit: 1,
        leaseMs: 1,
      });
      if (watched !== undefined) await checks.finish([{ ...finished(watched, 'success') }]);
      const prune = async () => (await pruning.prune({ beforeMs: world.clock.ms, after: null })).records;
      world.clock.ms += 1_000;
      expect(await prune()).toBe(0);
      const row = only(await lease(world.here));
      await end(world.here, row, 'refused', { status: 500, retry: { ...RETRY, giveUpMs: 0 } });
      const archive = await world.there.archive();
      expect((await archive.outboxRow(row.webhookId))?.body).not.toBeNull();
      expect(await prune()).toBe(1);
      expect(await archive.outboxRow(row.webhookId)).toMatchObject({ state: 'dead', body: null, attemptsLog: [] });
      expect(await change(world.here, 'retry', { webhookIds: [row.webhookId] })).toMatchObject({
        refusals: [{ reason: 'body gone' }],
      });
    },
  },
  {
    guarantee: 'a retried row is due now, with its attempts; a dead one begins its age anew',
    async prove(world) {
      await plan(world.here, target());
      await confirmed(world, 'R1', 'success');
      await end(world.here, only(await lease(world.here)), 'refused', { status: 500, retryAfterMs: 600_000 });
      expect(await lease(world.here)).toEqual([]);
      expect(await change(world.there, 'retry', all)).toMatchObject({ matched: 1, changed: 1, skipped: 0, next: null });
      world.clock.ms += RETRY.giveUpMs;
      await end(world.here, only(await lease(world.here)), 'refused', { status: 500 });
      expect(await shownStates(world.here)).toEqual(['refund.success dead']);
      await change(world.there, 'retry', all);
      const again = only(await lease(world.here));
      expect(again.attempt).toBe(3);
      await end(world.here, again, 'refused', { status: 500 });
      expect(await shownStates(world.here)).toEqual(['refund.success failing']);
    },
  },
  {
    guarantee: 'a dead move behind which a newer one was attempted is not retried, and says why',
    async prove(world) {
      await plan(world.here, target());
      await world.receive(payout('P1', 'pending'));
      await check(world.here, 'P1', 'success');
      const first = only(await lease(world.here));
      await end(world.here, first, 'refused', { status: 500 });
      world.clock.ms += RETRY.giveUpMs;
      await end(world.here, only(await lease(world.here)), 'refused', { status: 500 });
      await check(world.here, 'P1', 'reversed');
      const named = { webhookIds: [first.webhookId, 'msg_none'] };
      expect(await change(world.here, 'retry', named, true)).toMatchObject({
        changed: 1,
        refusals: [{ reason: 'unknown' }],
      });
      await lease(world.here);
      expect(await change(world.here, 'retry', named)).toMatchObject({
        changed: 0,
        refusals: [{ reason: 'unknown' }, { webhookId: first.webhookId, reason: 'overtaken' }],
      });
    },
  },
  {
    guarantee: 'a retried event waits for a newer one of its record that is under way, and goes before the others',
    async prove(world) {
      await plan(world.here, target({ when: 'received' }));
      for (const [minute, status] of ['pending', 'processing', 'success'].entries()) {
        await world.receive(refund('R1', status, { updatedAt: `2026-11-20T09:0${minute}:00Z` }));
      }
      const dead = only(await lease(world.here));
      await end(world.here, dead, 'refused', { status: 500, retry: { ...RETRY, giveUpMs: 0 } });
      const underWay = only(await lease(world.here));
      await change(world.there, 'retry', { webhookIds: [dead.webhookId] });
      expect(await lease(world.here)).toEqual([]);
      await end(world.here, underWay);
      expect(only(await lease(world.here)).webhookId).toBe(dead.webhookId);
    },
  },
  {
    guarantee: 'a dropped row leaves its body and its place; a dry run changes nothing',
    async prove(world) {
      await plan(world.here, target());
      await world.receive(payout('P1', 'pending'));
      for (const status of ['success', 'reversed']) await check(world.here, 'P1', status);
      const first = only(await lease(world.here));
      expect(await change(world.there, 'drop', all, true)).toMatchObject({ matched: 2, changed: 1, skipped: 1 });
      await end(world.here, first, 'stopped', { status: null });
      expect(await change(world.there, 'drop', { webhookIds: [first.webhookId] })).toMatchObject({ changed: 1 });
      expect(await (await world.here.archive()).outboxRow(first.webhookId)).toMatchObject({
        state: 'dropped',
        body: null,
      });
      expect(parsed(only(await lease(world.here)))).toMatchObject({
        type: 'payout.reversed',
        missing: [first.webhookId],
      });
      expect(await change(world.there, 'retry', { webhookIds: [first.webhookId] })).toMatchObject({ changed: 0 });
    },
  },
  {
    guarantee: 'a replay writes one row per record with its last selected move, behind the others, and applies nothing',
    async prove(world) {
      await world.receive(payout('P1', 'pending'), payout('P2', 'pending'));
      for (const status of ['success', 'reversed']) await check(world.here, 'P1', status);
      await plan(world.here, target());
      const events = await (await world.here.archive()).events({}, { limit: 10, order: 'oldest' });
      const order = { target: 'shop', replay: null, eventIds: events.map(({ id }) => id) };
      const { outbox } = await world.there.operations();
      const planned = await outbox.replay({ ...order, dryRun: true });
      expect(planned.events).toEqual([
        { key: 'payout test P1', written: true },
        { key: 'payout test P2', written: false },
      ]);
      expect(await rows(world.here)).toEqual([]);
      const { replay } = await outbox.replay({ ...order, dryRun: false });
      await outbox.replay({ ...order, replay, dryRun: false }); // the next part of the same replay
      const row = only(await rows(world.here));
      expect(row).toMatchObject({ type: 'payout.reversed', replayed: true, n: 3 });
      await outbox.replay({ ...order, dryRun: false });
      const first = only(await lease(world.here));
      expect(parsed(first)).toMatchObject({
        id: row.webhookId,
        replayed: true,
        supersedes: [],
        previous: 'success',
        n: 3,
      });
      await end(world.here, first, 'refused', { status: 500 });
      world.clock.ms += RETRY.maxMs;
      expect(only(await lease(world.here)).webhookId).toBe(row.webhookId);
      await expect(outbox.replay({ ...order, target: 'unknown', dryRun: false })).rejects.toThrow(/no target unknown/);
    },
  },
];
