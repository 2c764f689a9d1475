import { expect } from 'vitest';
import { START_MS } from '../../../support/fixed-clock.ts';
import { only } from '../checking.ts';
import { DUE_MS, daily, end, HOUR_MS, hourly, LEASE_MS, leaseDue, leaseEarly, plan, state } from '../running.ts';
import type { Guarantee } from '../world.ts';

/** A job has one holder, and its planned times are those of the store's clock. */
export const JOBS: readonly Guarantee[] = [
  {
    guarantee: 'a job is planned from now by the clock of the store, in its own zone',
    async prove(world) {
      await plan(world.here, hourly, daily);
      const next = [await state(world.there, 'backfill'), await state(world.there, 'backup')];
      expect(next.map((job) => job?.nextRunAtMs)).toEqual([DUE_MS, Date.parse('2026-11-21T01:30:00Z')]);
    },
  },
  {
    guarantee: 'the same plan again moves nothing, another schedule is planned anew, a job that is not named stops',
    async prove(world) {
      await plan(world.here, hourly, daily);
      world.clock.ms = DUE_MS + HOUR_MS;
      await plan(world.here, hourly, daily);
      expect((await state(world.here, 'backfill'))?.nextRunAtMs).toBe(DUE_MS);
      await plan(world.there, { ...hourly, schedule: '45 * * * *' });
      expect((await state(world.here, 'backfill'))?.nextRunAtMs).toBe(START_MS + HOUR_MS + 45 * 60_000);
      expect(await state(world.here, 'backup')).toMatchObject({ schedule: null, nextRunAtMs: null });
      await plan(world.there, { ...hourly, zone: 'Asia/Kathmandu' }); // 5 h 45 min ahead of UTC
      expect((await state(world.here, 'backfill'))?.nextRunAtMs).toBe(START_MS + HOUR_MS + 35 * 60_000);
    },
  },
  {
    guarantee: 'a job is leased when its planned time has come, once, and only where it is named',
    async prove(world) {
      await plan(world.here, hourly);
      world.clock.ms = DUE_MS - 1;
      expect(await leaseDue(world.here)).toEqual([]);
      world.clock.ms = DUE_MS;
      expect(await leaseDue(world.here, 'here', ['sweep'])).toEqual([]);
      const run = only(await leaseDue(world.here));
      const terms = { job: 'backfill', cause: 'schedule', plannedAtMs: DUE_MS, leasedUntilMs: DUE_MS + LEASE_MS };
      expect(run).toMatchObject(terms);
      expect(await leaseDue(world.there, 'there')).toEqual([]);
      expect(await state(world.there, 'backfill')).toMatchObject({
        nextRunAtMs: DUE_MS + HOUR_MS,
        held: { run: run.run, cause: 'schedule', holder: 'here', sinceMs: DUE_MS, untilMs: DUE_MS + LEASE_MS },
      });
    },
  },
  {
    guarantee:
      'a scheduled job is leased before its planned time where it is wanted early, by one process, and stays planned',
    async prove(world) {
      await plan(world.here, hourly);
      expect(await leaseEarly(world.here, 'backup')).toEqual([]); // not scheduled
      const run = only(await leaseEarly(world.here, 'backfill'));
      expect(run).toMatchObject({ cause: 'schedule', plannedAtMs: START_MS });
      expect(await leaseEarly(world.there, 'backfill', 'there')).toEqual([]);
      expect(await end(world.here, run)).toBe(true);
      expect(await state(world.there, 'backfill')).toMatchObject({ nextRunAtMs: DUE_MS, last: { outcome: 'done' } });
    },
  },
  {
    guarantee: 'a job is free since its latest run ended, or since the lease of that run was over',
    async prove(world) {
      await plan(world.here, hourly);
      expect((await state(world.here, 'backfill'))?.freeSinceMs).toBeNull();
      world.clock.ms = DUE_MS;
      const run = only(await leaseDue(world.here));
      world.clock.ms = DUE_MS + LEASE_MS + 5_000;
      expect(await state(world.there, 'backfill')).toMatchObject({ held: null, freeSinceMs: DUE_MS + LEASE_MS });
      const { jobs } = await world.here.operations();
      expect(await jobs.finish({ run: run.run, job: 'backfill', outcome: 'done', detail: '' })).toBe(true);
      expect(await state(world.there, 'backfill')).toMatchObject({ held: null, freeSinceMs: world.clock.ms });
    },
  },
  {
    guarantee: 'of two processes that lease a job at the same time, one gets it',
    async prove(world) {
      await plan(world.here, hourly);
      await world.there.operations();
      for (let hour = 0; hour < 5; hour++) {
        world.clock.ms = DUE_MS + hour * HOUR_MS;
        const asked = [world.here, world.there, world.here, world.there].map((handle) => leaseDue(handle));
        const run = only((await Promise.all(asked)).flat());
        expect(await end(world.here, run)).toBe(true);
      }
    },
  },
  {
    guarantee: 'one run covers every planned time that was missed',
    async prove(world) {
      await plan(world.here, hourly);
      world.clock.ms = DUE_MS + 7.5 * HOUR_MS;
      const run = only(await leaseDue(world.here));
      expect(run.plannedAtMs).toBe(DUE_MS);
      await end(world.here, run);
      expect(await leaseDue(world.here)).toEqual([]);
      world.clock.ms = DUE_MS + 8 * HOUR_MS;
      expect(await leaseDue(world.here)).toMatchObject([{ plannedAtMs: DUE_MS + 8 * HOUR_MS }]);
    },
  },
];
