import fc from 'fast-check';
import { expect } from 'vitest';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import type { Fields } from '../../../../src/domain/records/fields.ts';
import { showValue } from '../../../../src/domain/records/fields.ts';
import { collection, delivery, payout, refund } from '../../../support/deliveries.ts';
import { randomRuns } from '../../../support/random-runs.ts';
import { wire } from '../../../support/service-answer.ts';
import { finished, lease, only, openFindings, record } from '../checking.ts';
import type { Handle } from '../handle.ts';
import type { Guarantee } from '../world.ts';

const texts = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, showValue(value)]));
const LARGEST = '89999999999999999.99';

/** One answer of the status endpoint about a record, with these fields. */
async function answer(handle: Handle, reference: string, status: string, data: Record<string, unknown>) {
  const leased = only(await lease(handle, { reference }, 1));
  await (await handle.operations()).checks.finish([finished(leased, status, { data })]);
}

async function amounts(handle: Handle, environment: 'test' | 'live' = 'test') {
  const { environments } = await (await handle.archive()).stats();
  return environments[environment].amounts.map(({ kind, status, by, currency, records, withoutAmount, total }) =>
    [kind, status, by, currency, records, withoutAmount, showValue(total)].join(' '),
  );
}

/** What each witness says of the money and times of a record, and what the sums count. */
export const MONEY: readonly Guarantee[] = [
  {
    guarantee:
      'where contents differ nothing is agreed, and the word of the service is kept, counted, and found by its amount',
    async prove(world) {
      const fee = { fee: '0.19836' };
      await world.receive(refund('R1', 'success', { data: { amount: '5.00', ...fee } }));
      await world.receive(refund('R1', 'success', { data: { amount: '6.00', ...fee } }));
      expect(await amounts(world.there)).toEqual(['refund success reported USD 1 1 0.00']);
      await answer(world.here, 'R1', 'success', { amount: '5.00', currency: 'USD', ...fee });
      const { facts, money } = await record(world.there, 'refund', 'R1');
      expect(facts.amount).toBeNull();
      expect(texts(money.reported)).toEqual({ amount: null, currency: 'USD', fee: '0.19836' });
      expect(texts(money.confirmed)).toEqual({ amount: '5.00', currency: 'USD', fee: '0.19836' });
      expect(await openFindings(world.there)).toEqual(['fact_conflict R1', 'variant R1']);
      expect(await amounts(world.there)).toEqual(['refund success confirmed USD 1 0 5.00']);
      const archive = await world.there.archive();
      const of = async (amount: string, currency?: string) => {
        const filter = { amount: parseAmount(amount), ...(currency !== undefined && { currency }) };
        return (await archive.records('refund', filter, { order: 'newest', limit: 9 })).length;
      };
      expect([await of('5'), await of('5.001'), await of('6')]).toEqual([1, 0, 0]);
      expect([await of('5', 'USD'), await of('5', 'NGN')]).toEqual([1, 0]);
    },
  },
  {
    guarantee: 'webhooks, answers and our requests each keep their own money, fees and duty exactly',
    async prove(world) {
      const data = { fee: 1.5, stamp_duty: '50', account_number: '0123456789' };
      await world.receive(payout('P1', 'success', { data }));
      await answer(world.here, 'P1', 'success', { amount: 100, currency: 'NGN', fee: '1.25', stamp_duty: 50.005 });
      const { money } = await record(world.there, 'payout', 'P1');
      expect(texts(money.reported)).toEqual({ amount: '100.00', currency: 'NGN', fee: '1.50', stampDuty: '50.00' });
      expect(texts(money.confirmed)).toEqual({ amount: '100.00', currency: 'NGN', fee: '1.25', stampDuty: '50.005' });
    },
  },
  {
    guarantee: 'times are kept as they were sent and in UTC; the beginning is known from any witness',
    async prove(world) {
      const bare = { notify: 'payout', notifyType: 'successful', data: { reference: 'P1', status: 'success' } };
      await world.receive(delivery(bare));
      const began = { created_at: '2026-10-31T23:30:00+01:00', updated_at: 'yesterday' };
      await answer(world.here, 'P1', 'pending', began);
      const createdAt = { text: '2026-10-31T23:30:00+01:00', utc: '2026-10-31T22:30:00Z' };
      const before = await record(world.there, 'payout', 'P1');
      expect(before).toMatchObject({
        reported: 'success',
        confirmed: 'pending',
        times: { createdAt, updatedAt: null },
      });
      await answer(world.here, 'P1', 'success', { updated_at: '2026-11-01 10:00:00', paid_at: 'soon' });
      expect((await record(world.there, 'payout', 'P1')).times).toEqual({
        createdAt,
        paidAt: { text: 'soon', utc: null },
        updatedAt: { text: '2026-11-01 10:00:00', utc: '2026-11-01T10:00:00Z' },
      });
    },
  },
  {
    guarantee: 'the times of a record outlive the next observation, in every form',
    async prove(world) {
      const forms = fc.constantFrom(
        '2026-11-20T09:00:00Z',
        '2026-11-20T09:00:00.120+01:00',
        '2026-11-20 09:00:00.5',
        'never',
        '',
      );
      let count = 0;
      const property = fc.asyncProperty(forms, forms, forms, async (created, paid, updated) => {
        const name = `C${count++}`;
        const data = { created_at: created, paid_at: paid };
        await world.receive(collection(name, 'success', { updatedAt: updated, data }));
        const { times } = await record(world.there, 'collection', name);
        await world.receive(collection(name, 'pending', { updatedAt: '2020-01-01T00:00:00Z' }));
        expect((await record(world.there, 'collection', name)).times).toEqual(times);
        expect([times.createdAt?.text, times.paidAt?.text]).toEqual([created || undefined, paid || undefined]);
      });
      await fc.assert(property, { numRuns: randomRuns(25) });
    },
  },
  {
    guarantee: 'the wallet of a request is a fact of its record, which webhooks do not take away',
    async prove(world) {
      const content = wire({ reference: 'P1', amount: '100.00', currency: 'NGN', wallet_code: 'W-1' });
      const journal = await world.here.journal();
      const named = { kind: 'payout', environment: 'test', reference: 'P1', key: 'P1', proposedKey: 'P1' } as const;
      await journal.begin({
        ...named,
        contentDigest: 'c',
        record: { kind: 'payout', environment: 'test', reference: 'P1', wire: content },
        nowMs: world.clock.ms,
      });
      await world.receive(payout('P1', 'success'));
      expect((await record(world.there, 'payout', 'P1')).facts.walletCode).toBe('W-1');
    },
  },
  {
    guarantee: 'the sums keep environments, statuses and currencies apart, and stay exact above 64 bits',
    async prove(world) {
      const live = { environment: 'live', keyId: 'live-1' } as const;
      await world.receive(
        refund('R1', 'pending', { data: { amount: LARGEST } }),
        refund('R2', 'pending', { data: { amount: LARGEST } }),
        refund('R3', 'pending', { data: { amount: '1', currency: 'NGN' } }),
        refund('R4', 'success'),
        refund('R4', 'failed', {}, live),
        collection('C1', 'success', { data: { amount: '10.12', requested_amount: '10' } }),
        collection('C2', 'success', { data: { amount: '7.10' } }),
      );
      await answer(world.here, 'C2', 'success', { requested_amount: '7', amount: '7.10', currency: 'NGN' });
      expect(await amounts(world.there)).toEqual([
        'refund pending reported NGN 1 0 1.00',
        'refund pending reported USD 2 0 179999999999999999.98',
        'refund success reported USD 1 0 50.00',
        'collection success confirmed NGN 1 0 7.00',
        'collection success reported NGN 1 0 10.00',
      ]);
      expect(await amounts(world.there, 'live')).toEqual(['refund failed reported USD 1 0 50.00']);
      const { environments, events } = await (await world.there.archive()).stats();
      expect([events, environments.test.events, environments.live.events]).toEqual([7, 6, 1]);
      expect(environments.test.records).toEqual({
        refund: { reported: { pending: 3, success: 1 }, confirmed: { none: 4 } },
        payout: { reported: {}, confirmed: {} },
        collection: { reported: { success: 2 }, confirmed: { none: 1, success: 1 } },
      });
    },
  },
];
