import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { keyPairOf, startReceiver, type TestReceiver } from '../support/receiver.ts';
import { callerOf, payByCard } from '../support/sandbox-caller.ts';

// Two implementations that share no code: what the sandbox signs and sends, the production receiver keeps.

let sandbox: Sandbox;
let receiver: TestReceiver;

beforeEach(async () => {
  sandbox = await startSandbox({ seed: 7, clock: 'manual', startAt: new Date() });
  receiver = await startReceiver({
    keyPairs: [keyPairOf('test-1', sandbox.keys.test), keyPairOf('live-1', sandbox.keys.live)],
  });
  sandbox.setWebhookUrl(`${receiver.url}/webhooks/test`);
  sandbox.setWebhookUrl(`${receiver.url}/webhooks/live`, { environment: 'live' });
});
afterEach(async () => {
  await sandbox.close();
  await receiver.stop();
});

/** A small day: payments, refunds to several endings, payouts of every kind. */
async function day(): Promise<void> {
  const call = callerOf(sandbox);
  sandbox.setBalance({ currency: 'USD', available: '6.00' });
  await payByCard(sandbox, { reference: 'TX', amount: '60.00' });
  await payByCard(sandbox, { reference: 'NO', status: 'failed' });
  for (let i = 0; i < 6; i++) await call('/api/v1/refund', { body: { reference: 'TX', amount: '5.00' } });
  sandbox.settle();
  const endings = ['success', 'failed', 'rejected', 'success', 'processing', 'pending'] as const;
  for (const [position, { refund_reference }] of sandbox.refunds().entries()) {
    const status = endings[position] ?? 'pending';
    if (status !== 'pending') sandbox.moveRefund(String(refund_reference), status);
  }
  for (const [number, ending] of ['0001', '0002', '0003', '0004'].entries()) {
    const account = { currency: 'KES', bank_code: '9901', bank_name: 'Bank', account_number: `000000${ending}` };
    const body = { ...account, amount: 10.5, narration: 'Café/₦', reference: `P${number}` };
    await call('/api/v1/bank_transfer', { body });
    await call('/api/v1/bank_transfer', { body, environment: 'live' });
  }
  await sandbox.advance('2d');
}

const reported = () =>
  Object.fromEntries(
    receiver
      .rows<{ name: string; reported: string }>(
        `SELECT environment || ' ' || reference AS name, reported FROM refunds
         UNION ALL SELECT environment || ' ' || reference, reported FROM payouts
         UNION ALL SELECT environment || ' ' || reference, reported FROM collections`,
      )
      .map(({ name, reported }) => [name, reported]),
  );
const inSandbox = () => {
  const of = (environment: 'test' | 'live') =>
    [
      ...sandbox.refunds({ environment }).map(({ refund_reference, status }) => [refund_reference, status]),
      ...sandbox.payouts({ environment }).map(({ reference, status }) => [reference, status]),
      ...sandbox.collections({ environment }).map(({ reference, status }) => [reference, status]),
    ].map(([reference, status]) => [`${environment} ${reference}`, status]);
  // A payout that stays pending has no webhook (interface 6.3).
  return Object.fromEntries([...of('test'), ...of('live')].filter(([, status]) => status !== 'pending'));
};

it('a faithful day: every webhook is kept once, and both sides tell the same', async () => {
  await day();
  await receiver.carriedOut();
  expect(new Set(sandbox.webhooks().map(({ state }) => state))).toEqual(new Set(['delivered']));
  expect(receiver.rows('SELECT 1 FROM events')).toHaveLength(sandbox.webhooks().length);
  const pending = Object.fromEntries(
    sandbox
      .refunds()
      .filter(({ status }) => status === 'pending')
      .map((one) => [`test ${one.refund_reference}`, 'pending']),
  );
  expect(reported()).toEqual({ ...inSandbox(), ...pending });
  expect(receiver.rows('SELECT * FROM findings WHERE closed_at IS NULL')).toEqual([]);
});

it('a day of chaos: duplicates, disorder and wrong keys change nothing; what was dropped is the only difference', async () => {
  sandbox.addChaos({ do: 'duplicate', times: 2, gap: '1m', probability: 0.4 });
  sandbox.addChaos({ do: 'delay', by: '20m', probability: 0.3 });
  sandbox.addChaos({ do: 'wrong_key', probability: 0.3 });
  sandbox.addChaos({ do: 'wrong_key', key: 'other_environment', events: ['payout.*'], probability: 0.3 });
  sandbox.addChaos({ do: 'stringify', probability: 0.3 });
  sandbox.addChaos({ do: 'drop', events: ['refund.success', 'payout.reversed'], limit: 2 });
  await day();
  await receiver.carriedOut();
  const dropped = new Set(
    sandbox.webhooks({ state: 'dropped' }).map(({ environment, reference }) => `${environment} ${reference}`),
  );
  expect(dropped.size).toBe(2);
  const [there, here] = [inSandbox(), reported()];
  const different = Object.keys(there).filter((name) => here[name] !== there[name]);
  expect(new Set(different)).toEqual(dropped);
  expect(sandbox.plantedFaults().length).toBeGreaterThan(10);
  expect(receiver.rows('SELECT 1 FROM events')).toHaveLength(
    new Set(
      sandbox
        .webhooks({ state: 'delivered' })
        .map(({ environment, event, reference, body }) =>
          [environment, event, reference, JSON.parse(body).data.updated_at].join(),
        ),
    ).size,
  );
});
