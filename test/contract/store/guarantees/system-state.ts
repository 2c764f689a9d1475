import { expect } from 'vitest';
import { SAMPLES_KEPT_MS } from '../../../../src/store/health.ts';
import { payout, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { finished, lease, only } from '../checking.ts';
import type { Guarantee } from '../world.ts';

const HOUR_MS = 3_600_000;
const QUERY = { stuckBeforeMs: START_MS };
const refusals = (likeness: 'ours' | 'signed' | 'other', count: number, atMs: number) => ({
  ...{ path: '/webhooks/live', lastPath: '/webhooks/live', reason: 'payload_signature_mismatch' },
  ...{ environments: ['live'] as const },
  ...{ likeness, count, firstAtMs: atMs, lastAtMs: atMs },
});

/** How everything stands, in a bounded number of rows. */
export const SYSTEM_STATE: readonly Guarantee[] = [
  {
    guarantee: 'samples of health are kept with their time, read from a time on, and deleted once they are old',
    async prove(world) {
      const { health } = await world.here.operations();
      const facts = { ...{ refused: 3, settled: 20, swept: 2, databaseBytes: 4_096, logBytes: 0 }, freeBytes: null };
      await health.sample({ ...facts, acks: null });
      world.clock.ms += HOUR_MS;
      await health.sample({ ...facts, acks: [1, 2], freeBytes: 9 });
      const archive = await world.there.archive();
      expect(await archive.healthSamples({ sinceMs: START_MS + 1 })).toEqual([
        { ...facts, atMs: START_MS + HOUR_MS, acks: [1, 2], freeBytes: 9 },
      ]);
      world.clock.ms += SAMPLES_KEPT_MS - HOUR_MS + 1;
      await health.sample({ ...facts, acks: null });
      const kept = await archive.healthSamples({ sinceMs: 0 });
      expect(kept.map(({ atMs }) => atMs - START_MS)).toEqual([HOUR_MS, SAMPLES_KEPT_MS + 1]);
    },
  },
  {
    guarantee: 'the latest delivery of each channel is known, duplicates included, and nothing of other channels',
    async prove(world) {
      const first = refund('R1', 'pending');
      await world.receive(first, payout('P1', 'successful'), { ...first, receivedAtMs: START_MS + HOUR_MS });
      const { arrivals } = await (await world.here.archive()).systemState(QUERY);
      expect(arrivals).toHaveLength(2);
      expect(arrivals.find(({ kind }) => kind === 'refund')).toMatchObject({
        deliveries: 2,
        lastAtMs: START_MS + HOUR_MS,
        gapSum: HOUR_MS,
      });
      expect(arrivals.find(({ kind }) => kind === 'payout')).toMatchObject({ deliveries: 1, lastAtMs: START_MS });
    },
  },
  {
    guarantee: 'a service that answers no check is failing since the first of them, until it answers one',
    async prove(world) {
      await world.receive(refund('R1', 'pending'), refund('R2', 'pending'));
      const failing = async () => (await (await world.there.archive()).systemState(QUERY)).serviceFailing;
      const leased = await lease(world.here);
      const { checks } = await world.here.operations();
      expect(await failing()).toEqual([]);
      await checks.finish(leased.slice(0, 1).map((one) => finished(one, null, { outcome: 'no_answer' })));
      world.clock.ms += 5_000;
      await checks.finish(leased.slice(1).map((one) => finished(one, null, { outcome: 'unavailable' })));
      expect(await failing()).toEqual([
        { environment: 'test', sinceMs: START_MS, failedAtMs: START_MS + 5_000, outcome: 'unavailable' },
      ]);
      world.clock.ms += HOUR_MS;
      const [again] = await lease(world.here);
      await checks.finish([finished(again as (typeof leased)[number], null, { outcome: 'not_found' })]);
      expect(await failing()).toEqual([]);
    },
  },
  {
    guarantee: 'signed refusals are one run until a delivery is kept, and those of strangers are none',
    async prove(world) {
      const count = async (...all: Parameters<typeof refusals>[]) => {
        const inbox = await world.there.inbox();
        for (const one of all) inbox.countRefusals([refusals(...one)], []);
        await world.there.close();
        return (await (await world.here.archive()).systemState(QUERY)).refused;
      };
      const flood = await count(
        ['other', 1_000_000, START_MS],
        ['signed', 2, START_MS + 1],
        ['signed', 1, START_MS + 2],
      );
      expect(flood.count).toBe(1_000_003);
      expect(flood.runs).toEqual([
        {
          ...{ environment: 'live', likeness: 'signed', reason: 'payload_signature_mismatch' },
          path: '/webhooks/live',
          ...{ count: 3, firstAtMs: START_MS + 1, lastAtMs: START_MS + 2 },
        },
      ]);
      await world.receive({ ...refund('R1', 'pending'), environment: 'live', receivedAtMs: START_MS + 3 });
      const after = await count(['signed', 1, START_MS + 4]);
      expect(after.runs).toMatchObject([{ count: 1, firstAtMs: START_MS + 4 }]);
    },
  },
  {
    guarantee: 'a process that receives is seen while it runs and after it stopped',
    async prove(world) {
      await world.here.inbox();
      const archive = await world.here.archive();
      const [running] = (await archive.systemState(QUERY)).receivers;
      expect(running).toMatchObject({
        pid: process.pid,
        startedAtMs: START_MS,
        stoppedAtMs: null,
        isGone: false,
        isThere: true,
      });
      world.clock.ms = START_MS + 5;
      await world.there.inbox();
      await world.there.close();
      const { receivers } = await archive.systemState(QUERY);
      expect(receivers).toHaveLength(2);
      expect(receivers[0]).toMatchObject({ startedAtMs: START_MS + 5, stoppedAtMs: START_MS + 5 });
    },
  },
  {
    guarantee: 'a refused key counts until a later check of the environment is answered with it, however many wait',
    async prove(world) {
      const live = { environment: 'live' } as const;
      await world.receive(refund('R1', 'pending'), refund('R2', 'pending'), refund('R3', 'pending'));
      await world.receive({ ...refund('L1', 'pending'), ...live }, { ...refund('L2', 'pending'), ...live });
      const { checks } = await world.here.operations();
      const taken = new Map((await lease(world.here)).map((one) => [one.reference, one]));
      const finish = async (reference: string, status: string | null, outcome?: 'key_refused' | 'unavailable') => {
        const leased = taken.get(reference) ?? only(await lease(world.here, { reference }, 1));
        taken.delete(reference);
        await checks.finish([finished(leased, status, outcome === undefined ? {} : { outcome })]);
        return (await (await world.here.archive()).systemState(QUERY)).keyRefused;
      };
      await finish('R1', null, 'key_refused');
      await finish('R2', null, 'key_refused');
      expect(await finish('L1', 'success')).toEqual([{ environment: 'test', records: 2 }]);
      expect(await finish('R3', null, 'unavailable')).toEqual([{ environment: 'test', records: 2 }]);
      expect(await finish('R3', 'pending')).toEqual([]);
      expect(await finish('L2', null, 'key_refused')).toEqual([{ environment: 'live', records: 1 }]);
      expect(await finish('R2', null, 'key_refused')).toContainEqual({ environment: 'test', records: 2 });
    },
  },
  {
    guarantee: 'due checks are counted with the oldest, and so are open findings and deliveries that wait',
    async prove(world) {
      const one = refund('R1', 'pending');
      const other = { ...one, body: Buffer.from(Buffer.from(one.body).toString().replace('50.00', '51.00')) };
      await world.receive(one, other, refund('R2', 'pending'));
      const { due, findings, waiting, storage } = await (await world.here.archive()).systemState(QUERY);
      expect(due).toEqual([{ environment: 'test', kind: 'refund', records: 2, oldestDueAtMs: START_MS }]);
      expect(findings).toContainEqual({ environment: 'test', kind: 'refund', code: 'variant', open: 1 });
      expect(waiting).toEqual({ deliveries: 0, sinceMs: null });
      expect(storage.databaseBytes).toBeGreaterThan(0);
    },
  },
];
