import { expect } from 'vitest';
import { payout, refund } from '../../../support/deliveries.ts';
import { wire } from '../../../support/service-answer.ts';
import { check, finished, lease, only, record } from '../checking.ts';
import { listed } from '../listing.ts';
import type { Guarantee } from '../world.ts';

/** The change of a record is one operation: read, fold and write, with no other write between. */
export const CONCURRENCY: readonly Guarantee[] = [
  {
    guarantee: 'checks and deliveries of two processes about one record at the same time lose no observation',
    async prove(world) {
      const inbox = await world.here.inbox();
      await world.receive(refund('R1', 'pending'));
      const { checks } = await world.there.operations();
      let answers = 0;
      for (let round = 0; round < 10; round++) {
        const leased = only(await lease(world.there, { reference: 'R1' }, 1));
        const deliveries = Array.from({ length: 4 }, (_, n) =>
          inbox.keep(refund('R1', 'processing', { updatedAt: `2026-11-20T09:1${round}:0${n}Z` })),
        );
        const [effects] = await Promise.all([checks.finish([finished(leased, 'processing')]), ...deliveries]);
        answers += effects.filter(({ accepted }) => accepted).length;
      }
      await world.carriedOut();
      const { observations, reported, confirmed } = await record(world.here, 'refund', 'R1');
      expect([answers, observations.length, reported, confirmed]).toEqual([10, 51, 'processing', 'processing']);
    },
  },
  {
    guarantee: 'two processes that observe one record at the same time lose no observation',
    async prove(world) {
      const [here, there] = [await world.here.operations(), await world.there.operations()];
      const plan = { environment: 'test', sinceMs: null, overlapMs: 0 } as const;
      const { id: backfillId } = await here.backfills.begin(plan);
      for (let round = 0; round < 8; round++) {
        const row = (status: string) => listed(`R${round}`, status);
        const written = await Promise.all(
          [here, there].map(({ backfills }, n) =>
            backfills.record({
              backfillId,
              rows: [row(n === 0 ? 'pending' : 'processing')],
              createSinceMs: 0,
              lastPage: null,
            }),
          ),
        );
        expect(written.flatMap(({ created }) => created)).toEqual([`R${round}`]);
        const { observations } = await record(world.here, 'refund', `R${round}`);
        expect(observations.map(({ status }) => status).toSorted()).toEqual(['pending', 'processing']);
      }
    },
  },
  {
    guarantee: 'webhooks, our request and an expectation that come at the same time make one record',
    async prove(world) {
      const [inbox, journal] = [await world.here.inbox(), await world.there.journal()];
      const { tracking } = await world.there.operations();
      for (let round = 0; round < 5; round++) {
        const named = { kind: 'payout', environment: 'test', reference: `P${round}` } as const;
        const sent = wire({ reference: named.reference, amount: '100.00', currency: 'NGN' });
        await Promise.all([
          inbox.keep(payout(named.reference, 'pending')),
          inbox.keep(payout(named.reference, 'success', { updatedAt: '2026-11-20T09:30:00Z' })),
          journal.track({ ...named, wire: sent }),
          tracking.track({ expected: [{ ...named, amount: null, currency: 'NGN', expectedByMs: null }] }),
        ]);
        await world.carriedOut();
        const { observations, reported, tracked } = await record(world.here, 'payout', named.reference);
        expect(observations.map(({ witness }) => witness).toSorted()).toEqual(['request', 'webhook', 'webhook']);
        expect([reported, tracked?.currency]).toEqual(['success', 'NGN']);
      }
    },
  },
  {
    guarantee: 'a delivery that two processes keep and apply at the same time is observed once',
    async prove(world) {
      const inboxes = [await world.here.inbox(), await world.there.inbox()];
      const all = Array.from({ length: 30 }, (_, n) => refund(`R${n % 3}`, 'pending', { updatedAt: timeOf(n) }));
      await Promise.all(all.flatMap((each) => inboxes.map((inbox) => inbox.keep(each))));
      await world.carriedOut();
      for (const name of ['R0', 'R1', 'R2']) {
        expect((await record(world.here, 'refund', name)).observations).toHaveLength(10);
      }
    },
  },
  {
    guarantee: 'the history is unbroken: each move begins where the one before it ended',
    async prove(world) {
      const inbox = await world.here.inbox();
      const statuses = ['pending', 'processing', 'failed', 'processing', 'success'];
      const keeping = statuses.map((status, n) => inbox.keep(refund('R1', status, { updatedAt: timeOf(n) })));
      await Promise.all([...keeping, world.carriedOut()]);
      await world.carriedOut();
      await check(world.there, 'R1', 'success');
      const { history } = await record(world.here, 'refund', 'R1');
      for (const field of ['reported', 'confirmed']) {
        const moves = history.filter((move) => move.field === field);
        expect(moves.map(({ from }) => from)).toEqual([null, ...moves.slice(0, -1).map(({ to }) => to)]);
        expect(moves.at(-1)?.to).toBe('success');
      }
    },
  },
];

function timeOf(second: number): string {
  return `2026-11-20T09:00:${String(second).padStart(2, '0')}Z`;
}
