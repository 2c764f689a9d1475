import { expect } from 'vitest';
import { payout, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { check, finished, LEASE_MS, lease, only, record } from '../checking.ts';
import type { Guarantee, World } from '../world.ts';

const pending = (...references: string[]) => references.map((reference) => refund(reference, 'pending'));
const names = (leased: readonly { readonly reference: string }[]) => leased.map(({ reference }) => reference);
const operationsOf = async ({ here, there }: World) => [await here.operations(), await there.operations()] as const;

/** A check is leased before it is sent; only its holder may finish it. */
export const LEASES: readonly Guarantee[] = [
  {
    guarantee: 'a due record is leased once, whichever process asks',
    async prove(world) {
      await world.receive(...pending('R1'));
      const leased = only(await lease(world.here));
      expect(leased).toMatchObject({ kind: 'refund', environment: 'test', reported: 'pending', confirmed: null });
      expect(leased).toMatchObject({ attempts: 1, wasDue: true, leasedUntilMs: START_MS + LEASE_MS });
      expect(await lease(world.there)).toEqual([]);
      expect(await lease(world.here, { reference: 'R1' })).toEqual([]);
    },
  },
  {
    guarantee: 'two processes that lease at the same time never get the same record',
    async prove(world) {
      const all = Array.from({ length: 24 }, (_, n) => `R${n}`);
      await world.receive(...pending(...all));
      await operationsOf(world);
      const batches = await Promise.all(
        Array.from({ length: 10 }, (_, n) => lease(n % 2 === 0 ? world.here : world.there, {}, 3)),
      );
      const leased = batches.flat();
      expect(names(leased).toSorted()).toEqual(all.toSorted());
      expect(new Set(leased.map(({ counter }) => counter)).size).toBe(24);
    },
  },
  {
    guarantee: 'the record that is due the longest is leased first, over all kinds and environments',
    async prove(world) {
      for (const delivery of [
        payout('P1', 'pending'),
        refund('R1', 'pending', {}, { environment: 'live', keyId: 'live-1' }),
        refund('R2', 'pending'),
        payout('P2', 'pending'),
      ]) {
        await world.receive(delivery);
        world.clock.ms += 1_000;
      }
      expect(names(await lease(world.here, {}, 3))).toEqual(['P1', 'R1', 'R2']);
      expect(names(await lease(world.here, {}, 3))).toEqual(['P2']);
    },
  },
  {
    guarantee: 'a filter names kinds, environments, one reference, or what changed since',
    async prove(world) {
      await world.receive(...pending('R1'), payout('P1', 'pending'));
      world.clock.ms += 1_000;
      await world.receive(refund('L1', 'pending', {}, { environment: 'live', keyId: 'live-1' }));
      expect(names(await lease(world.here, { kinds: ['payout'] }))).toEqual(['P1']);
      expect(names(await lease(world.here, { sinceMs: START_MS + 1_000 }))).toEqual(['L1']);
      expect(names(await lease(world.here, { environments: ['test'] }))).toEqual(['R1']);
    },
  },
  {
    guarantee: 'a record that is named is leased although it is not due, and says so',
    async prove(world) {
      await world.receive(...pending('R1'));
      await check(world.here, 'R1', 'pending');
      expect(await lease(world.here)).toEqual([]);
      expect(await lease(world.here, { reference: 'R1' })).toMatchObject([{ reference: 'R1', wasDue: false }]);
    },
  },
  {
    guarantee: 'what is due can be counted and listed, and that leases nothing',
    async prove(world) {
      await world.receive(...pending('R1', 'R2', 'R3'));
      const { checks } = await world.there.operations();
      const filter = { kinds: ['refund'], environments: ['test'] } as const;
      expect(await checks.countDue({ filter })).toBe(3);
      expect(await checks.listDue({ filter, limit: 2 })).toHaveLength(2);
      await lease(world.here, {}, 1);
      expect([await checks.countDue({ filter }), (await checks.listDue({ filter, limit: 9 })).length]).toEqual([2, 2]);
    },
  },
  {
    guarantee: 'a lease that is over frees the record, with a higher counter, for another process',
    async prove(world) {
      await world.receive(...pending('R1'));
      const first = only(await lease(world.here));
      world.clock.ms = first.leasedUntilMs - 1;
      expect(await lease(world.there)).toEqual([]);
      world.clock.ms += 1;
      const second = only(await lease(world.there));
      expect(second.counter).toBeGreaterThan(first.counter);
    },
  },
  {
    guarantee: 'a check that is finished under a stale counter writes nothing',
    async prove(world) {
      await world.receive(...pending('R1'));
      const [here, there] = await operationsOf(world);
      const stale = only(await lease(world.here));
      world.clock.ms += LEASE_MS;
      const holder = only(await lease(world.there));
      const before = await record(world.here, 'refund', 'R1');
      expect(await here.checks.finish([finished(stale, 'success')])).toMatchObject([{ accepted: false }]);
      expect(await record(world.here, 'refund', 'R1')).toEqual(before);
      expect(await there.checks.finish([finished(holder, 'processing')])).toMatchObject([{ accepted: true }]);
      expect(await here.checks.finish([finished(stale, 'success')])).toMatchObject([{ accepted: false }]);
      expect((await record(world.here, 'refund', 'R1')).confirmed).toBe('processing');
    },
  },
  {
    guarantee: 'a check that is finished after its lease writes nothing, although no other process has leased it',
    async prove(world) {
      await world.receive(...pending('R1'));
      const late = only(await lease(world.here));
      world.clock.ms += LEASE_MS;
      const { checks } = await world.here.operations();
      expect(await checks.finish([finished(late, 'success')])).toMatchObject([{ accepted: false, confirmed: null }]);
      expect(await record(world.here, 'refund', 'R1')).toMatchObject({ confirmed: null, dueAtMs: late.leasedUntilMs });
    },
  },
  {
    guarantee: 'a check is finished once: of two processes that finish it at the same time, one is accepted',
    async prove(world) {
      const all = Array.from({ length: 6 }, (_, n) => `R${n}`);
      await world.receive(...pending(...all));
      const leased = await lease(world.here);
      const both = await operationsOf(world);
      const ends = leased.map((one) => [finished(one, 'pending')]);
      const effects = await Promise.all(both.flatMap(({ checks }) => ends.map((end) => checks.finish(end))));
      expect(effects.flat().filter(({ accepted }) => accepted)).toHaveLength(6);
      for (const name of all) expect((await record(world.here, 'refund', name)).observations).toHaveLength(2);
    },
  },
  {
    guarantee: 'a released check was not sent: its record is as due as before, and its lease counts no more',
    async prove(world) {
      await world.receive(...pending('R1'));
      const leased = only(await lease(world.here));
      const [here] = await operationsOf(world);
      await here.checks.release([leased]);
      expect(await record(world.here, 'refund', 'R1')).toMatchObject({ dueAtMs: START_MS });
      expect(await here.checks.finish([finished(leased, 'success')])).toMatchObject([{ accepted: false }]);
      const again = only(await lease(world.there));
      expect(again).toMatchObject({ attempts: 1, wasDue: true });
      await here.checks.release([leased]); // stale: it must not free the lease of another
      expect(await lease(world.here)).toEqual([]);
    },
  },
  {
    guarantee: 'a lease given by a clock that was far ahead holds no record',
    ownTime: true,
    async prove(world) {
      await world.receive(...pending('R1'));
      world.clock.ms += 400 * 86_400_000;
      expect(await lease(world.here)).toHaveLength(1);
      world.clock.ms = START_MS;
      expect(await lease(world.there)).toHaveLength(1);
    },
  },
];
