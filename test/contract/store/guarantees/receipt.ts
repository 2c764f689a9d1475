import { expect } from 'vitest';
import { refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { allBodies } from '../../../support/walking.ts';
import { runOf } from '../matching.ts';
import type { Guarantee } from '../world.ts';

const one = refund('R1', 'pending');

/** When a delivery counts as kept, and what is refused. */
export const RECEIPT: readonly Guarantee[] = [
  {
    guarantee: 'of concurrent deliveries of one key in two processes, one makes the event',
    async prove(world) {
      const inboxes = [await world.here.inbox(), await world.there.inbox()];
      for (let round = 0; round < 5; round++) {
        const same = refund(`R${round}`, 'pending');
        await Promise.all(Array.from({ length: 8 }, (_, n) => inboxes[n % 2]?.keep(same)));
        await world.carriedOut();
      }
      const events = await (await world.here.archive()).events({}, { limit: 100, order: 'oldest' });
      expect(events.map(({ deliveries }) => deliveries)).toEqual([8, 8, 8, 8, 8]);
    },
  },
  {
    guarantee: 'of concurrent deliveries of two contents in two processes, both are kept under one event',
    async prove(world) {
      const inboxes = [await world.here.inbox(), await world.there.inbox()];
      const amounts = ['50.00', '51.00', '50.00', '51.00', '50.00', '51.00'];
      const contents = amounts.map((amount) => refund('R1', 'pending', { data: { amount } }));
      await Promise.all(contents.map((content, n) => inboxes[(n >> 1) % 2]?.keep(content)));
      await world.carriedOut();
      const [event, ...others] = await allBodies(await world.here.archive());
      expect([others, event?.deliveries, event?.contents.length]).toEqual([[], 6, 1]);
    },
  },
  {
    guarantee: 'a kept delivery is carried out, and can then be read by another process at once',
    async prove(world) {
      const archive = await world.there.archive();
      for (let n = 0; n < 20; n++) {
        const [{ eventId } = { eventId: 0 }] = await world.receive(refund(`R${n}`, 'pending'));
        expect(await archive.event(eventId)).toMatchObject({ id: eventId, reference: `R${n}`, deliveries: 1 });
      }
    },
  },
  {
    guarantee: 'a kept delivery that is not carried out yet waits, and another process counts it',
    async prove(world) {
      const [inbox, archive] = [await world.here.inbox(), await world.there.archive()];
      const keeping = Array.from({ length: 400 }, (_, n) => inbox.keep(refund(`R${n}`, 'pending')));
      await Promise.all(keeping);
      // Read in this order: what is carried out meanwhile is counted twice, and nothing is missed.
      const { deliveries } = await archive.waiting();
      const { events } = await archive.stats();
      expect(deliveries + events).toBeGreaterThanOrEqual(400);
      await world.carriedOut();
      expect([await archive.waiting(), (await archive.stats()).events]).toEqual([
        { deliveries: 0, sinceMs: null },
        400,
      ]);
    },
  },
  {
    guarantee: 'a command that writes first carries out what was kept before it',
    async prove(world) {
      const { keep } = await world.here.inbox();
      for (const reference of ['R1', 'R2']) {
        await keep(refund(reference, 'pending'));
        const { runs } = await world.another().operations();
        const { run } = await runs.beginRun(runOf());
        await runs.abandonRun({ run });
        expect(await (await world.there.archive()).waiting()).toEqual({ deliveries: 0, sinceMs: null });
      }
    },
  },
  {
    guarantee: 'over the limit a delivery is refused, and those before it are kept',
    async prove(world) {
      const inbox = await world.another({ limit: 2 }).inbox();
      const waiting = [inbox.keep(refund('R1', 'pending')), inbox.keep(refund('R2', 'pending'))];
      const refused = { fault: 'queue_full', kind: 'unavailable' };
      await expect(inbox.keep(refund('R3', 'pending'))).rejects.toMatchObject(refused);
      await Promise.all(waiting);
      await inbox.keep(refund('R4', 'pending'));
      await world.carriedOut();
      const events = await (await world.here.archive()).events({}, { limit: 9, order: 'oldest' });
      expect(events.map(({ reference }) => reference)).toEqual(['R1', 'R2', 'R4']);
    },
  },
  {
    guarantee: 'a closing inbox keeps what it accepted and refuses what comes after',
    async prove(world) {
      const inbox = await world.there.inbox();
      const accepted = Array.from({ length: 50 }, (_, n) => inbox.keep(refund(`R${n}`, 'pending')));
      const closing = inbox.close();
      await expect(inbox.keep(one)).rejects.toMatchObject({ fault: 'closing', kind: 'unavailable' });
      await Promise.all([closing, ...accepted]);
      await world.here.inbox(); // a shared log is carried out by who is left
      await world.carriedOut();
      expect((await (await world.here.archive()).stats()).events).toBe(50);
    },
  },
  {
    guarantee: 'what was kept is there after every process has ended',
    async prove(world) {
      await world.receive(one, refund('R2', 'success'));
      const before = await allBodies(await world.here.archive());
      await world.here.close();
      expect(await allBodies(await world.there.archive())).toEqual(before);
      await world.here.inbox(); // the next start
      expect(await world.receive(one)).toMatchObject([{ duplicate: true }]);
    },
  },
  {
    guarantee: 'refused requests are counted by path and reason, with samples, and keep no body',
    async prove(world) {
      const inbox = await world.there.inbox();
      const times = { firstAtMs: START_MS, lastAtMs: START_MS + 9 };
      const origin = { likeness: 'other', environments: ['test'], lastPath: '/webhooks/test' } as const;
      const sample = { atMs: START_MS, path: '/webhooks/test', reason: 'signature', contentLength: 4 };
      inbox.countRefusals(
        [{ path: '/webhooks/test', reason: 'signature', count: 3, ...origin, ...times }],
        [{ ...sample, remoteAddress: '192.0.2.1', userAgent: null }],
      );
      inbox.countRefusals([{ path: '/webhooks/test', reason: 'signature', count: 2, ...origin, ...times }], []);
      await world.there.close();
      const archive = await world.here.archive();
      expect((await archive.stats()).refusals).toMatchObject([{ reason: 'signature', count: 5, ...times }]);
      expect(await archive.refusalSamples()).toMatchObject([{ ...sample, remoteAddress: '192.0.2.1' }]);
    },
  },
];
