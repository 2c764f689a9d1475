import { expect } from 'vitest';
import { START_MS } from '../../../support/fixed-clock.ts';
import { only } from '../checking.ts';
import { begin, DUE_MS, daily, end, HOUR_MS, hourly, LEASE_MS, leaseDue, plan, renew, state } from '../running.ts';
import type { Guarantee } from '../world.ts';

/** A run of a job, from its lease to its end. */
export const RUNS: readonly Guarantee[] = [
  {
    guarantee: 'a run that renews its lease holds the job, and the next one waits for it',
    async prove(world) {
      await plan(world.here, hourly);
      world.clock.ms = DUE_MS;
      const run = only(await leaseDue(world.here));
      for (let minute = 1; minute < 70; minute++) {
        world.clock.ms = DUE_MS + minute * LEASE_MS - 1;
        expect(await renew(world.here, run)).toBe(true);
        expect(await leaseDue(world.there)).toEqual([]);
      }
      await end(world.here, run);
      expect(await leaseDue(world.there)).toMatchObject([{ plannedAtMs: DUE_MS + HOUR_MS }]);
    },
  },
  {
    guarantee: 'a run whose lease is over is lost, and the job runs again',
    async prove(world) {
      await plan(world.here, hourly);
      world.clock.ms = DUE_MS;
      const lost = only(await leaseDue(world.here));
      world.clock.ms = DUE_MS + LEASE_MS;
      expect(await state(world.there, 'backfill')).toMatchObject({
        held: null,
        last: { run: lost.run, outcome: 'lost' },
      });
      const again = only(await leaseDue(world.there, 'there'));
      expect(again.plannedAtMs).toBe(DUE_MS);
      await end(world.there, again);
      expect(await state(world.here, 'backfill')).toMatchObject({
        last: { run: again.run, holder: 'there', outcome: 'done', detail: 'done it' },
        doneAtMs: DUE_MS + LEASE_MS,
      });
    },
  },
  {
    guarantee: 'a run whose job another has taken over writes nothing',
    async prove(world) {
      await plan(world.here, hourly);
      world.clock.ms = DUE_MS;
      const stale = only(await leaseDue(world.here));
      world.clock.ms += LEASE_MS;
      const holder = only(await leaseDue(world.there, 'there'));
      expect(holder.run).toBeGreaterThan(stale.run);
      expect([await renew(world.here, stale), await end(world.here, stale, 'failed')]).toEqual([false, false]);
      expect((await state(world.here, 'backfill'))?.held).toMatchObject({ run: holder.run, holder: 'there' });
      expect([await end(world.there, holder), await end(world.there, holder, 'failed')]).toEqual([true, false]);
      expect((await state(world.here, 'backfill'))?.last).toMatchObject({ run: holder.run, outcome: 'done' });
    },
  },
  {
    guarantee: 'a run that was only late goes on while no other has taken the job over',
    async prove(world) {
      await plan(world.here, hourly);
      world.clock.ms = DUE_MS;
      const late = only(await leaseDue(world.here));
      world.clock.ms += 30 * 60_000;
      expect(await renew(world.here, late)).toBe(true);
      expect(await leaseDue(world.there)).toEqual([]);
      world.clock.ms += 10 * 60_000;
      expect(await end(world.here, late)).toBe(true);
    },
  },
  {
    guarantee: 'a stopped job is due again at once, for any process; its plan stays',
    async prove(world) {
      await plan(world.here, daily);
      const plannedAtMs = Date.parse('2026-11-21T01:30:00Z');
      world.clock.ms = plannedAtMs;
      await end(world.here, only(await leaseDue(world.here)), 'stopped');
      const stopped = { held: null, nextRunAtMs: plannedAtMs, last: { outcome: 'stopped' } };
      expect(await state(world.here, 'backup')).toMatchObject(stopped);
      expect(only(await leaseDue(world.there, 'there')).plannedAtMs).toBe(plannedAtMs);
      expect((await state(world.here, 'backup'))?.nextRunAtMs).toBe(plannedAtMs + 24 * HOUR_MS);
    },
  },
  {
    guarantee: 'a command takes a job at any time, leaves its plan, and learns who holds it',
    async prove(world) {
      await plan(world.here, daily);
      const begun = await begin(world.there);
      expect(begun).toMatchObject({ run: { cause: 'command', plannedAtMs: null, leasedUntilMs: START_MS + LEASE_MS } });
      expect(await begin(world.here, 'another')).toMatchObject({ held: { cause: 'command', holder: 'shell' } });
      if ('run' in begun) await end(world.there, begun.run);
      expect((await state(world.here, 'backup'))?.nextRunAtMs).toBe(Date.parse('2026-11-21T01:30:00Z'));
    },
  },
  {
    guarantee: 'the schedule waits for a command, and then runs',
    async prove(world) {
      await plan(world.here, daily);
      world.clock.ms = Date.parse('2026-11-21T01:29:30Z');
      const begun = await begin(world.there);
      world.clock.ms += 30_000;
      expect(await leaseDue(world.here)).toEqual([]);
      if ('run' in begun) await end(world.there, begun.run);
      expect(await leaseDue(world.here)).toHaveLength(1);
    },
  },
  {
    guarantee: 'a command whose process ended is lost, and is not repeated; a job that is not scheduled stays so',
    async prove(world) {
      await begin(world.there);
      world.clock.ms += LEASE_MS;
      expect(await leaseDue(world.here)).toEqual([]);
      expect(await state(world.here, 'backup')).toMatchObject({ last: { outcome: 'lost' }, nextRunAtMs: null });
      const begun = await begin(world.there);
      if ('run' in begun) await end(world.there, begun.run, 'stopped');
      expect(await leaseDue(world.here)).toEqual([]);
      expect(await state(world.here, 'backup')).toMatchObject({ last: { outcome: 'stopped' }, nextRunAtMs: null });
    },
  },
];
