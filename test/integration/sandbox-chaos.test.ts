import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RuleInput, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { callerOf, payByCard } from '../support/sandbox-caller.ts';
import { type Caught, catchWebhooks, hmac } from '../support/webhook-catcher.ts';

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof catchWebhooks>>;

beforeEach(async () => {
  receiver = await catchWebhooks();
  sandbox = await startSandbox({ seed: 7, clock: 'manual', webhookUrl: receiver.url });
});
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
});

const payout = (reference: string) =>
  callerOf(sandbox)('/api/v1/bank_transfer', {
    body: { currency: 'KES', amount: 10, bank_code: 'MMKE', bank_name: 'M', account_number: '0700000001', reference },
  });
const references = () => receiver.caught.map(({ body }) => body.data.reference ?? body.data.refund_reference);
const genuine = ({ headers, raw }: Caught, secret = sandbox.keys.test.secretKey) =>
  headers.payloadsignature === hmac(secret, raw);
async function refundTwice() {
  sandbox.setBalance({ currency: 'USD', available: '100.00' });
  await payByCard(sandbox, { reference: 'OK', amount: '20.00' });
  const { data } = (await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'OK', amount: '5.00' } })).body;
  sandbox.moveRefund(data.refund_reference, 'processing');
  await sandbox.idle();
  return receiver.caught.filter(({ body }) => body.event?.startsWith('refund.'));
}

