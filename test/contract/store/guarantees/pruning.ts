import { expect } from 'vitest';
import { addPruned, NOTHING_PRUNED, type Prunable, type PrunePlace } from '../../../../src/store/pruning.ts';
import { delivery, payout, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { allBodies } from '../../../support/walking.ts';
import { check, openFindings, record } from '../checking.ts';
import type { Handle } from '../handle.ts';
import type { Guarantee, World } from '../world.ts';

const DAY_MS = 86_400_000;
const beforeMs = START_MS + 365 * DAY_MS;
const PERSON = { account_number: '0123456789', account_name: 'Ada Okafor', narration: 'Wages', sessionid: 'S-77' };

/** Runs every step of `survey` or `prune`. */
async function every(handle: Handle, call: 'survey' | 'prune'): Promise<Prunable> {
  const { pruning } = await handle.operations();
  let all = NOTHING_PRUNED;
  for (let after: PrunePlace | null = null; ; ) {
    const { next, ...step }: Awaited<ReturnType<typeof pruning.prune>> = await pruning[call]({ beforeMs, after });
    all = addPruned(all, step);
    if (next === null) return all;
    after = next;
  }
}

/** Payouts that are reversed and confirmed, long ago. */
async function longAgo(world: World, ...references: string[]): Promise<void> {
  for (const reference of references) {
    await world.receive(payout(reference, 'reversed', { data: PERSON }));
    await check(world.here, reference, 'reversed');
  }
  world.clock.ms = START_MS + 400 * DAY_MS;
}
const lengths = async (handle: Handle) => (await allBodies(await handle.archive())).map(({ body }) => body.length);

/** Old bodies and personal data go; keys and digests stay. */
export const PRUNING: readonly Guarantee[] = [
  {
    guarantee: 'bodies and personal data of a settled record go, and the rest stays',
    async prove(world) {
      await longAgo(world, 'P1');
      const before = await record(world.here, 'payout', 'P1');
      const [event] = await allBodies(await world.here.archive());
      const found = await every(world.there, 'survey');
      expect(await record(world.here, 'payout', 'P1')).toEqual(before);
      expect(found).toMatchObject({ records: 1, events: 1, variants: 0, bytes: event?.body.length });
      expect(await every(world.there, 'prune')).toEqual(found);
      const after = await record(world.here, 'payout', 'P1');
      expect(after).toMatchObject({ reported: 'reversed', confirmed: 'reversed', prunedAtMs: world.clock.ms });
      expect(after.facts).toEqual({ ...before.facts, accountNumber: null });
      expect(after.details).toEqual({ ...before.details, accountName: null, narration: null });
      const [pruned] = await allBodies(await world.here.archive());
      expect(pruned).toMatchObject({ bodyDigest: event?.bodyDigest, prunedAtMs: world.clock.ms });
      expect(pruned?.body).toHaveLength(0);
      expect(JSON.stringify(await (await world.here.archive()).story('P1', {}), bigints)).not.toContain('Okafor');
      expect(await every(world.there, 'prune')).toEqual(NOTHING_PRUNED);
    },
  },
  {
    guarantee: 'a record that is due, not confirmed, too young, expected or in doubt keeps its bodies',
    async prove(world) {
      await longAgo(world, 'doubted', 'expected');
      world.clock.ms = START_MS;
      await world.receive(refund('due', 'success'), refund('unsettled', 'processing'));
      await world.receive(payout('doubted', 'reversed', { data: { ...PERSON, amount: '1.00' } }));
      await check(world.here, 'doubted', 'reversed');
      const { tracking } = await world.here.operations();
      const expected = { kind: 'payout', environment: 'test', amount: null, currency: 'USD' } as const;
      await tracking.track({ expected: [{ ...expected, reference: 'expected', expectedByMs: null }] });
      world.clock.ms = beforeMs + DAY_MS;
      await world.receive(refund('young', 'success'));
      await check(world.here, 'young', 'success');
      world.clock.ms += 30 * DAY_MS;
      expect(await every(world.here, 'survey')).toEqual(NOTHING_PRUNED);
      expect(await every(world.here, 'prune')).toEqual(NOTHING_PRUNED);
    },
  },
  {
    guarantee: 'a late delivery of what was pruned is a duplicate in every encoding, and other content is a variant',
    async prove(world) {
      await longAgo(world, 'P1');
      await every(world.there, 'prune');
      const first = payout('P1', 'reversed', { data: PERSON });
      const content = JSON.parse(Buffer.from(first.body).toString());
      const spaced = { ...first, body: Buffer.from(JSON.stringify(content, null, 2)) };
      expect(await world.receive(first, spaced)).toMatchObject([{ duplicate: true }, { duplicate: true }]);
      expect(await record(world.here, 'payout', 'P1')).toMatchObject({ dueAtMs: null, prunedAtMs: world.clock.ms });
      const other = payout('P1', 'reversed', { data: { ...PERSON, amount: '1.00' } });
      expect(await world.receive(other)).toMatchObject([{ duplicate: false }]);
      expect(await openFindings(world.here)).toEqual(['fact_conflict P1', 'variant P1']);
      expect((await record(world.here, 'payout', 'P1')).dueAtMs).toBe(world.clock.ms);
    },
  },
  {
    guarantee: 'news of a pruned record brings its own body, and it can be pruned again',
    ownTime: true,
    async prove(world) {
      await longAgo(world, 'P1');
      await every(world.there, 'prune');
      world.clock.ms = START_MS + 5;
      await world.receive(payout('P1', 'reversed', { updatedAt: '2026-11-20T10:00:00Z', data: PERSON }));
      const { facts, prunedAtMs } = await record(world.here, 'payout', 'P1');
      expect([facts.accountNumber, prunedAtMs]).toEqual([PERSON.account_number, null]);
      await check(world.here, 'P1', 'reversed');
      world.clock.ms = START_MS + 400 * DAY_MS;
      expect(await every(world.there, 'prune')).toMatchObject({ records: 1, events: 1 });
    },
  },
  {
    guarantee: 'news that comes between survey and prune keeps its record whole',
    async prove(world) {
      await longAgo(world, 'P1', 'P2');
      world.clock.ms = START_MS + 400 * DAY_MS;
      expect(await every(world.there, 'survey')).toMatchObject({ records: 2 });
      await world.receive(payout('P1', 'reversed', { updatedAt: '2026-11-20T10:00:00Z', data: PERSON }));
      expect(await every(world.there, 'prune')).toMatchObject({ records: 1, events: 1 });
      expect((await lengths(world.here)).map((length) => length > 0)).toEqual([true, false, true]);
    },
  },
  {
    guarantee: 'pruning goes in steps: two processes that prune at the same time delete each body once',
    async prove(world) {
      await longAgo(world, ...Array.from({ length: 8 }, (_, n) => `P${n}`));
      await world.there.operations();
      const both = await Promise.all([every(world.here, 'prune'), every(world.there, 'prune')]);
      expect(both.reduce(addPruned)).toMatchObject({ records: 8, events: 8 });
      expect(await lengths(world.here)).toEqual(Array.from({ length: 8 }, () => 0));
    },
  },
  {
    guarantee: 'events of no known kind go by their age with their variants; quarantined ones stay',
    async prove(world) {
      const unknown = (note: string) =>
        delivery({ event: 'parcel.sent', data: { reference: 'X1', updated_at: '2026-11-20T09:00:00Z', note } });
      await world.receive(unknown('a'), unknown('b'), delivery('no json at all'));
      await world.receive({
        ...delivery({ event: 'parcel.sent', data: { reference: 'X2' } }),
        receivedAtMs: beforeMs + 1,
      });
      expect(await every(world.here, 'prune')).toMatchObject({ records: 0, events: 1, variants: 1 });
      expect((await lengths(world.here)).filter((length) => length === 0)).toHaveLength(1);
    },
  },
  {
    guarantee: 'samples of refused requests lose address and user agent, and nothing else',
    async prove(world) {
      const inbox = await world.there.inbox();
      const sample = { path: '/webhooks', reason: 'method', contentLength: 4, userAgent: 'x' };
      const samples = [beforeMs, beforeMs + 1].map((atMs) => ({ ...sample, atMs, remoteAddress: '192.0.2.1' }));
      inbox.countRefusals([], samples);
      await world.there.close();
      const { pruning } = await world.here.operations();
      expect([await pruning.forgetAddresses({ beforeMs }), await pruning.forgetAddresses({ beforeMs })]).toEqual([
        1, 0,
      ]);
      const left = await (await world.here.archive()).refusalSamples();
      expect(left.toSorted((one, other) => one.atMs - other.atMs)).toEqual([
        { ...samples[0], remoteAddress: null, userAgent: null },
        samples[1],
      ]);
    },
  },
];

function bigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
