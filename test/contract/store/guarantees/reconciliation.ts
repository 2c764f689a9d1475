import { expect } from 'vitest';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import { RECORD_KINDS, type RecordKind } from '../../../../src/domain/records/lifecycle.ts';
import { countedAmount } from '../../../../src/domain/records/witness-money.ts';
import { type OpenRecord, type ReconciledPeriod, walkAll } from '../../../../src/store/reconciliation.ts';
import { collection, payout, refund } from '../../../support/deliveries.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { check, only } from '../checking.ts';
import type { Guarantee, World } from '../world.ts';

const DAY_MS = 86_400_000;
const EVER: ReconciledPeriod = { fromMs: 0, beforeMs: START_MS + 1_000 * DAY_MS, asAtMs: START_MS + 500 * DAY_MS };
const at = (day: number, time = '09:00:00') => `2026-11-${String(day).padStart(2, '0')}T${time}Z`;

async function all<Row>(pages: AsyncGenerator<readonly Row[], void, undefined>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

const open = async (world: World, kind: RecordKind, period = EVER): Promise<OpenRecord[]> => {
  const archive = await world.here.archive();
  return all(walkAll((after) => archive.openRecords(kind, period, after)));
};
const references = (rows: readonly { readonly reference: string }[]) =>
  rows.map(({ reference }) => reference).toSorted();

/** What reconciling reads. */
export const RECONCILIATION: readonly Guarantee[] = [
  {
    guarantee: 'a record that both witnesses settle alike is not open, and every other one is',
    async prove(world) {
      await world.receive(
        refund('alike', 'success'),
        refund('waiting', 'processing'),
        refund('unasked', 'success'),
        refund('other-amount', 'success'),
        refund('other-fee', 'success', { data: { fee: '0.10' } }),
        refund('tied', 'failed'),
        refund('tied', 'processing'),
      );
      await check(world.here, 'alike', 'success');
      await check(world.here, 'waiting', 'processing');
      await check(world.here, 'other-amount', 'success', {});
      await check(world.here, 'tied', 'success');
      const rows = await open(world, 'refund');
      expect(references(rows)).toEqual(['other-fee', 'tied', 'unasked', 'waiting']);
      expect(rows.filter(({ needsMore }) => needsMore).map(({ reference }) => reference)).toEqual(['tied']);
    },
  },
  {
    guarantee: 'a record is open in the period of its effective time, from the first second to the last',
    async prove(world) {
      await world.receive(
        refund('before', 'pending', { updatedAt: at(9, '23:59:59.999') }),
        refund('first', 'pending', { updatedAt: at(10, '00:00:00') }),
        refund('last', 'pending', { updatedAt: at(10, '23:59:59.999') }),
        refund('after', 'pending', { updatedAt: at(11, '00:00:00') }),
        refund('live', 'pending', { updatedAt: at(10) }, { environment: 'live' }),
      );
      const day = { ...EVER, fromMs: Date.parse(at(10, '00:00:00')), beforeMs: Date.parse(at(11, '00:00:00')) };
      expect(references(await open(world, 'refund', day))).toEqual(['first', 'last', 'live']);
      expect(references(await open(world, 'refund', { ...day, environment: 'live' }))).toEqual(['live']);
    },
  },
  {
    guarantee: 'the row of an open record says the same amount, date and beginning as the whole record',
    async prove(world) {
      await world.receive(
        refund('R', 'pending', { data: { requested_at: at(3, '10:00:00.5'), fee: '0.19836' } }),
        payout('P', 'pending', { updatedAt: at(4), data: { created_at: at(2) } }),
        collection('C', 'pending', { data: { requested_amount: '90071992547409.93', paid_at: at(5, '01:02:03.9') } }),
      );
      const archive = await world.here.archive();
      for (const kind of RECORD_KINDS) {
        const row = only(await open(world, kind));
        const known = only(await archive.knownRecords({ kind, ids: [row.id], asAtMs: EVER.asAtMs }));
        const { amount, currency } = countedAmount(known);
        expect(row).toMatchObject({
          reference: known.reference,
          effectiveAtMs: known.effectiveAtMs,
          startedAtMs: known.startedAtMs,
          currency,
          minor: amount === null ? null : (amount.units * 100n) / 10n ** BigInt(amount.scale),
        });
      }
    },
  },
  {
    guarantee: 'what is known at a time stays the same, whatever becomes known later',
    async prove(world) {
      const early = { receivedAtMs: START_MS };
      await world.receive(
        refund('R', 'processing', { updatedAt: at(3) }, early),
        refund('R', 'failed', { updatedAt: at(3) }, early),
      );
      await world.receive(payout('P', 'success', { updatedAt: at(3) }, early));
      await check(world.here, 'P', 'success');
      const asAtMs = START_MS + 1_000;
      const archive = await world.here.archive();
      const known = async (kind: RecordKind) => {
        const [record] = await archive.knownRecords({ kind, ids: [1], asAtMs });
        const { changedLater: _changed, ...rest } = record ?? expect.fail('it is known');
        const findings = rest.findings.map(({ code, subject, detail }) => [code, subject, detail]);
        return { ...rest, findings };
      };
      const before = [await known('refund'), await known('payout')];
      world.clock.ms = START_MS + DAY_MS;
      const late = { receivedAtMs: START_MS + DAY_MS };
      await world.receive(
        refund('R', 'success', { updatedAt: at(6), data: { amount: '51.00' } }, late),
        payout('P', 'reversed', { updatedAt: at(7) }, late),
        refund('new', 'success', {}, late),
      );
      await check(world.here, 'P', 'reversed');
      expect([await known('refund'), await known('payout')]).toEqual(before);
      expect(before[0]?.findings.map(([code]) => code)).toEqual(['tie']);
      const [unknown] = await archive.knownRecords({ kind: 'refund', ids: [2], asAtMs });
      expect(unknown).toMatchObject({ reference: 'new', seen: false });
    },
  },
  {
    guarantee: 'the evidence of a record is what was known at the time',
    ownTime: true,
    async prove(world) {
      await world.receive(payout('P', 'pending'), payout('P', 'success', {}, { receivedAtMs: START_MS + 5_000 }));
      await check(world.here, 'P', 'success');
      const archive = await world.here.archive();
      const [first, later] = [
        await archive.evidence('payout', [1], START_MS),
        await archive.evidence('payout', [1], START_MS + DAY_MS),
      ];
      expect(only(first).events).toEqual([1]);
      expect(only(later)).toMatchObject({
        events: [1, 2],
        answer: 1,
        service: { status: 'success', learntAtMs: START_MS },
      });
    },
  },
  {
    guarantee: 'sums are exact beyond what 64 bits hold, and never mix environments or currencies',
    async prove(world) {
      const huge = { amount: '89999999999999999.99' };
      await world.receive(
        ...[1, 2, 3].map((n) => payout(`P${n}`, 'success', { data: huge })),
        payout('P4', 'success', { data: huge }, { environment: 'live' }),
        payout('P5', 'success', { data: { amount: '0.01', currency: 'KES' } }),
        payout('P6', 'success', { data: { amount: 'x' } }),
      );
      const archive = await world.here.archive();
      const groups = await archive.recordGroups('payout', { ...EVER, by: 'status' });
      const sums = groups.map(({ environment, currency, records, withoutAmount, minor }) => [
        environment,
        currency,
        records,
        withoutAmount,
        minor,
      ]);
      expect(sums).toEqual([
        ['live', 'NGN', 1, 0, 8999999999999999999n],
        ['test', 'KES', 1, 0, 1n],
        ['test', 'NGN', 4, 1, 26999999999999999997n],
      ]);
    },
  },
  {
    guarantee: 'refunds of a transaction are read together, with its collection, in pages',
    async prove(world) {
      const of = (transaction: string) => ({ data: { transaction_reference: transaction } });
      await world.receive(
        collection('T1', 'success', { data: { requested_amount: '100.00', currency: 'USD' } }),
        refund('R1', 'success', of('T1')),
        refund('R2', 'processing', of('T1')),
        refund('R3', 'success', of('T2')),
        refund('R4', 'success', { ...of('T3'), updatedAt: '2020-01-01T00:00:00Z' }),
      );
      const archive = await world.here.archive();
      const period = { ...EVER, fromMs: Date.parse('2026-01-01T00:00:00Z') };
      const rows = await all(walkAll((after) => archive.refundedTransactions(period, after)));
      expect(
        rows.map(({ reference, refunds, collection: one }) => [reference, refunds.length, one?.requested ?? null]),
      ).toEqual([
        ['T1', 2, 10000n],
        ['T2', 1, null],
      ]);
    },
  },
  {
    guarantee: 'payouts with one session id are found together',
    async prove(world) {
      const session = (sessionid: string) => ({ data: { sessionid } });
      await world.receive(
        payout('P1', 'success', session('A')),
        payout('P2', 'success', session('B')),
        payout('P3', 'success', session('A')),
        payout('P4', 'success'),
        payout('P5', 'success'),
      );
      const archive = await world.here.archive();
      expect(await all(walkAll((after) => archive.sharedSessions(after)))).toEqual([
        { sessionId: 'A', payoutIds: [1, 3] },
      ]);
    },
  },
  {
    guarantee: 'a tracked reference is unseen until a witness mentions it, by the time that is asked about',
    async prove(world) {
      const { tracking } = await world.here.operations();
      const expected = (reference: string) => ({
        kind: 'refund' as const,
        environment: 'test' as const,
        reference,
        amount: parseAmount('5.00'),
        currency: 'USD',
        expectedByMs: START_MS + 1_000,
      });
      await tracking.track({ expected: [expected('never'), expected('later')] });
      world.clock.ms = START_MS + DAY_MS;
      await world.receive(refund('later', 'success', {}, { receivedAtMs: START_MS + DAY_MS }));
      const archive = await world.here.archive();
      const unseen = (asAtMs: number) =>
        all(walkAll((after) => archive.unseenExpectations({ ...EVER, asAtMs }, after)));
      expect(references(await unseen(START_MS + 2_000))).toEqual(['later', 'never']);
      expect(references(await unseen(START_MS + DAY_MS))).toEqual(['never']);
      expect(await unseen(START_MS - 1)).toEqual([]);
    },
  },
];