describe('chaos on webhooks', () => {
  it('drop: never sent, yet in the log', async () => {
    sandbox.addChaos({ do: 'drop', references: ['P1'] });
    await payout('P1');
    await payout('P2');
    await sandbox.advance('1d');
    expect(references()).toEqual(['P2']);
    expect(sandbox.webhooks().map(({ state }) => state)).toEqual(['dropped', 'delivered']);
    expect(sandbox.plantedFaults()).toMatchObject([{ do: 'drop', reference: 'P1', target: 'payout.successful' }]);
  });

  it('delay: sent late', async () => {
    sandbox.addChaos({ do: 'delay', by: '10m' });
    await payout('P1');
    await sandbox.advance('9m');
    expect(references()).toEqual([]);
    await sandbox.advance('1m');
    expect(references()).toEqual(['P1']);
  });

  it('duplicate: the same bytes again', async () => {
    sandbox.addChaos({ do: 'duplicate', times: 2, gap: '1m' });
    await payout('P1');
    await sandbox.advance('2m');
    expect(receiver.caught).toHaveLength(3);
    expect(new Set(receiver.caught.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  it('reorder: sent after the next one', async () => {
    sandbox.addChaos({ do: 'reorder', limit: 1 });
    await payout('P1');
    await sandbox.idle();
    await payout('P2');
    await sandbox.idle();
    expect(references()).toEqual(['P2', 'P1']);
  });

  it('reorder: leaves by itself when nothing follows', async () => {
    sandbox.addChaos({ do: 'reorder', hold: '30s' });
    await payout('P1');
    await sandbox.advance('30s');
    expect(references()).toEqual(['P1']);
  });

  it('reorder: what was redelivered by hand is held back no more, and keeps to the retry schedule', async () => {
    const failing = await catchWebhooks(() => 500);
    sandbox.setWebhookUrl(failing.url);
    sandbox.addChaos({ do: 'reorder', limit: 1 });
    await payout('P1');
    await sandbox.idle();
    await sandbox.redeliver(String(sandbox.webhooks()[0]?.id));
    await payout('P2');
    await sandbox.idle();
    expect(failing.caught.map(({ body }) => body.data.reference)).toEqual(['P1', 'P2']);
    await failing.close();
  });

  it('tie: two statuses at the same updated_at', async () => {
    sandbox.addChaos({ do: 'tie', events: ['refund.processing'] });
    const [pending, processing] = await refundTwice();
    expect(processing?.body.data.updated_at).toBe(pending?.body.data.updated_at);
    expect(processing && genuine(processing)).toBe(true);
  });

  it('variant: other content under the same key, genuinely signed', async () => {
    sandbox.addChaos({ do: 'variant', events: ['refund.pending'] });
    const [one, other] = await refundTwice();
    expect([one?.body.data.amount, other?.body.data.amount]).toEqual(['5.00', '6.00']);
    expect(other?.body.data.updated_at).toBe(one?.body.data.updated_at);
    expect(other && genuine(other)).toBe(true);
  });

  it.each(['old', 'other_environment'] as const)('wrong_key: signed with the %s key first', async (key) => {
    sandbox.addChaos({ do: 'wrong_key', key });
    const wrong = key === 'old' ? sandbox.merchants()[0]?.retiredKeys.test.secretKey : sandbox.keys.live.secretKey;
    const picky = await catchWebhooks((caught) => (genuine(caught) ? 200 : 401));
    sandbox.setWebhookUrl(picky.url);
    await payout('P1');
    await sandbox.advance('1m');
    const [first, second] = picky.caught as [Caught, Caught];
    expect([genuine(first), genuine(first, wrong), genuine(second)]).toEqual([false, true, true]);
    await picky.close();
  });

  it('corrupt: altered after signing', async () => {
    sandbox.addChaos({ do: 'corrupt' });
    await payout('P1');
    await sandbox.idle();
    expect(receiver.caught[0] && genuine(receiver.caught[0])).toBe(false);
  });

  it('stringify, numberify, zoneless: the same facts in other types', async () => {
    sandbox.addChaos({ do: 'stringify', events: ['payout.*'] });
    sandbox.addChaos({ do: 'numberify', events: ['refund.pending'] });
    sandbox.addChaos({ do: 'zoneless', events: ['refund.processing'] });
    await payout('P1');
    const [pending, processing] = await refundTwice();
    expect(receiver.caught[0]?.body.data).toMatchObject({ amount: '10', fee: '20' });
    expect(pending?.body.data).toMatchObject({ amount: 5, total_reserved: 5.5, funding: { available_reserved: 5.5 } });
    expect(processing?.body.data.updated_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });
});

describe('several rules at once', () => {
  it('delay and reorder: late, and after the next one', async () => {
    sandbox.addChaos({ do: 'delay', by: '10m', references: ['P1'] });
    sandbox.addChaos({ do: 'reorder', references: ['P1'] });
    await payout('P1');
    await payout('P2');
    await sandbox.advance('9m');
    expect(references()).toEqual(['P2']);
    await sandbox.advance('1m');
    await payout('P3');
    await sandbox.idle();
    expect(references()).toEqual(['P2', 'P3', 'P1']);
  });

  it('reorder and duplicate: the copy keeps its gap', async () => {
    sandbox.addChaos({ do: 'reorder', references: ['P1'] });
    sandbox.addChaos({ do: 'duplicate', gap: '5m', references: ['P1'] });
    await payout('P1');
    await payout('P2');
    await sandbox.idle();
    expect(references()).toEqual(['P2', 'P1']);
    await sandbox.advance('6m');
    expect(references()).toEqual(['P2', 'P1', 'P1']);
  });

  it('forget and repeat: what is left out is not shown twice', async () => {
    await refundTwice();
    sandbox.addChaos({ do: 'repeat' });
    sandbox.addChaos({ do: 'forget' });
    expect((await callerOf(sandbox)('/api/v1/refund')).body.data).toEqual([]);
    expect(sandbox.plantedFaults().map((fault) => fault.do)).toEqual(['forget']);
  });

  it('zoneless, again, and tie: one stamp without a zone, an hour ahead and no more', async () => {
    sandbox.addChaos({ do: 'zoneless', events: ['refund.processing'] });
    sandbox.addChaos({ do: 'zoneless', events: ['refund.processing'] });
    sandbox.addChaos({ do: 'tie', events: ['refund.processing'] });
    const [pending, processing] = await refundTwice();
    const before = Date.parse(String(pending?.body.data.updated_at));
    const ahead = new Date(before + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect(processing?.body.data.updated_at).toBe(ahead);
  });

  it('drop and others: what is never sent bears no other fault', async () => {
    sandbox.addChaos({ do: 'duplicate' });
    sandbox.addChaos({ do: 'variant' });
    sandbox.addChaos({ do: 'drop', references: ['P1'] });
    await payout('P1');
    await payout('P2');
    await sandbox.idle();
    expect(references()).toEqual(['P2', 'P2', 'P2']);
    expect(sandbox.plantedFaults().map((fault) => `${fault.do} ${fault.reference}`)).toEqual([
      'drop P1',
      'duplicate P2',
      'variant P2',
    ]);
  });
});

describe('chaos on answers', () => {
  const ask = (path = '/api/v1/refund') =>
    fetch(sandbox.url + path, { headers: { Authorization: `Bearer ${sandbox.keys.test.secretKey}` } });

  it('rate_limit: 429 with and without Retry-After', async () => {
    sandbox.addChaos({ id: 'one', do: 'rate_limit', retry_after: 3, limit: 1 });
    const first = await ask();
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '3']);
    sandbox.addChaos({ id: 'one', do: 'rate_limit' });
    const second = await ask();
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, null]);
  });

  it('html, garbage, truncate, server_error', async () => {
    const spoilt = async (rule: RuleInput) => {
      sandbox.clearChaos();
      sandbox.addChaos(rule);
      const answer = await ask();
      return [answer.status, answer.headers.get('content-type'), await answer.text()] as const;
    };
    expect(await spoilt({ do: 'html' })).toEqual([200, 'text/html; charset=utf-8', expect.stringContaining('<h1>')]);
    const garbage = await spoilt({ do: 'garbage' });
    expect(() => JSON.parse(garbage[2])).toThrow();
    const truncated = await spoilt({ do: 'truncate' });
    expect(truncated[0]).toBe(200);
    expect(() => JSON.parse(truncated[2])).toThrow();
    expect((await spoilt({ do: 'server_error', status: 502 }))[0]).toBe(502);
  });

  it('cut: the connection breaks half-way', async () => {
    sandbox.addChaos({ do: 'cut' });
    const received = await new Promise<{ length: number; announced: number; complete: boolean }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${sandbox.keys.test.secretKey}` };
      request(`${sandbox.url}/api/v1/refund`, { headers }, (response) => {
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
        });
        response.on('error', () => {});
        response.on('close', () =>
          resolve({ length, announced: Number(response.headers['content-length']), complete: response.complete }),
        );
      })
        .on('error', reject)
        .end();
    });
    expect(received.complete).toBe(false);
    expect(received.length).toBeGreaterThan(0);
    expect(received.length).toBeLessThan(received.announced);
  });

  it('slow: answers late', async () => {
    sandbox.addChaos({ do: 'slow', by: 60 });
    const before = performance.now();
    expect((await ask()).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(55);
  });

  it('says whether the request took effect', async () => {
    const post = (reference: string) =>
      fetch(`${sandbox.url}/api/v1/bank_transfer`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${sandbox.keys.test.secretKey}` },
        body: JSON.stringify({
          currency: 'KES',
          amount: 10,
          bank_code: 'MMKE',
          bank_name: 'M',
          account_number: '0700000001',
          reference,
        }),
      });
    sandbox.addChaos({ id: 'x', do: 'server_error', methods: ['POST'] });
    expect((await post('P1')).status).toBe(503);
    sandbox.addChaos({ id: 'x', do: 'server_error', methods: ['POST'], processed: true });
    expect((await post('P2')).status).toBe(503);
    expect(sandbox.payouts().map(({ reference }) => reference)).toEqual(['P2']);
  });

  it('several rules at once, in any order: late, replaced once, halved and cut', async () => {
    const length = (await (await ask('/api/v1/bank_list')).text()).length;
    sandbox.addChaos({ id: 'cut', do: 'cut' });
    sandbox.addChaos({ id: 'slow', do: 'slow', by: 1 });
    await expect(ask('/api/v1/bank_list').then((answer) => answer.text())).rejects.toThrow();
    sandbox.clearChaos();
    sandbox.addChaos({ id: 'half', do: 'truncate' });
    sandbox.addChaos({ id: 'half again', do: 'truncate' });
    expect((await (await ask('/api/v1/bank_list')).text()).length).toBe(Math.floor(length / 2));
    sandbox.clearChaos();
    sandbox.addChaos({ id: 'limit', do: 'rate_limit', retry_after: 3 });
    sandbox.addChaos({ id: 'web', do: 'html', status: 502, processed: true });
    const limited = await ask();
    expect([limited.status, await limited.json()]).toMatchObject([429, { message: 'Too many requests' }]);
    expect(sandbox.plantedFaults().map(({ rule }) => rule)).toEqual(['slow', 'cut', 'half', 'limit']);
  });

  it('names what became of the request when rules disagree about it', async () => {
    sandbox.addChaos({ id: 'cut', do: 'cut' });
    sandbox.addChaos({ id: 'error', do: 'server_error' });
    await ask()
      .then(
        (answer) => answer.text(),
        () => '',
      )
      .catch(() => '');
    const notes = sandbox.plantedFaults().map(({ note }) => note);
    expect(notes).toEqual(['request had no effect', 'request had no effect']);
  });

  it('spares controls, page and document', async () => {
    sandbox.addChaos({ do: 'server_error' });
    expect((await fetch(`${sandbox.url}/openapi.yaml`)).status).toBe(200);
    const controls = await fetch(`${sandbox.url}/sandbox/clock`, {
      headers: { Authorization: `Bearer ${sandbox.controlToken}` },
    });
    expect(controls.status).toBe(200);
  });
});

