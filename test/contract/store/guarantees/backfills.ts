import { expect } from 'vitest';
import { refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { lease, openFindings, record } from '../checking.ts';
import { completeWalk, ListWalk, listed } from '../listing.ts';
import type { Guarantee } from '../world.ts';

const HOUR_MS = 3_600_000;
const NOTHING = { missed: 0, absent: 0 };

/** Walks along the service's list of refunds. */
export const BACKFILLS: readonly Guarantee[] = [
  {
    guarantee: 'a row of an unknown refund makes a record that is due, unless it is too old',
    async prove(world) {
      const walk = await ListWalk.begin(world.here);
      const rows = [listed('R1'), listed('R2', 'success', 5), listed('R3', 'success', null)];
      expect(await walk.record(rows, { createSinceMs: 6 })).toEqual({
        created: ['R1', 'R3'],
        known: 0,
        news: 0,
        older: 1,
      });
      expect((await lease(world.there)).map(({ reference }) => reference).toSorted()).toEqual(['R1', 'R3']);
      expect(await record(world.there, 'refund', 'R1')).toMatchObject({
        reported: null,
        observations: [{ witness: 'list', status: 'success' }],
      });
    },
  },
  {
    guarantee: 'a row that says what is known changes nothing; one that says something else is news',
    async prove(world) {
      await world.receive(refund('R1', 'success'), refund('R2', 'success'));
      await lease(world.here);
      const walk = await ListWalk.begin(world.here);
      const counts = { created: [], known: 2, news: 1, older: 0 };
      expect(await walk.record([listed('R1'), listed('R2', 'rejected')])).toEqual(counts);
      expect((await record(world.here, 'refund', 'R1')).observations).toHaveLength(1);
      expect(await record(world.here, 'refund', 'R2')).toMatchObject({ dueAtMs: START_MS });
      expect((await record(world.here, 'refund', 'R2')).observations).toHaveLength(2);
    },
  },
  {
    guarantee: 'a row that is read again, by another walk too, is the same observation',
    async prove(world) {
      const rows = [listed('R1', 'pending')];
      for (const handle of [world.here, world.there]) {
        const walk = await ListWalk.begin(handle);
        for (let n = 0; n < 2; n++) await walk.record(rows);
        await walk.finish('stopped');
      }
      expect((await record(world.here, 'refund', 'R1')).observations).toHaveLength(1);
    },
  },
  {
    guarantee: 'a preview counts what recording would, and writes nothing',
    async prove(world) {
      await world.receive(refund('R1', 'success'));
      const { backfills } = await world.here.operations();
      const rows = [listed('R1', 'rejected'), listed('R2')];
      const preview = await backfills.preview({ environment: 'test', rows, createSinceMs: 0 });
      expect(await (await world.there.archive()).records('refund', {}, { limit: 9, order: 'oldest' })).toHaveLength(1);
      const walk = await ListWalk.begin(world.here);
      expect(await walk.record(rows)).toEqual(preview);
    },
  },
  {
    guarantee: 'a refund that two complete walks in a row missed is absent, and one walk is no proof',
    async prove(world) {
      await world.receive(refund('R1', 'success'), refund('R2', 'success'));
      expect(await completeWalk(world.here, [listed('R1')])).toEqual({ missed: 1, absent: 0 });
      expect(await openFindings(world.here)).toEqual([]);
      world.clock.ms += HOUR_MS;
      expect(await completeWalk(world.there, [listed('R1')])).toEqual({ missed: 1, absent: 1 });
      expect(await openFindings(world.here)).toEqual(['absent R2']);
    },
  },
  {
    guarantee: 'a refund that is listed again is absent no more, and must be missed twice again',
    async prove(world) {
      await world.receive(refund('R1', 'success'));
      for (let n = 0; n < 2; n++) await completeWalk(world.here, []);
      expect(await openFindings(world.here)).toEqual(['absent R1']);
      expect(await completeWalk(world.here, [listed('R1')])).toEqual(NOTHING);
      expect(await openFindings(world.here)).toEqual([]);
      world.clock.ms += HOUR_MS;
      await world.receive(refund('R1', 'success', { updatedAt: '2026-11-20T09:10:00Z' })); // news: judged again
      expect(await completeWalk(world.here, [])).toEqual({ missed: 1, absent: 0 });
    },
  },
  {
    guarantee: 'a refund that became known during a walk is not judged by it',
    async prove(world) {
      await world.receive(refund('R1', 'success'));
      const walk = await ListWalk.begin(world.there);
      await world.receive(refund('R2', 'success'), refund('R3', 'pending'));
      expect(await walk.judge()).toEqual({ missed: 1, absent: 0 });
    },
  },
  {
    guarantee: 'a refund of another environment, and one that is only expected, are not judged',
    async prove(world) {
      await world.receive(refund('R1', 'success', {}, { environment: 'live', keyId: 'live-1' }));
      const { tracking } = await world.here.operations();
      const expectation = { kind: 'refund', environment: 'test', amount: null, currency: null } as const;
      await tracking.track({ expected: [{ ...expectation, reference: 'R2', expectedByMs: null }] });
      expect(await completeWalk(world.here, [])).toEqual(NOTHING);
    },
  },
  {
    guarantee: 'a refund that a later walk has seen is not missed by an earlier one that ends after it',
    async prove(world) {
      await world.receive(refund('R1', 'success'));
      const early = await ListWalk.begin(world.here);
      await completeWalk(world.there, [listed('R1')]);
      expect(await early.judge()).toEqual(NOTHING);
    },
  },
  {
    guarantee: 'the window begins before the last complete walk without a gap; a walk that broke off moves nothing',
    async prove(world) {
      const sinceOf = async (outcome: 'complete' | 'stopped' | 'failed', sinceMs: number | null = null) => {
        const walk = await ListWalk.begin(world.here, { sinceMs, overlapMs: 1_000 });
        await walk.finish(outcome);
        world.clock.ms += HOUR_MS;
        return walk.sinceMs;
      };
      expect([await sinceOf('stopped'), await sinceOf('failed'), await sinceOf('complete')]).toEqual([0, 0, 0]);
      const coveredMs = START_MS + 2 * HOUR_MS;
      expect(await sinceOf('complete', START_MS + 3 * HOUR_MS)).toBe(START_MS + 3 * HOUR_MS); // leaves a gap
      expect([await sinceOf('stopped'), await sinceOf('complete')]).toEqual([coveredMs - 1_000, coveredMs - 1_000]);
      expect(await sinceOf('complete')).toBe(START_MS + 5 * HOUR_MS - 1_000);
    },
  },
  {
    guarantee: 'a walk goes on at the last page of one that was cut short, and after the end begins at the first page',
    async prove(world) {
      const next = async (over: { sinceMs?: number } = {}) => {
        world.clock.ms += HOUR_MS;
        return ListWalk.begin(world.there, over);
      };
      const first = await ListWalk.begin(world.here);
      await first.record([listed('R1')], { lastPage: 'page=3' });
      await first.record([listed('R2')]); // no further page was read whole
      await first.finish('failed', 'page=4');
      const second = await next();
      await second.finish('limited', 'page=9');
      const third = await next();
      await third.finish('resumed', 'page=13');
      const walks = [first, second, third, await next()];
      expect(walks.map(({ firstPage }) => firstPage)).toEqual(['page=1', 'page=4', 'page=9', 'page=1']);
    },
  },
  {
    guarantee:
      'a walk whose process died is gone on with later; one that runs, and one with a window of its own, are not',
    async prove(world) {
      const died = await ListWalk.begin(world.here);
      await died.record([listed('R1')], { lastPage: 'cursor=abc' });
      const beside = await ListWalk.begin(world.there);
      expect(beside.firstPage).toBe('page=1');
      await beside.record([listed('R1')], { lastPage: 'cursor=def' });
      world.clock.ms += HOUR_MS;
      expect((await ListWalk.begin(world.here, { environment: 'live' })).firstPage).toBe('page=1');
      expect((await ListWalk.begin(world.here)).firstPage).toBe('cursor=def');
      expect((await ListWalk.begin(world.here, { sinceMs: 5 })).firstPage).toBe('page=1');
    },
  },
  {
    guarantee: 'judging in stretches counts every missed refund once',
    async prove(world) {
      const rows = Array.from({ length: 2_300 }, (_, n) => listed(`R${n}`));
      const first = await ListWalk.begin(world.here);
      await first.record(rows);
      expect(await first.judge()).toEqual(NOTHING);
      await first.finish('complete');
      const unlisted = rows.filter((_, n) => n % 2 === 0);
      const second = await ListWalk.begin(world.here, { overlapMs: HOUR_MS });
      await second.record(rows.filter((_, n) => n % 2 === 1));
      expect(await second.judge()).toEqual({ missed: unlisted.length, absent: 0 });
    },
  },
];
