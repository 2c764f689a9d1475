import { expect } from 'vitest';
import { collection, delivery, payout, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { check, only } from '../checking.ts';
import { confirmed, end, LEASE_MS, lease, parsed, plan, rows, shownStates, target } from '../forwarding.ts';
import type { Guarantee } from '../world.ts';

/** What makes a row, and what it says. */
export const OUTBOX: readonly Guarantee[] = [
  {
    guarantee:
      'a row is written with the move that confirms, for each target that selects it, and for none before its plan',
    async prove(world) {
      await confirmed(world, 'R0', 'success');
      await plan(world.here, target(), target({ name: 'books', kinds: ['payout'] }));
      await confirmed(world, 'R1', 'success');
      const row = only(await rows(world.there));
      expect(row).toMatchObject({ target: 'shop', kind: 'refund', reference: 'R1', type: 'refund.success', n: 2 });
      expect(row).toMatchObject({
        state: 'waiting',
        attempts: 0,
        createdAtMs: START_MS,
        dueAtMs: START_MS,
        replayed: false,
      });
      expect(row.webhookId).toMatch(/^msg_[0-9a-f]{32}$/);
    },
  },
  {
    guarantee: 'of settled news a target gets moves into and out of a settled status, of every news each move',
    async prove(world) {
      await plan(world.here, target(), target({ name: 'each', news: 'every' }));
      await world.receive(payout('P1', 'pending'));
      for (const status of ['pending', 'success', 'pending', 'failed', 'reversed'])
        await check(world.here, 'P1', status);
      const typesOf = async (name: string) => (await rows(world.here, { target: name })).map(({ type }) => type);
      expect(await typesOf('each')).toEqual([
        'payout.pending',
        'payout.success',
        'payout.pending',
        'payout.failed',
        'payout.reversed',
      ]);
      expect(await typesOf('shop')).toEqual(['payout.success', 'payout.pending', 'payout.failed', 'payout.reversed']);
    },
  },
  {
    guarantee: 'a received event is a row, once; a variant is none, nor is a quarantined event',
    async prove(world) {
      await plan(world.here, target({ when: 'received' }));
      const first = refund('R1', 'processing');
      await world.receive(first, first, refund('R1', 'processing', { data: { amount: '51.00' } }));
      await world.receive(delivery({ event: 'refund.success', data: { status: 'success' } }), delivery('no JSON'));
      await world.receive(
        delivery({ event: 'dispute.opened', data: { reference: 'D1' } }),
        collection('C1', 'success'),
      );
      expect(await shownStates(world.here)).toEqual(['refund.processing waiting', 'transaction.successful waiting']);
    },
  },
  {
    guarantee: 'a new target gets events that come from then on, and rules that change hold from then on',
    async prove(world) {
      await world.receive(refund('R1', 'pending'));
      await plan(world.here, target({ when: 'received' }));
      const many = Array.from({ length: 200 }, (_, n) => refund(`R${n + 2}`, 'pending'));
      await world.receive(...many);
      await plan(world.there, target({ when: 'received', events: ['refund.success'] }));
      await world.receive(refund('R1', 'processing'), refund('R1', 'success'));
      const types = (await rows(world.here)).map(({ type, reference }) => `${type} ${reference}`);
      expect(types).toEqual([...many.map((_, n) => `refund.pending R${n + 2}`), 'refund.success R1']);
    },
  },
  {
    guarantee: 'an event of no known kind is a row only for a target that names it',
    async prove(world) {
      await plan(world.here, target({ when: 'received', events: ['dispute.*', 'refund.success'] }));
      await world.receive(
        delivery({ event: 'dispute.opened', data: { reference: 'D1' } }),
        refund('R1', 'pending'),
        refund('R1', 'success'),
      );
      expect((await rows(world.here)).map(({ type, kind }) => [type, kind])).toEqual([
        ['dispute.opened', 'unknown'],
        ['refund.success', 'refund'],
      ]);
      const [dispute, known] = await lease(world.here, { includeBody: true });
      expect(parsed(dispute as never)).toMatchObject({ kind: 'unknown', data: null, n: null, reported: null });
      expect(Buffer.from(parsed(dispute as never).body, 'base64').toString()).toContain('dispute.opened');
      expect(parsed(known as never)).toMatchObject({
        reported: 'success',
        previous: 'pending',
        confirmed: null,
        n: null,
      });
    },
  },
  {
    guarantee: 'the body has every member in its order, with the facts of the move and of the record',
    async prove(world) {
      await plan(world.here, target({ news: 'every' }));
      await confirmed(world, 'R1', 'processing');
      world.clock.ms += 1_000;
      await check(world.here, 'R1', 'success');
      const [first] = await lease(world.here);
      await end(world.here, first as never);
      const row = only(await lease(world.here));
      const body = parsed(row);
      expect(Object.keys(body)).toEqual([
        'id', 'type', 'environment', 'kind', 'reference', 'reported', 'confirmed', 'confirmedAt', 'previous', 'findings',
        'data', 'supersedes', 'missing', 'replayed', 'n',
      ]); // biome-ignore format: the documented order
      expect(body).toMatchObject({
        id: row.webhookId, type: 'refund.success', environment: 'test', kind: 'refund', reference: 'R1',
        reported: 'processing', confirmed: 'success', confirmedAt: '2026-11-20T10:00:01.000Z', previous: 'processing',
        findings: [], supersedes: [], missing: [], replayed: false, n: 3,
      }); // biome-ignore format: as above
      expect(body.data).toMatchObject({
        facts: { amount: '50.00', currency: 'USD' },
        amount: { amount: '50.00', currency: 'USD' },
      });
    },
  },
  {
    guarantee: 'with the body of a confirmed move comes the newest event that guarantees its status, else null',
    async prove(world) {
      await plan(world.here, target({ news: 'every' }));
      const body = { event: 'refund.success', data: { refund_reference: 'R1', status: 'success', amount: '50.00', currency: 'USD', updated_at: '2026-11-20T09:00:00Z' } }; // biome-ignore format: one event
      await confirmed(world, 'R1', 'failed');
      await world.receive(delivery(body));
      await check(world.here, 'R1', 'success');
      const [failed] = await lease(world.here, { includeBody: true });
      expect(parsed(failed as never).body).toBeNull();
      await end(world.here, failed as never);
      const bytes = Buffer.from(parsed(only(await lease(world.here, { includeBody: true }))).body, 'base64');
      expect(bytes.toString()).toBe(JSON.stringify(body));
    },
  },
  {
    guarantee:
      'targets that a plan does not name are gone with their news, and a name that comes back has its rows again',
    async prove(world) {
      await plan(world.here, target(), target({ name: 'app' }));
      await confirmed(world, 'R1', 'success');
      await plan(world.there, target({ name: 'other' }));
      await confirmed(world, 'R2', 'success');
      const shown = async () => (await rows(world.here)).map((row) => `${row.target} ${row.reference} ${row.state}`);
      expect(await shown()).toEqual(['app R1 waiting', 'shop R1 orphaned', 'app R2 waiting', 'other R2 waiting']);
      expect(await lease(world.here)).toEqual([]);
      await plan(world.there, target());
      expect(await shown()).toEqual(['app R1 waiting', 'shop R1 waiting', 'app R2 waiting', 'other R2 orphaned']);
      expect(only(await lease(world.here)).reference).toBe('R1');
    },
  },
  {
    guarantee: 'a database whose records are not confirmed knows how many records targets wait for',
    async prove(world) {
      await plan(world.here, target({ kinds: ['payout'] }));
      await world.receive(payout('P1', 'success'), payout('P2', 'pending'), collection('C1', 'success'));
      for (const reference of ['P1', 'P2', 'C1']) {
        const { checks } = await world.here.operations();
        const filter = { kinds: ['payout', 'collection'], environments: ['test'], reference } as const;
        const [leased] = await checks.lease({ filter, limit: 1, leaseMs: LEASE_MS });
        const { counter, kind, recordId } = leased as never;
        await checks.finish([{ counter, kind, recordId, outcome: 'unproven', answer: null, detail: null }]);
      }
      expect(await (await world.there.archive()).unprovenRecords()).toEqual([
        { environment: 'test', kind: 'payout', records: 1 },
      ]);
    },
  },
];