describe('chaos on records', () => {
  it('lag: the status endpoint answers as things stood', async () => {
    await refundTwice();
    const reference = String(sandbox.refunds()[0]?.refund_reference);
    await sandbox.advance('10m');
    sandbox.moveRefund(reference, 'success');
    sandbox.addChaos({ do: 'lag', by: '5m' });
    const told = async () => (await callerOf(sandbox)(`/api/v1/refund/status/${reference}`)).body.data.status;
    expect(await told()).toBe('processing');
    await sandbox.advance('5m');
    expect(await told()).toBe('success');
  });

  it('disagree: another status, then the truth', async () => {
    await payout('P1');
    await sandbox.idle();
    sandbox.addChaos({ do: 'disagree', status: 'failed', paths: ['/api/v1/payout/*'], limit: 1 });
    const told = async () => (await callerOf(sandbox)('/api/v1/payout/P1')).body.data.status;
    expect([await told(), await told()]).toEqual(['failed', 'success']);
    expect(sandbox.plantedFaults()[0]?.note).toBe('answered failed, is success');
  });

  it('disagree and lag, in any order: both take effect, and what was told is what is named', async () => {
    await payout('P1');
    await sandbox.advance('1h');
    sandbox.addChaos({ id: 'other', do: 'disagree', status: 'failed', paths: ['/api/v1/payout/P1'] });
    sandbox.addChaos({ id: 'old', do: 'lag', by: '2h' });
    const { data } = (await callerOf(sandbox)('/api/v1/payout/P1?again=1')).body;
    expect(data.status).toBe('failed');
    const notes = sandbox.plantedFaults().map(({ rule, target, note }) => `${rule} ${target}: ${note}`);
    const note = '/api/v1/payout/P1: answered failed, is success';
    expect(notes).toEqual([`old ${note}`, `other ${note}`]);
  });

  it('an answer that came out as the truth is no planted fault', async () => {
    await payout('P1');
    await sandbox.advance('1h');
    sandbox.addChaos({ do: 'lag', by: '1m' });
    sandbox.addChaos({ do: 'disagree', status: 'success' });
    expect((await callerOf(sandbox)('/api/v1/payout/P1')).body.data.status).toBe('success');
    expect(sandbox.plantedFaults()).toEqual([]);
  });

  it('forget and repeat: lists that leave out or show twice', async () => {
    await refundTwice();
    await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'OK', amount: '1.00' } });
    const list = async () =>
      (await callerOf(sandbox)('/api/v1/refund')).body.data.map(({ amount }: { amount: string }) => amount);
    sandbox.addChaos({ id: 'x', do: 'forget', limit: 1 });
    expect(await list()).toEqual(['5.00']);
    sandbox.addChaos({ id: 'x', do: 'repeat', limit: 1 });
    expect(await list()).toEqual(['1.00', '1.00', '5.00']);
  });
});

