import { expect } from 'vitest';
import { delivery, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { allBodies } from '../../../support/walking.ts';
import type { Guarantee } from '../world.ts';

const text = (body: Uint8Array) => Buffer.from(body).toString();
const one = refund('R1', 'pending', { data: { note: 'ü/1' } });
const oneText = text(one.body);

/** A delivery becomes an event, once. */
export const INBOX: readonly Guarantee[] = [
  {
    guarantee: 'a delivery that comes again is a duplicate of its event',
    async prove(world) {
      const [first, again] = await world.receive(one, { ...one, receivedAtMs: START_MS + 5 });
      expect(first).toMatchObject({ duplicate: false, variant: false });
      expect(again).toEqual({ eventId: first?.eventId, duplicate: true, variant: false });
      const [event, ...others] = await allBodies(await world.here.archive());
      expect(others).toEqual([]);
      expect(event).toMatchObject({ deliveries: 2, lastReceivedAtMs: START_MS + 5, receivedAtMs: START_MS });
    },
  },
  {
    guarantee: 'the same content in another encoding is a duplicate, and the first bytes stay',
    async prove(world) {
      const spaced = JSON.stringify(JSON.parse(oneText), null, 2);
      const escaped = oneText.replace('ü/1', '\\u00fc\\/1');
      const again = [spaced, escaped].map((body) => ({ ...one, body: Buffer.from(body) }));
      const kept = await world.receive(one, ...again);
      expect(kept.map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
      const events = await allBodies(await world.here.archive());
      expect(events.map(({ body }) => text(body))).toEqual([oneText]);
    },
  },
  {
    guarantee: "another content under an event's key is a variant, and both bodies are kept byte for byte",
    async prove(world) {
      const other = { ...one, body: Buffer.from(oneText.replace('50.00', '51.00')) };
      const [first, variant, again] = await world.receive(one, other, other);
      expect([variant, again]).toEqual([
        { eventId: first?.eventId, duplicate: false, variant: true },
        { eventId: first?.eventId, duplicate: true, variant: false },
      ]);
      const [event] = await allBodies(await world.here.archive());
      expect([event, ...(event?.contents ?? [])].map((content) => content && text(content.body))).toEqual([
        oneText,
        text(other.body),
      ]);
      expect(event).toMatchObject({ deliveries: 3, variants: 1, contents: [{ deliveries: 2 }] });
    },
  },
  {
    guarantee: 'another time, name or environment is an event of its own',
    async prove(world) {
      const kept = await world.receive(
        one,
        refund('R1', 'pending', { updatedAt: '2026-11-20T09:00:01Z' }),
        refund('R1', 'success'),
        { ...one, environment: 'live', keyId: 'live-1' },
      );
      expect(new Set(kept.map(({ eventId }) => eventId)).size).toBe(4);
    },
  },
  {
    guarantee: 'what cannot be read is kept byte for byte and quarantined, an empty body too',
    async prove(world) {
      const bytes = Uint8Array.from([0, 255, 254, 123, 10]);
      await world.receive({ ...one, body: bytes }, delivery(''), refund('R2', 'success', { data: { domain: 'live' } }));
      const events = await allBodies(await world.here.archive());
      expect(events.map(({ state, quarantine }) => `${state} ${quarantine}`)).toEqual([
        'quarantined unreadable_body',
        'quarantined unreadable_body',
        'quarantined other_environment',
      ]);
      expect(events.slice(0, 2).map(({ body }) => [...body])).toEqual([[...bytes], []]);
      expect(await (await world.here.archive()).records('refund', {}, { limit: 9, order: 'oldest' })).toEqual([]);
    },
  },
  {
    guarantee: 'the status of an event is shown only while all its contents agree, in every order',
    async prove(world) {
      const contents = (reference: string) =>
        ['pending', 'pending', 'failed'].map((status, n) =>
          delivery({ event: 'transaction', data: { reference, updated_at: '2026-11-20T09:00:00Z', status, n } }),
        );
      await world.receive(...contents('C1').slice(0, 2), ...contents('C2'), ...contents('C3').toReversed());
      const events = await (await world.here.archive()).events({}, { limit: 9, order: 'oldest' });
      expect(events.map(({ status }) => status)).toEqual(['pending', null, null]);
    },
  },
];
