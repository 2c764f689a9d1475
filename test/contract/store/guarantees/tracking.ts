import { expect } from 'vitest';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import { payout } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { wire } from '../../../support/service-answer.ts';
import { check, finished, lease, only, openFindings, record } from '../checking.ts';
import { DAY_MS, expected, track } from '../expecting.ts';
import type { Guarantee } from '../world.ts';

/** What the merchant expects, so that its absence is noticed. */
export const TRACKING: readonly Guarantee[] = [
  {
    guarantee: 'tracking makes a record without a status, due now',
    async prove(world) {
      expect(await track(world.here, expected('P1'))).toMatchObject([
        { effect: 'new', before: null, state: 'unmet', findings: [] },
      ]);
      expect(await record(world.there, 'payout', 'P1')).toMatchObject({
        reported: null,
        confirmed: null,
        dueAtMs: START_MS,
        observations: [],
        history: [],
      });
    },
  },
  {
    guarantee: 'the same expectation again changes nothing, not even when it is due',
    async prove(world) {
      await track(world.here, expected('P1'));
      await check(world.here, 'P1', null);
      const before = await record(world.here, 'payout', 'P1');
      world.clock.ms += 5;
      const again = await track(world.there, expected('P1', { amount: parseAmount('100') }));
      expect(again).toMatchObject([{ effect: 'same' }]);
      expect(await record(world.here, 'payout', 'P1')).toEqual(before);
    },
  },
  {
    guarantee: 'another expectation replaces the one before, returns it, and makes the record due',
    async prove(world) {
      await track(world.here, expected('P1'));
      await check(world.here, 'P1', null);
      const other = expected('P1', { amount: parseAmount('90.00'), expectedByMs: START_MS + DAY_MS });
      expect(await track(world.there, other)).toMatchObject([
        { effect: 'changed', before: { amount: parseAmount('100'), currency: 'NGN', expectedByMs: null } },
      ]);
      const { dueAtMs, tracked } = await record(world.here, 'payout', 'P1');
      expect(dueAtMs).toBe(START_MS);
      expect(tracked).toMatchObject({ amount: parseAmount('90'), expectedByMs: START_MS + DAY_MS });
    },
  },
  {
    guarantee: 'of two processes that track the same at the same time, one makes it',
    async prove(world) {
      await Promise.all([world.here.operations(), world.there.operations()]);
      for (let round = 0; round < 5; round++) {
        const same = expected(`P${round}`);
        const [here, there] = await Promise.all([track(world.here, same), track(world.there, same)]);
        expect([...here, ...there].map(({ effect }) => effect).toSorted()).toEqual(['new', 'same']);
      }
    },
  },
  {
    guarantee: 'one reference in another kind or environment is another expectation',
    async prove(world) {
      const all = [expected('P1'), expected('P1', { environment: 'live' }), expected('P1', { kind: 'refund' })];
      expect((await track(world.here, ...all)).map(({ effect }) => effect)).toEqual(['new', 'new', 'new']);
      expect(await (await world.here.archive()).expectations({}, { limit: 9, order: 'oldest' })).toHaveLength(3);
    },
  },
  {
    guarantee: 'a settled record is compared at once and is not checked again',
    async prove(world) {
      await world.receive(payout('P1', 'reversed'));
      await check(world.here, 'P1', 'reversed');
      const [unmet] = await track(world.here, expected('P1', { amount: parseAmount('99.99') }));
      const detail = '99.99 NGN expected, 100.00 NGN came';
      expect(unmet).toMatchObject({ state: 'unmet', findings: [{ code: 'amount_unexpected', detail }] });
      expect((await record(world.here, 'payout', 'P1')).dueAtMs).toBeNull();
      expect(await track(world.here, expected('P1'))).toMatchObject([{ state: 'met' }]);
      expect(await openFindings(world.here)).toEqual([]);
    },
  },
  {
    guarantee: 'an amount that webhook and service dispute is compared by the word of the service',
    async prove(world) {
      await track(
        world.here,
        expected('P1', { amount: parseAmount('7.00') }),
        expected('P2', { amount: parseAmount('4.99') }),
      );
      for (const reference of ['P1', 'P2']) {
        await world.receive(payout(reference, 'pending', { data: { amount: '5.00' } }));
        const leased = only(await lease(world.here, { reference }));
        const data = { amount: '4.99', currency: 'NGN' };
        await (await world.here.operations()).checks.finish([finished(leased, 'success', { data })]);
      }
      expect(await openFindings(world.here)).toEqual(['amount_unexpected P1', 'fact_conflict P1', 'fact_conflict P2']);
      const [unmet, met] = await (await world.here.archive()).expectations({}, { limit: 9, order: 'oldest' });
      expect(unmet).toMatchObject({ state: 'unmet', findings: [{ detail: '7.00 NGN expected, 4.99 NGN came' }] });
      expect(met).toMatchObject({ state: 'met' });
    },
  },
  {
    guarantee: 'amounts beyond 2^53 stay exact',
    async prove(world) {
      await world.receive(payout('P1', 'success', { data: { amount: '90071992547409.93' } }));
      const near = await track(world.here, expected('P1', { amount: parseAmount('90071992547409.94') }));
      expect(near[0]?.findings).toHaveLength(1);
      const exact = await track(world.here, expected('P1', { amount: parseAmount('90071992547409.93') }));
      expect(exact).toMatchObject([{ state: 'met', before: { amount: parseAmount('90071992547409.94') } }]);
    },
  },
  {
    guarantee: 'the first guarantee of a webhook, of the service or of our own request is compared',
    async prove(world) {
      await track(world.here, expected('P1'), expected('P2'), expected('P3'));
      await world.receive(payout('P1', 'pending', { data: { amount: '99.00' } }));
      const leased = only(await lease(world.here, { reference: 'P2' }));
      const data = { amount: '55.00', currency: 'USD' };
      await (await world.here.operations()).checks.finish([finished(leased, 'success', { data })]);
      const sent = wire({ reference: 'P3', amount: '1.00', currency: 'NGN', status: 'pending' });
      await (await world.there.journal()).track({ kind: 'payout', environment: 'test', reference: 'P3', wire: sent });
      expect(await openFindings(world.here)).toEqual([
        'amount_unexpected P1',
        'amount_unexpected P3',
        'currency_unexpected P2',
      ]);
    },
  },
  {
    guarantee: 'the list shows each expectation with its state, filtered and paged',
    async prove(world) {
      await world.receive(payout('P1', 'success'), payout('P2', 'success', { data: { amount: '1.00' } }));
      const overdue = expected('P3', { expectedByMs: START_MS });
      await track(world.here, expected('P1'), expected('P2'), overdue, expected('P4', { kind: 'refund' }));
      const archive = await world.there.archive();
      const list = async (filter: object, page: object = {}) =>
        (await archive.expectations(filter, { limit: 10, order: 'oldest', ...page })).map(
          ({ reference, state }) => `${reference} ${state}`,
        );
      expect(await list({})).toEqual(['P1 met', 'P2 unmet', 'P3 overdue', 'P4 unmet']);
      expect(await list({ open: true })).toEqual(['P2 unmet', 'P3 overdue', 'P4 unmet']);
      expect(await list({ kind: 'payout', open: true }, { limit: 1 })).toEqual(['P2 unmet']);
      expect(await list({ reference: 'P3' }, { order: 'newest' })).toEqual(['P3 overdue']);
      expect(await list({ environment: 'live' })).toEqual([]);
      const [, second] = await archive.expectations({}, { limit: 2, order: 'oldest' });
      expect(await list({}, { order: 'newest', afterId: second?.id ?? 0 })).toEqual(['P1 met']);
    },
  },
];