it('repeats itself: the same seed and rules plant the same faults', async () => {
  const run = async (seed: number) => {
    const one = await startSandbox({
      seed,
      clock: 'manual',
      startAt: new Date('2026-01-01'),
      chaos: [{ do: 'drop', probability: 0.5 }],
    });
    const call = callerOf(one);
    for (let i = 0; i < 40; i++) {
      await call('/api/v1/bank_transfer', {
        body: {
          currency: 'KES',
          amount: 1,
          bank_code: 'MMKE',
          bank_name: 'M',
          account_number: '0700000001',
          reference: `P${i}`,
        },
      });
    }
    await one.idle();
    const faults = one.plantedFaults().map(({ reference }) => reference);
    await one.close();
    return faults;
  };
  const [first, again, other] = [await run(3), await run(3), await run(4)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  expect(first.length).toBeGreaterThan(8);
  expect(first.length).toBeLessThan(32);
});

it('repeats itself to the byte, however fast the receiver is', async () => {
  const run = async (pauseMs: (count: number) => number) => {
    let count = 0;
    const server = createServer((asked, answer) => {
      asked.resume().on('end', () => setTimeout(() => answer.end(), pauseMs(count++)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const start = { seed: 3, clock: 'manual', startAt: new Date('2026-01-01'), webhookUrl } as const;
    const one = await startSandbox({ ...start, chaos: [{ do: 'duplicate', probability: 0.3, gap: '5s' }] });
    const answers: string[] = [];
    for (let i = 0; i < 12; i++) {
      const body = { email: 'a@b.co', amount: '9.00', currency: 'NGN', reference: `B${i}` };
      await callerOf(one)('/api/s2s/v1/banktransfer/initialize', { body });
      answers.push((await callerOf(one)(`/api/v1/transaction/verify/B${i}`)).text);
    }
    await one.advance('1m');
    const bodies = one.webhooks().map(({ id, body, createdAt }) => [id, body, createdAt]);
    await one.close();
    server.closeAllConnections();
    server.close();
    return { answers, bodies };
  };
  expect(await run((count) => (count % 3) * 8)).toEqual(await run(() => 0));
});
