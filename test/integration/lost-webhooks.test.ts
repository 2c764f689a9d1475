import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTracking } from '../../src/confirm/tracking.ts';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { createClient } from '../../src/service/client.ts';
import { openStore } from '../../src/store/open.ts';
import { Backfilling } from '../support/backfilling.ts';
import { keyPairOf, startReceiver, type TestReceiver } from '../support/receiver.ts';
import { callerOf, payByCard } from '../support/sandbox-caller.ts';
import { START_MS } from '../support/test-database.ts';

// All webhooks are lost, or some; the walk of the list and the sweep bring the store to the service's truth.

let sandbox: Sandbox;
let receiver: TestReceiver;
let world: Backfilling;

beforeEach(async () => {
  sandbox = await startSandbox({ seed: 7, clock: 'manual', startAt: new Date(START_MS) });
  world = new Backfilling();
  receiver = await startReceiver({ folder: world.db.folder, keyPairs: [keyPairOf('test-1', sandbox.keys.test)] });
  sandbox.setWebhookUrl(`${receiver.url}/webhooks/test`);
  sandbox.setBalance({ currency: 'USD', available: '30.00' });
  // The receiver has a clock of its own, and makes reported records due after a moment.
  world.clock.ms = Date.now() + 60_000;
  world.connect(sandbox.url, { keys: { test: sandbox.keys.test.secretKey } });
});
afterEach(async () => {
  await sandbox.close();
  await receiver.stop();
  world.close();
});

const ENDINGS = ['success', 'failed', 'rejected', 'processing', 'pending', 'success', 'awaiting_settlement'] as const;

/** Payments, and refunds on their way to every ending; some wait for money. */
async function refunds(): Promise<void> {
  const call = callerOf(sandbox);
  await payByCard(sandbox, { reference: 'TX', amount: '600.00' });
  for (let n = 0; n < 45; n++) await call('/api/v1/refund', { body: { reference: 'TX', amount: '1.00' } });
  for (const [position, refund] of sandbox.refunds().entries()) {
    const ending = ENDINGS[position % ENDINGS.length] ?? 'pending';
    const isStuck = refund.status === 'awaiting_settlement' && ending !== 'rejected';
    if (!isStuck && ending !== 'pending' && ending !== 'awaiting_settlement') {
      sandbox.moveRefund(String(refund.refund_reference), ending);
    }
  }
}

/** Payouts to accounts that succeed, stay pending, fail and come back later. */
const payout = (reference: string, ending: number) => ({
  reference,
  currency: 'KES',
  amount: parseAmount('10.50'),
  bankCode: '9901',
  bankName: 'Bank',
  accountNumber: `000000000${ending}`,
  narration: 'Invoice',
});
const wireOf = (reference: string, ending: number) => ({
  reference,
  currency: 'KES',
  amount: 10.5,
  bank_code: '9901',
  bank_name: 'Bank',
  account_number: `000000000${ending}`,
  narration: 'Invoice',
});

type Truth = Record<string, string>;
const truth = (): Truth =>
  Object.fromEntries(
    [
      ...sandbox.refunds().map((one) => [`refund ${one.refund_reference}`, `${one.status} ${one.amount}`]),
      ...sandbox.payouts().map((one) => [`payout ${one.reference}`, `${one.status} ${Number(one.amount).toFixed(2)}`]),
      ...sandbox
        .collections()
        .map((one) => [`collection ${one.reference}`, `${one.status} ${Number(one.requested_amount).toFixed(2)}`]),
    ].map(([name, status]) => [String(name), String(status)]),
  );
const stored = (): Truth => {
  const of = (kind: string, amount: string) =>
    world
      .rows<{ reference: string; confirmed: string | null; minor: number }>(
        `SELECT reference, confirmed, ${amount} AS minor FROM ${kind}s`,
      )
      .map(({ reference, confirmed, minor }) => [`${kind} ${reference}`, `${confirmed} ${(minor / 100).toFixed(2)}`]);
  const rows = [...of('refund', 'amount_minor'), ...of('payout', 'amount_minor')];
  return Object.fromEntries([...rows, ...of('collection', 'requested_amount_minor')]);
};
const openFindings = () => world.rows('SELECT code, reference, detail FROM findings WHERE closed_at IS NULL');

