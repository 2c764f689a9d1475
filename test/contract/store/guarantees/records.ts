import fc from 'fast-check';
import { expect } from 'vitest';
import type { RecordDetail } from '../../../../src/store/records.ts';
import { collection, delivery, payout, refund } from '../../../support/deliveries.ts';
import { randomRuns } from '../../../support/random-runs.ts';
import { check, only, openFindings, record } from '../checking.ts';
import type { Guarantee } from '../world.ts';

/** What deliveries make of a record, without what is another one's own: ids and times of arrival. */
const content = ({ reported, reportedTime, facts, details, observations, findings }: RecordDetail) => ({
  reported,
  reportedTime,
  facts,
  details,
  observations: observations.map(({ witness, status, time }) => [witness, status, time].join(' ')).toSorted(),
  findings: findings.map(({ code, subject }) => `${code} ${subject}`).toSorted(),
});

/** What observations make of a record. */
export const RECORDS: readonly Guarantee[] = [
  {
    guarantee: 'the deliveries of a record give the same record in every order',
    async prove(world) {
      const statuses = fc.constantFrom('pending', 'processing', 'failed', 'success', 'rejected');
      const minutes = fc.integer({ min: 10, max: 13 });
      const amounts = fc.constantFrom('50.00', '50.00', '50.00', '51.00');
      const arrival = fc.tuple(statuses, minutes, amounts);
      const arrivals = fc.array(arrival, { minLength: 2, maxLength: 5 });
      const shuffled = arrivals.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      );
      let count = 0;
      const received = async (all: readonly (readonly [string, number, string])[]) => {
        const name = `R${count++}`;
        const made = all.map(([status, minute, amount]) =>
          refund(name, status, { updatedAt: `2026-11-20T09:${minute}:00Z`, data: { amount } }),
        );
        await world.receive(...made);
        return content(await record(world.here, 'refund', name));
      };
      const property = fc.asyncProperty(shuffled, async ([all, other]) => {
        expect(await received(other)).toEqual(await received(all));
      });
      await fc.assert(property, { numRuns: randomRuns(25) });
    },
  },
  {
    guarantee: 'a webhook confirms nothing, and an answer reports nothing',
    async prove(world) {
      await world.receive(refund('R1', 'success'));
      expect(await record(world.here, 'refund', 'R1')).toMatchObject({ reported: 'success', confirmed: null });
      await check(world.here, 'R1', 'processing');
      expect(await record(world.here, 'refund', 'R1')).toMatchObject({ reported: 'success', confirmed: 'processing' });
    },
  },
  {
    guarantee: 'a final status is not undone by a late delivery, which moves nothing',
    async prove(world) {
      const kept = await world.receive(
        refund('R1', 'success', { updatedAt: '2026-11-20T09:05:00Z' }),
        refund('R1', 'processing'),
      );
      const archive = await world.here.archive();
      const [first, late] = await Promise.all(kept.map(({ eventId }) => archive.event(eventId)));
      expect(first).toMatchObject({ move: { from: null, to: 'success' }, record: { reported: 'success' } });
      expect(late).toMatchObject({ move: { from: 'success', to: 'success' }, record: { reported: 'success' } });
    },
  },
  {
    guarantee: 'contents that contradict one another open findings, which name both values',
    async prove(world) {
      await world.receive(refund('R1', 'pending'), refund('R1', 'pending', { data: { amount: '51.00' } }));
      expect(await openFindings(world.there)).toEqual(['fact_conflict R1', 'variant R1']);
      const { findings } = await record(world.there, 'refund', 'R1');
      expect(findings.find(({ code }) => code === 'fact_conflict')?.detail).toBe('50.00 ≠ 51.00');
      const archive = await world.there.archive();
      expect(await archive.finding(findings[0]?.id ?? 0)).toMatchObject({ record: { reference: 'R1' } });
    },
  },
  {
    guarantee: 'one reference in two environments, and as two kinds, is as many records',
    async prove(world) {
      const live = { environment: 'live', keyId: 'live-1' } as const;
      await world.receive(refund('X1', 'pending'), refund('X1', 'success', {}, live), payout('X1', 'success'));
      const archive = await world.here.archive();
      const refunds = await archive.record('refund', 'X1');
      expect(refunds.map(({ environment, reported }) => `${environment} ${reported}`).toSorted()).toEqual([
        'live success',
        'test pending',
      ]);
      expect(await archive.record('refund', 'X1', 'live')).toHaveLength(1);
      expect(await archive.record('payout', 'X1')).toHaveLength(1);
      expect(await archive.record('collection', 'X1')).toEqual([]);
    },
  },
  {
    guarantee: 'the story of a reference holds its records, their events, and the events that made none',
    async prove(world) {
      await world.receive(
        refund('R1', 'pending'),
        refund('R1', 'pending', { data: { amount: '51.00' } }),
        delivery({ event: 'balance.low', data: { reference: 'R1' } }),
        refund('R2', 'pending'),
      );
      const story = await (await world.there.archive()).story('R1', {});
      expect(story).toMatchObject({ truncated: false, events: [{ event: 'balance.low', state: 'unknown' }] });
      const { record: found, events, variants } = only(story.records);
      expect([found.reference, events.length, variants.length]).toEqual(['R1', 1, 1]);
    },
  },
  {
    guarantee:
      'the story of a payment names its refunds, by the transaction that they name, with a record of the payment or without',
    async prove(world) {
      const live = { environment: 'live', keyId: 'live-1' } as const;
      const of = (transaction_reference: string) => ({ data: { transaction_reference } });
      await world.receive(
        refund('R1', 'pending', of('ORDER')),
        refund('R2', 'success', of('ORDER')),
        refund('R3', 'pending', of('ORDER'), live),
        refund('R4', 'pending', of('order')),
        refund('ALONE', 'pending', of('ALONE')),
      );
      const archive = await world.there.archive();
      const refundsOf = async (...order: Parameters<typeof archive.story>) =>
        (await archive.story(...order)).refunds.map(({ environment, reference }) => `${environment} ${reference}`);
      const all = ['test R1', 'test R2', 'live R3'];
      expect(await archive.story('ORDER', {})).toMatchObject({ records: [], events: [], requests: [] });
      expect((await refundsOf('ORDER', {})).toSorted()).toEqual(all.toSorted());
      expect(await refundsOf('ORDER', { environment: 'live', kind: 'refund' })).toEqual(['live R3']);
      expect(await refundsOf('ORDER', { kind: 'payout' })).toEqual([]);
      expect(await refundsOf('ALONE', {})).toEqual([]);
      await world.receive(collection('ORDER', 'success'));
      expect(await archive.story('ORDER', {})).toMatchObject({ records: [{ record: { kind: 'collection' } }] });
      expect(await refundsOf('ORDER', {})).toHaveLength(3);
    },
  },
];
