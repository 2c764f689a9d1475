import { expect } from 'vitest';
import { MOST_REVIEWED, MOST_TRACKED } from '../../../../src/store/tracking.ts';
import { payout } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { check, finished, lease, only, openFindings, record } from '../checking.ts';
import { DAY_MS, expected, late, review, track } from '../expecting.ts';
import type { Guarantee } from '../world.ts';

/** An expectation whose date passes, and one that is given up. */
export const OVERDUE: readonly Guarantee[] = [
  {
    guarantee: 'a date passes by the clock of the store, once: a finding, which the first observation closes',
    async prove(world) {
      await track(world.here, late);
      world.clock.ms = START_MS + DAY_MS - 1;
      expect(await review(world.here)).toEqual({ reviewed: 0, overdue: 0 });
      world.clock.ms += 1;
      const reviews = await Promise.all([review(world.here), review(world.there)]);
      expect(reviews.toSorted((one, other) => one.reviewed - other.reviewed)).toEqual([
        { reviewed: 0, overdue: 0 },
        { reviewed: 1, overdue: 1 },
      ]);
      expect(await openFindings(world.here)).toEqual(['never_seen P1']);
      await world.receive(payout('P1', 'pending'));
      expect(await openFindings(world.here)).toEqual([]);
    },
  },
  {
    guarantee: 'a date that has passed already is a finding at once, and a later date closes it',
    async prove(world) {
      expect(await track(world.here, expected('P1', { expectedByMs: START_MS }))).toMatchObject([{ state: 'overdue' }]);
      expect(await openFindings(world.here)).toEqual(['never_seen P1']);
      await track(world.here, late);
      expect(await openFindings(world.here)).toEqual([]);
    },
  },
  {
    guarantee: 'a finding that a clock ahead opened too early is corrected by the next check',
    ownTime: true,
    async prove(world) {
      await track(world.here, late);
      world.clock.ms += 9 * DAY_MS;
      expect(await review(world.here)).toMatchObject({ overdue: 1 });
      world.clock.ms = START_MS;
      await check(world.here, 'P1', null);
      expect(await openFindings(world.here)).toEqual([]);
      world.clock.ms += DAY_MS;
      expect(await review(world.here)).toMatchObject({ overdue: 1 });
    },
  },
  {
    guarantee: 'a bounded number is reviewed at a time; fewer mean that none is left',
    async prove(world) {
      const many = Array.from({ length: MOST_REVIEWED + 5 }, (_, n) => ({ ...late, reference: `P${n}` }));
      for (let n = 0; n < many.length; n += MOST_TRACKED) await track(world.here, ...many.slice(n, n + MOST_TRACKED));
      world.clock.ms += DAY_MS;
      const counts = [await review(world.here), await review(world.there), await review(world.here)];
      expect(counts.map(({ reviewed }) => reviewed)).toEqual([MOST_REVIEWED, 5, 0]);
      expect(await openFindings(world.here)).toHaveLength(MOST_REVIEWED + 5);
    },
  },
  {
    guarantee: 'forgetting removes a record without observations, and a check under way does not bring it back',
    async prove(world) {
      await track(world.here, expected('P1', { expectedByMs: START_MS }), expected('P1', { environment: 'live' }));
      const leased = only(await lease(world.there, { environments: ['test'] }));
      const { tracking } = await world.here.operations();
      const order = { reference: 'P1', environment: 'test' } as const;
      expect(await tracking.forget(order)).toMatchObject([{ environment: 'test', recordRemoved: true }]);
      expect(await tracking.forget(order)).toEqual([]);
      const { checks } = await world.there.operations();
      const late = finished(leased, 'success');
      expect(await checks.finish([late])).toMatchObject([{ accepted: false }]);
      // The next record may get the same id; it inherits nothing.
      await world.receive(payout('P2', 'success'));
      expect(await checks.finish([late])).toMatchObject([{ accepted: false }]);
      expect(await record(world.here, 'payout', 'P2')).toMatchObject({ confirmed: null, check: null });
      expect(await record(world.here, 'payout', 'P1')).toMatchObject({ environment: 'live' });
      expect(await openFindings(world.here)).toEqual([]);
    },
  },
  {
    guarantee: 'forgetting leaves a record with an observation and closes the findings of the expectation',
    async prove(world) {
      await world.receive(payout('P1', 'success'));
      await track(world.here, expected('P1', { currency: 'USD' }));
      expect(await openFindings(world.here)).toEqual(['currency_unexpected P1']);
      const { tracking } = await world.there.operations();
      expect(await tracking.forget({ reference: 'P1' })).toMatchObject([{ recordRemoved: false, currency: 'USD' }]);
      expect(await openFindings(world.here)).toEqual([]);
      expect(await record(world.here, 'payout', 'P1')).toMatchObject({ reported: 'success', tracked: null });
    },
  },
];
