import { expect } from 'vitest';
import type { RequestIntent, SettledRequest, StartedRecord } from '../../../../src/domain/requests/request.ts';
import { payout } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { wire } from '../../../support/service-answer.ts';
import { check, lease, only, record } from '../checking.ts';
import type { Guarantee, World } from '../world.ts';

const reference = 'payout-of-invoice-17';
const started: StartedRecord = {
  kind: 'payout',
  environment: 'test',
  reference,
  wire: wire({ reference, amount: '100.00', currency: 'NGN' }),
};
const named = { kind: 'payout', environment: 'test', key: reference, nowMs: START_MS } as const;
const intent: RequestIntent = {
  ...named,
  reference,
  contentDigest: 'content',
  proposedKey: reference,
  record: started,
};
const refusal = { httpStatus: 422, message: 'Only 30.00 is left.' };
const refused: SettledRequest = { ...named, state: 'refused', attempts: 1, refusal, record: null };
/** A refund has a key of its own; its content names the request. */
const refundIntent = (proposedKey: string, over: Partial<RequestIntent> = {}): RequestIntent => ({
  ...intent,
  kind: 'refund',
  reference: 'TX_81',
  key: null,
  proposedKey,
  record: null,
  ...over,
});
const payouts = async ({ there }: World) => (await there.archive()).record('payout', reference);