test.each(['meta', 'bare', 'paginator'] as const)(
  'every refund webhook lost: backfill and sweep alone bring the store to the truth (%s)',
  async (listStyle) => {
    sandbox.changeSettings({ listStyle, pageSize: 7 });
    sandbox.addChaos({ do: 'drop', events: ['refund.*'] });
    await refunds();
    await sandbox.idle();
    await receiver.carriedOut();
    expect(sandbox.webhooks({ state: 'delivered' }).filter(({ event }) => event.startsWith('refund.'))).toEqual([]);
    expect(world.rows('SELECT 1 FROM refunds')).toEqual([]);

    expect(await world.walk()).toMatchObject({ outcome: 'complete', created: 45 });
    expect(await world.sweep()).toMatchObject({ confirmed: 46, repaired: 45, failed: {} });
    expect(stored()).toEqual(truth());

    // The refunds go on, still without webhooks.
    sandbox.settle();
    for (const { refund_reference: reference, status } of sandbox.refunds()) {
      if (status === 'processing' || status === 'pending') sandbox.moveRefund(String(reference), 'success');
      if (status === 'failed') sandbox.moveRefund(String(reference), 'rejected');
    }
    expect(stored()).not.toEqual(truth());
    world.clock.ms += 60_000;
    // The list shows the moves first; the checks confirm them.
    expect((await world.walk()).news).toBeGreaterThan(20);
    await world.sweep();
    expect(stored()).toEqual(truth());
    expect(openFindings()).toEqual([]);
  },
);

test('payouts and collections are in no list: those started here and tracked ones come to the truth too', async () => {
  sandbox.addChaos({ do: 'drop' });
  const journal = await openStore(world.db.path, { clock: world.clock }).requestJournal();
  const { secretKey } = sandbox.keys.test;
  const nowMs = () => world.clock.nowMs();
  const client = createClient({ baseUrl: sandbox.url, secretKey, journal, nowMs });
  const call = callerOf(sandbox);
  const tracking = await openTracking({ path: world.db.path, clock: world.clock });
  for (const ending of [1, 2, 3, 4]) {
    await client.payouts.send(payout(`started-here-payout-${ending}`, ending));
    await call('/api/v1/bank_transfer', { body: wireOf(`elsewhere-payout-${ending}`, ending) });
  }
  await payByCard(sandbox, { reference: 'C-PAID', amount: '10.00', currency: 'NGN' });
  await payByCard(sandbox, { reference: 'C-FAILED', amount: '10.00', currency: 'NGN', status: 'failed' });
  await payByCard(sandbox, { reference: 'C-PENDING', amount: '10.00', currency: 'NGN', status: 'pending' });
  await sandbox.idle();
  await receiver.carriedOut();
  expect(world.rows('SELECT 1 FROM events')).toEqual([]);

  const due = new Date(world.clock.ms + 86_400_000);
  const common = { environment: 'test', due } as const;
  await tracking.track(
    ...[1, 2, 3, 4].map((ending) => {
      const reference = `elsewhere-payout-${ending}`;
      return { ...common, kind: 'payout', reference, amount: '10.50', currency: 'KES' } as const;
    }),
    ...['C-PAID', 'C-FAILED', 'C-PENDING'].map((reference) => {
      return { ...common, kind: 'collection', reference, amount: '10.00', currency: 'NGN' } as const;
    }),
    { ...common, kind: 'payout', reference: 'never-sent', amount: '1.00', currency: 'KES' },
  );
  await world.sweep();
  expect(stored()).toEqual({ ...truth(), 'payout never-sent': 'null 0.00' });
  expect(openFindings()).toEqual([]);

  // Days pass: pending records settle, a payout is reversed, and a record that never came is a finding at its date.
  for (let hours = 0; hours < 80; hours += 8) {
    await sandbox.advance('8h');
    world.clock.ms += 8 * 3_600_000;
    await world.operations.tracking.review();
    await world.sweep();
  }
  expect(stored()).toEqual({ ...truth(), 'payout never-sent': 'null 0.00' });
  expect(truth()).toMatchObject({ 'collection C-PENDING': 'success 10.00' });
  expect(openFindings()).toMatchObject([{ code: 'never_seen', reference: 'never-sent' }]);
  expect(receiver.rows('SELECT 1 FROM events')).toEqual([]);
  await tracking.close();
  await journal.close();
});

test('some webhooks are lost and some records are missing from the list: neither alone decides, and nothing is failed', async () => {
  sandbox.changeSettings({ listStyle: 'bare', pageSize: 10 });
  sandbox.addChaos({ do: 'drop', events: ['refund.*'], probability: 0.5 });
  await refunds();
  await sandbox.idle();
  await receiver.carriedOut();
  const known = world.references;
  const [forgotten = ''] = known;
  sandbox.addChaos({ id: 'forget', do: 'forget', references: [forgotten] });
  expect(await world.walk()).toMatchObject({ outcome: 'complete', missed: 1, absent: 0, created: 45 - known.length });
  await world.sweep();
  expect(stored()).toEqual(truth());
  expect(await world.walk()).toMatchObject({ missed: 1, absent: 1 });
  expect(world.absent).toEqual([forgotten]);
  expect(stored()).toEqual(truth());
  sandbox.clearChaos('forget');
  expect(await world.walk()).toMatchObject({ missed: 0 });
  expect(world.absent).toEqual([]);
});

test('a list whose total counts a refund that it does not show is not complete', async () => {
  sandbox.changeSettings({ listStyle: 'meta' });
  await refunds();
  await sandbox.idle();
  await receiver.carriedOut();
  sandbox.addChaos({ do: 'forget', limit: 1 });
  expect(await world.walk()).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('short') });
});
