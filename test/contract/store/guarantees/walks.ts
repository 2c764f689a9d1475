import { expect } from 'vitest';
import type { Cursor } from '../../../../src/store/cursor.ts';
import type { EventFilter } from '../../../../src/store/events.ts';
import { delivery, payout, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { allBodies } from '../../../support/walking.ts';
import { names, receiveAll, walked } from '../following.ts';
import type { Guarantee } from '../world.ts';

/** Cursors: how a reader goes through all events. No guarantee supposes that ids are ordered or without gaps. */
export const WALKS: readonly Guarantee[] = [
  {
    guarantee: 'a walk gives each event once, in one order, however long its stretches are',
    async prove(world) {
      await receiveAll(world, ...names(10));
      const archive = await world.here.archive();
      const kept = await archive.eventEnd();
      const { references } = await walked(archive, kept);
      expect(references.toSorted()).toEqual(names(10));
      for (const limit of [1, 2, 5, 10, 11, 1_000]) {
        expect((await walked(archive, kept, null, {}, limit)).references).toEqual(references);
      }
    },
  },
  {
    guarantee: 'a walk of bodies goes the same way as a walk of summaries',
    async prove(world) {
      await receiveAll(world, ...names(7));
      await world.receive(refund('R3', 'pending', { data: { amount: '51.00' } }));
      const archive = await world.here.archive();
      const bodies = await allBodies(archive, {}, 2);
      const { references } = await walked(archive, await archive.eventEnd());
      expect(bodies.map(({ reference }) => reference)).toEqual(references);
      expect(bodies.filter(({ contents }) => contents.length > 0).map(({ reference }) => reference)).toEqual(['R3']);
    },
  },
  {
    guarantee: 'an empty database has an end, and a walk to it is done at once',
    async prove(world) {
      const archive = await world.here.archive();
      const until = await archive.eventEnd();
      const step = await archive.nextEvents({}, { after: null, until, limit: 5 });
      expect([step.events, step.done]).toEqual([[], true]);
    },
  },
  {
    guarantee: 'an end that is not behind the beginning holds nothing, and the walk does not go back',
    async prove(world) {
      await receiveAll(world, ...names(3));
      const archive = await world.here.archive();
      const early = await archive.eventEnd();
      await receiveAll(world, ...names(3, 'L'));
      const late = await archive.eventEnd();
      const { references, place } = await walked(archive, early, late);
      expect(references).toEqual([]);
      expect((await walked(archive, late, place)).references).toEqual([]);
    },
  },
  {
    guarantee: 'a filter leaves the others out, and they do not stop the walk',
    async prove(world) {
      const hour = (hours: number) => ({ receivedAtMs: START_MS + hours * 3_600_000 });
      await world.receive(
        refund('R1', 'pending'),
        refund('R1', 'success', { updatedAt: '2026-11-20T09:05:00Z' }, hour(1)),
        payout('P1', 'success', {}, hour(2)),
        refund('R2', 'failed', {}, { environment: 'live', keyId: 'live-1', ...hour(3) }),
        delivery({ event: 'balance.low', data: { reference: 'R1' } }, hour(4)),
        refund('R3', 'success', { data: { domain: 'live' } }, hour(6)),
      );
      const archive = await world.here.archive();
      const kept = await archive.eventEnd();
      const found = async (filter: EventFilter) => {
        const { references } = await walked(archive, kept, null, filter, 1);
        const page = await archive.events(filter, { limit: 100, order: 'oldest' });
        expect(page.map(({ reference }) => reference).toSorted()).toEqual(references.toSorted());
        return references.toSorted();
      };
      expect(await found({ environment: 'live' })).toEqual(['R2']);
      expect(await found({ kinds: ['payout'] })).toEqual(['P1']);
      expect(await found({ events: ['refund.success'] })).toEqual(['R1', 'R3']);
      expect(await found({ states: ['quarantined'] })).toEqual(['R3']);
      expect(await found({ states: ['unknown'] })).toEqual(['R1']);
      expect(await found({ statuses: ['success'] })).toEqual(['P1', 'R1']);
      expect(await found({ statuses: ['success'], kinds: ['refund'] })).toEqual(['R1']);
      expect(await found({ reference: 'R1' })).toEqual(['R1', 'R1', 'R1']);
      expect(await found({ sinceMs: START_MS + 3 * 3_600_000 })).toEqual(['R1', 'R2', 'R3']);
      expect(await found({ untilMs: START_MS + 2 * 3_600_000 })).toEqual(['R1', 'R1']);
      expect(await found({ reference: "R'" })).toEqual([]);
    },
  },
  {
    guarantee: 'a place of another engine is refused',
    async prove(world) {
      const archive = await world.here.archive();
      const until = await archive.eventEnd();
      const after = 'a place on the moon' as Cursor;
      await expect(archive.nextEvents({}, { after, until, limit: 1 })).rejects.toMatchObject({ name: 'StoreError' });
    },
  },
  {
    guarantee: 'pages hold every event once, in either direction',
    async prove(world) {
      const kept = await receiveAll(world, ...names(7));
      const archive = await world.here.archive();
      for (const order of ['newest', 'oldest'] as const) {
        const seen: number[] = [];
        for (;;) {
          const afterId = seen.at(-1);
          const page = await archive.events({}, { limit: 3, order, ...(afterId !== undefined && { afterId }) });
          if (page.length === 0) break;
          seen.push(...page.map(({ id }) => id));
        }
        expect(seen.toSorted()).toEqual(kept.map(({ eventId }) => eventId).toSorted());
      }
    },
  },
];