/** The journal: a request is kept before it is sent, and takes effect once. */
export const REQUESTS: readonly Guarantee[] = [
  {
    guarantee: 'a request is tracked as it begins, and due by the clock of the store when its call must have ended',
    async prove(world) {
      const journal = await world.here.journal();
      world.clock.ms += 5_000;
      expect(await journal.begin(intent)).toMatchObject({ state: 'open', attempts: 1, createdAtMs: START_MS });
      expect(await record(world.there, 'payout', reference)).toMatchObject({
        reported: null,
        dueAtMs: START_MS + 65_000,
        observations: [{ witness: 'request' }],
      });
      expect(await lease(world.there)).toEqual([]);
      world.clock.ms += 60_000;
      expect(await lease(world.there)).toMatchObject([{ reference }]);
    },
  },
  {
    guarantee: 'an open request resumes under its key, from another process too, and observes once',
    async prove(world) {
      const [here, there] = [await world.here.journal(), await world.there.journal()];
      await here.begin(refundIntent('key-1'));
      expect(await there.begin(refundIntent('key-2'))).toMatchObject({ key: 'key-1', state: 'open', attempts: 2 });
      const live = refundIntent('key-3', { environment: 'live' });
      expect(await there.begin(live)).toMatchObject({ key: 'key-3', attempts: 1 });
      await here.begin(intent);
      expect(await there.begin(intent)).toMatchObject({ attempts: 2 });
      expect((await record(world.here, 'payout', reference)).observations).toHaveLength(1);
    },
  },
  {
    guarantee: 'of two processes that begin the same refund at the same time, both get one key',
    async prove(world) {
      const journals = [await world.here.journal(), await world.there.journal()];
      for (let round = 0; round < 5; round++) {
        const contentDigest = `content ${round}`;
        const begun = await Promise.all(
          journals.map((journal, n) => journal.begin(refundIntent(`key-${round}-${n}`, { contentDigest }))),
        );
        expect(new Set(begun.map(({ key }) => key)).size).toBe(1);
        expect(begun.map(({ attempts }) => attempts).toSorted()).toEqual([1, 2]);
      }
    },
  },
  {
    guarantee: 'a key stays bound to its content: other content is given back what is kept, and is not tracked',
    async prove(world) {
      const journal = await world.here.journal();
      await journal.begin(intent);
      const other = { ...started, wire: wire({ reference, amount: '200.00' }) };
      const kept = await journal.begin({ ...intent, contentDigest: 'other', record: other });
      expect(kept).toMatchObject({ contentDigest: 'content', attempts: 1 });
      expect((await record(world.here, 'payout', reference)).observations).toHaveLength(1);
    },
  },
  {
    guarantee: 'a refused request never happened: its record goes, and it begins anew, with other content too',
    async prove(world) {
      const journal = await world.here.journal();
      await journal.begin(intent);
      await journal.settle(refused);
      expect(await payouts(world)).toEqual([]);
      expect(await journal.begin(intent)).toMatchObject({ state: 'open', attempts: 1 });
      expect(await payouts(world)).toHaveLength(1);
      await journal.settle(refused);
      expect(await journal.begin({ ...intent, contentDigest: 'other' })).toMatchObject({
        contentDigest: 'other',
        attempts: 1,
      });
    },
  },
  {
    guarantee: 'why a request was refused is kept with it, bounded, until it is pruned, begun anew or accepted',
    async prove(world) {
      const journal = await world.here.journal();
      const archive = await world.there.archive();
      const kept = async () => {
        const { records, requests } = await archive.story(reference, {});
        return only([...records.flatMap((story) => story.requests), ...requests]);
      };
      await journal.begin(intent);
      expect(await kept()).toMatchObject({ state: 'open', refusal: null });
      await journal.settle({ ...refused, refusal: { httpStatus: 422, message: 'x'.repeat(5_000) } });
      expect(await kept()).toMatchObject({ refusal: { httpStatus: 422, message: 'x'.repeat(1_000) } });
      await journal.begin(intent);
      expect(await kept()).toMatchObject({ state: 'open', refusal: null });
      await journal.settle(refused);
      const { pruning } = await world.there.operations();
      const forget = async (beforeMs: number) => [await pruning.forgetRefusals({ beforeMs }), (await kept()).refusal];
      expect(await forget(START_MS - 1)).toEqual([0, refusal]);
      expect(await forget(START_MS)).toEqual([1, { ...refusal, message: null }]);
      expect(await forget(START_MS)).toEqual([0, { ...refusal, message: null }]);
      await journal.begin(intent);
      await journal.settle({ ...refused, state: 'accepted', refusal: null, record: started });
      expect(await kept()).toMatchObject({ state: 'accepted', refusal: null });
    },
  },
  {
    guarantee: 'the key of a refused refund stays bound to its content',
    async prove(world) {
      const journal = await world.here.journal();
      const own = refundIntent('unused', { key: 'key-1' });
      await journal.begin(own);
      await journal.settle({ ...refused, kind: 'refund', key: 'key-1' });
      expect(await journal.begin({ ...own, contentDigest: 'other' })).toMatchObject({
        contentDigest: 'content',
        state: 'refused',
      });
      expect(await journal.begin(own)).toMatchObject({ state: 'open', attempts: 1 });
    },
  },
  {
    guarantee: 'a refusal takes nothing back from a record that a webhook observed',
    async prove(world) {
      const journal = await world.here.journal();
      await journal.begin(intent);
      await world.receive(payout(reference, 'success'));
      await journal.settle(refused);
      expect((await record(world.here, 'payout', reference)).observations).toHaveLength(2);
    },
  },
  {
    guarantee: 'a refusal empties a record that is checked or expected, and leaves it',
    async prove(world) {
      const journal = await world.here.journal();
      const { tracking } = await world.there.operations();
      const expected = {
        kind: 'payout',
        environment: 'test',
        amount: null,
        currency: 'NGN',
        expectedByMs: null,
      } as const;
      const referring = {
        checked: (name: string) => check(world.there, name, null),
        expected: (name: string) => tracking.track({ expected: [{ ...expected, reference: name }] }),
      };
      for (const [name, refer] of Object.entries(referring)) {
        const keys = { reference: name, key: name, proposedKey: name };
        await journal.begin({ ...intent, ...keys, record: { ...started, reference: name } });
        await refer(name);
        await journal.settle({ ...refused, key: name });
        expect(await record(world.here, 'payout', name)).toMatchObject({ observations: [], reported: null });
        expect((await record(world.here, 'payout', name)).facts).toMatchObject({ amount: null, currency: null });
      }
    },
  },
  {
    guarantee: 'a refusal of an older attempt, or of an accepted request, does not count',
    async prove(world) {
      const journal = await world.here.journal();
      await journal.begin(intent);
      await journal.begin(intent);
      await journal.settle(refused);
      expect(await journal.begin(intent)).toMatchObject({ state: 'open', attempts: 3 });
      await journal.settle({ ...refused, state: 'accepted', attempts: 3, refusal: null, record: started });
      await journal.settle({ ...refused, attempts: 3 });
      expect(await journal.begin(intent)).toMatchObject({ state: 'accepted', recordReference: reference });
      expect(await payouts(world)).toHaveLength(1);
    },
  },
  {
    guarantee: 'a journal knows the refunds that it started, and a payment keeps the version that it began with',
    async prove(world) {
      const [here, there] = [await world.here.journal(), await world.there.journal()];
      await here.begin(refundIntent('key-1'));
      const refund: StartedRecord = { kind: 'refund', environment: 'test', reference: 'R1', wire: wire({}) };
      await here.settle({ ...refused, kind: 'refund', key: 'key-1', state: 'accepted', refusal: null, record: refund });
      expect([await there.knowsRefund('test', 'R1'), await there.knowsRefund('live', 'R1')]).toEqual([true, false]);
      const pinned = await Promise.all([here.pinVersion('test', 'C1', 'v1'), there.pinVersion('test', 'C1', 'legacy')]);
      expect(new Set(pinned).size).toBe(1);
      expect(await there.pinVersion('live', 'C1', 'legacy')).toBe('legacy');
    },
  },
];
