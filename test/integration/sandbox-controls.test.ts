import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { callerOf, payByCard } from '../support/sandbox-caller.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ seed: 7, clock: 'manual', startAt: new Date('2026-03-01T00:00:00Z') });
});
afterEach(() => sandbox.close());

async function control(path: string, method = 'GET', body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}/sandbox${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${sandbox.controlToken}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  return { status: response.status, body: (await response.json()) as any };
}

describe('who may use the controls', () => {
  const routes = [
    ['GET', '/'],
    ['GET', '/clock'],
    ['POST', '/clock/advance'],
    ['POST', '/settle'],
    ['GET', '/balances'],
    ['PUT', '/balances'],
    ['POST', '/top-ups'],
    ['GET', '/batches'],
    ['GET', '/chargebacks'],
    ['POST', '/chargebacks'],
    ['POST', '/chargebacks/x/reverse'],
    ['POST', '/statements'],
    ['PUT', '/webhook-url'],
    ['GET', '/merchants'],
    ['POST', '/merchants'],
    ['POST', '/keys/rotate'],
    ['GET', '/refunds'],
    ['GET', '/payouts'],
    ['GET', '/collections'],
    ['POST', '/refunds/x/move'],
    ['POST', '/payouts/x/move'],
    ['POST', '/collections/x/move'],
    ['GET', '/webhooks'],
    ['POST', '/webhooks/x/redeliver'],
    ['GET', '/chaos'],
    ['POST', '/chaos'],
    ['DELETE', '/chaos'],
    ['DELETE', '/chaos/x'],
    ['GET', '/settings'],
    ['PATCH', '/settings'],
    ['GET', '/books'],
    ['GET', '/snapshot'],
    ['PUT', '/snapshot'],
    ['POST', '/reset'],
  ] as const;

  it.each(routes)('%s %s: token required, no page, no foreign host name, JSON only', async (method, path) => {
    expect((await control(path, method, undefined, { Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await control(path, method, undefined, { Origin: 'https://evil.example' })).status).toBe(403);
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { Host: 'evil.example', Authorization: `Bearer ${sandbox.controlToken}` };
      request(`${sandbox.url}/sandbox${path}`, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(rebound).toBe(403);
    if (method !== 'GET')
      expect((await control(path, method, '{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('never come from the seed', async () => {
    const twin = await startSandbox({ seed: 7 });
    expect(twin.keys).toEqual(sandbox.keys);
    expect(twin.controlToken).not.toBe(sandbox.controlToken);
    await twin.close();
  });
});

describe('controls over HTTP', () => {
  it('advance the clock', async () => {
    expect((await control('/clock/advance', 'POST', { by: '2h' })).body.now).toBe('2026-03-01T02:00:00.000Z');
    expect((await control('/clock/advance', 'POST', { by: 'soon' })).status).toBe(422);
    expect((await control('/clock/advance', 'POST', {})).status).toBe(422);
  });

  it('set balances and settle', async () => {
    await control('/balances', 'PUT', { currency: 'USD', available: '1.00', pending: '30.00' });
    await control('/balances', 'PUT', { currency: 'NGN', available: '5.00', wallet: 'W1' });
    const settled = await control('/settle', 'POST', { currency: 'USD', amount: '12.00' });
    expect(settled.body.settled).toEqual([{ currency: 'USD', settled: '12.00' }]);
    const { balances } = (await control('/balances')).body;
    expect(balances[3]).toMatchObject({ available: '13.00', pending: '18.00' });
    expect(balances[0].wallets).toEqual({ W1: '5.00' });
    await control('/balances', 'PUT', { currency: 'USD', pending: '2.00' });
    expect((await control('/books')).body.problems).toEqual([]);
    expect((await control('/balances', 'PUT', { currency: 'EUR' })).status).toBe(422);
    expect((await control('/settle', 'POST', { amount: '1.00' })).status).toBe(422);
  });

  it('move refunds, payouts and collections, and say why not', async () => {
    await payByCard(sandbox, { reference: 'OK' });
    const { data } = (await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'OK', amount: '5.00' } })).body;
    const moved = await control(`/refunds/${data.refund_reference}/move`, 'POST', { status: 'success' });
    expect([moved.status, moved.body.status]).toEqual([200, 'success']);
    const refused = await control(`/refunds/${data.refund_reference}/move`, 'POST', { status: 'pending' });
    expect([refused.status, refused.body.hint]).toEqual([409, 'This status is final.']);
    expect((await control('/refunds/nope/move', 'POST', { status: 'success' })).status).toBe(404);
    expect((await control(`/refunds/${data.refund_reference}/move`, 'POST', { status: 'paid' })).status).toBe(422);
    await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', {
      body: { email: 'a@b.co', amount: '9.00', currency: 'NGN', reference: 'B1', status: 'pending' },
    });
    expect((await control('/collections/B1/move', 'POST', { status: 'success' })).body.status).toBe('success');
    expect((await control('/collections/B1/move', 'POST', { status: 'reversed' })).body.status).toBe('reversed');
    expect((await control('/collections/B1/move', 'POST', { status: 'success' })).status).toBe(409);
    expect((await control('/books')).body.problems).toEqual([]);
  });

  it('add merchants, rotate keys, set URLs, list webhooks and redeliver', async () => {
    const { body: merchant } = await control('/merchants', 'POST', { name: 'Second' });
    expect(merchant).toMatchObject({ id: 'm2', name: 'Second' });
    const asked = { agreement: { payoutFees: { KES: '7.00' } }, balances: { USD: '99.00' } };
    const { body: third } = await control('/merchants', 'POST', asked);
    const { balances } = (await control(`/balances?merchant=${third.id}&environment=live`)).body;
    expect(balances.map((one: { available: string }) => one.available)).toEqual([
      '1000000.00',
      '1000000.00',
      '100000.00',
      '99.00',
    ]);
    const { agreement } = JSON.parse(sandbox.snapshot()).state.merchants[2];
    expect(agreement.payoutFees).toEqual({ NGN: '10.00', KES: '7.00', GHS: '1.00' });
    for (const wrong of [
      { agreement: { payoutFees: { KES: '-7' } } },
      { agreement: { payoutFees: { USD: '7.00' } } },
      { balances: { USD: 'x' } },
      { balances: { USD: '-1.00' } },
      { balances: { EUR: '1.00' } },
      { agreement: { refundFee: { percent: '1.23456', flat: '0' } } },
      { agreement: { refundFee: { percent: 'x', flat: '0' } } },
      { encryption: { keyHex: 'ab', ivHex: 'cd' } },
      { webhookUrl: 'nonsense' },
      { unknown: 1 },
    ]) {
      expect([wrong, (await control('/merchants', 'POST', wrong)).status]).toEqual([wrong, 422]);
    }
    expect(sandbox.merchants()).toHaveLength(3);
    const rotated = await control('/keys/rotate', 'POST', { merchant: 'm2', environment: 'live' });
    expect(rotated.body.secretKey).toMatch(/^sk_live_/);
    expect(rotated.body.secretKey).not.toBe(merchant.keys.live.secretKey);
    expect((await control('/webhook-url', 'PUT', { url: 'http://127.0.0.1:1/', merchant: 'm2' })).status).toBe(200);
    expect((await control('/webhook-url', 'PUT', { url: 'file:///etc' })).status).toBe(422);
    expect((await control('/keys/rotate', 'POST', { merchant: 'm9' })).status).toBe(404);
    await payByCard(sandbox, { reference: 'OK' });
    await sandbox.idle();
    const { webhooks } = (await control('/webhooks?state=no_url')).body;
    expect(webhooks).toHaveLength(1);
    expect((await control(`/webhooks/${webhooks[0].id}/redeliver`, 'POST')).body.state).toBe('no_url');
    expect((await control('/webhooks?state=lost')).status).toBe(422);
  });

  it('set chaos and settings at run time, refusing what is wrong', async () => {
    const { body: rule } = await control('/chaos', 'POST', { do: 'drop', probability: 0.5 });
    expect((await control('/chaos')).body.rules).toEqual([rule]);
    const misspelt = await control('/chaos/nope', 'DELETE');
    expect([misspelt.status, misspelt.body.message]).toEqual([404, 'No chaos rule nope']);
    expect((await control('/chaos')).body.rules).toEqual([rule]);
    expect((await control(`/chaos/${rule.id}`, 'DELETE')).body.rules).toEqual([]);
    expect((await control('/chaos', 'POST', { do: 'explode' })).status).toBe(422);
    expect((await control('/chaos', 'POST', { do: 'drop', probability: 2 })).status).toBe(422);
    expect((await control('/settings', 'PATCH', { pendingDelayMs: 5 })).body.pendingDelayMs).toBe(5);
    expect((await control('/settings', 'PATCH', { pendingDelayMs: 'x' })).status).toBe(422);
    expect((await control('/settings', 'PATCH', { unknown: 1 })).status).toBe(422);
    expect((await control('/settings')).body.pendingDelayMs).toBe(5);
  });

  it.each([
    ['POST', '/clock/advance', {}, 'by: must be a duration such as 90s, 2h or 1d.'],
    ['POST', '/clock/advance', [1], 'The body must be a JSON object.'],
    ['PUT', '/webhook-url', {}, 'url: expected string, received undefined.'],
    ['PATCH', '/settings', { declinedHttpStatus: 500 }, 'declinedHttpStatus: Invalid option: expected one of 200|402.'],
    ['PATCH', '/settings', { nonsense: 1 }, 'nonsense: is not known here.'],
    ['PATCH', '/settings', 'null', 'The body must be a JSON object.'],
    ['POST', '/merchants', { agreement: { tax: 1 } }, 'agreement.tax: is not known here.'],
    ['POST', '/chaos', { do: 'delay' }, 'by: must be a duration such as 90s, 2h or 1d.'],
    ['POST', '/settle', { currency: 'USD', amont: '5.00' }, 'amont: is not known here: did you mean amount?'],
    ['PUT', '/balances', { currency: 'USD', availble: '5.00' }, 'availble: is not known here: did you mean available?'],
    ['POST', '/clock/advance', { by: '1s', hours: 2 }, 'hours: is not known here.'],
    ['POST', '/refunds/RFD_1/move', { status: 'success', force: true }, 'force: is not known here.'],
  ])('%s %s %j: %s', async (method, path, body, message) => {
    const answer = await control(path, method, body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect(Object.keys(answer.body.errors ?? {})).not.toContain('');
  });

  it('say that a rule or a filter is not there', async () => {
    expect(await control('/chaos/nothing', 'DELETE')).toMatchObject({
      status: 404,
      body: { message: 'No chaos rule nothing' },
    });
    expect((await control('/refunds?environmnt=live')).status).toBe(422);
    const patch = await control('/settle', 'POST', {}, { 'Content-Type': 'application/json-patch+json' });
    expect(patch.status).toBe(415);
  });

  it('refuse in code what they refuse over HTTP, in the same words', async () => {
    const wrong: readonly [() => unknown, string | RegExp][] = [
      [() => sandbox.settle({ currency: 'EUR' as never }), /^currency: .*"NGN"/],
      [() => sandbox.settle({ amont: '5.00' } as never), 'amont: is not known here: did you mean amount?'],
      [() => sandbox.setBalance({ currency: 'USD', available: 5 as never }), 'available: expected string'],
      [() => sandbox.refunds({ environment: 'prod' as never }), /^environment: .*"live"/],
      [
        () => sandbox.setBalance({ currency: 'USD', available: '5.00' }, { enviroment: 'live' } as never),
        'enviroment:',
      ],
      [
        () => sandbox.setWebhookUrl(null, { environmnt: 'live' } as never),
        'environmnt: is not known here: did you mean environment?',
      ],
      [() => sandbox.webhooks({ refernce: 'OK' } as never), 'refernce: is not known here: did you mean reference?'],
      [() => sandbox.moveCollection('HELD', 'sucess' as never), /^status: .*"success"/],
      [() => sandbox.movePayout('HELD', 'sucess' as never), /^status: .*"success"/],
      [() => sandbox.moveRefund('RFD_1', 'sucess' as never), /^status: .*"success"/],
      [() => sandbox.changeSettings([] as never), 'The body must be a JSON object.'],
      [() => sandbox.addMerchant({ balances: { EUR: '1.00' } as never }), 'balances.EUR: is not known here.'],
      [() => sandbox.addChaos({ do: 'delay' } as never), 'by: must be a duration such as 90s, 2h or 1d.'],
      [() => sandbox.changeSettings({ pageSize: 0 }), /^pageSize: /],
      [() => sandbox.clearChaos('nothing'), 'No chaos rule nothing'],
    ];
    const body = { email: 'ada@example.com', amount: '10.92', currency: 'NGN', reference: 'HELD' };
    await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', { body });
    for (const [call, message] of wrong) expect(call).toThrow(message);
    expect(sandbox.merchants()).toHaveLength(1);
    expect(sandbox.collections()[0]?.status).toBe('pending');
  });

  it('take what is undefined as left out, in code', async () => {
    sandbox.changeSettings({ pageSize: 3 });
    expect(sandbox.changeSettings({ pageSize: undefined } as never).pageSize).toBe(3);
    const agreement = { collectionFee: undefined, payoutFees: { NGN: undefined } };
    const { keys } = sandbox.addMerchant({ agreement, balances: { USD: undefined } } as never);
    const body = { email: 'ada@example.com', amount: '10.00', currency: 'NGN', reference: 'OK' };
    const answer = await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', { body, key: keys.test.secretKey });
    expect(answer.status).toBe(200);
  });

  it('leave a refund alone that is not of the merchant or environment they name', async () => {
    await payByCard(sandbox, { reference: 'OK' });
    const { data } = (await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'OK', amount: '5.00' } })).body;
    const move = (of: object) =>
      control(`/refunds/${data.refund_reference}/move`, 'POST', { status: 'processing', ...of });
    expect((await move({ environment: 'live' })).status).toBe(404);
    expect((await move({ merchant: 'm9' })).status).toBe(404);
    expect(sandbox.refunds()[0]?.status).toBe('pending');
    expect((await move({ merchant: 'm1', environment: 'test' })).status).toBe(200);
  });

  it('keep a wallet in its currency', () => {
    sandbox.setBalance({ currency: 'NGN', wallet: 'W1', available: '500.00' });
    expect(() => sandbox.setBalance({ currency: 'KES', wallet: 'W1', available: '5.00' })).toThrow(/holds NGN/);
    expect(sandbox.balances().map(({ wallets }) => wallets)).toEqual([{ W1: '500.00' }, {}, {}, {}]);
  });

  it.each(['$map', '$money', '__proto__'])('refuse the name %s, which no snapshot could hold', (name) => {
    const rule = 'must not begin with $ or _';
    expect(() => sandbox.addChaos({ id: name, do: 'drop' })).toThrow(`id: ${rule}`);
    expect(() => sandbox.setBalance({ currency: 'USD', wallet: name })).toThrow(`wallet: ${rule}`);
    sandbox.restore(sandbox.snapshot());
  });

  it('reset to the keys it started with, also after the snapshot of another seed', async () => {
    const { keys } = sandbox;
    const other = await startSandbox({ seed: 99 });
    sandbox.restore(other.snapshot());
    expect(sandbox.keys).toEqual(other.keys);
    await other.close();
    sandbox.reset();
    expect(sandbox.keys).toEqual(keys);
  });

  it('snapshot, restore and reset', async () => {
    await payByCard(sandbox, { reference: 'OK' });
    await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'OK' } });
    const snapshot = sandbox.snapshot();
    await control('/clock/advance', 'POST', { by: '2d' });
    expect(sandbox.refunds()[0]?.status).toBe('pending');
    const restored = await fetch(`${sandbox.url}/sandbox/snapshot`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${sandbox.controlToken}`, 'Content-Type': 'application/json' },
      body: snapshot,
    });
    expect(restored.status).toBe(200);
    expect(sandbox.snapshot()).toBe(snapshot);
    await sandbox.advance('2d');
    expect(sandbox.refunds()[0]?.status).toBe('pending');
    expect((await control('/snapshot', 'PUT', { format: 'else' })).status).toBe(422);
    const kept = sandbox.snapshot();
    const { state, ...rest } = JSON.parse(snapshot);
    for (const broken of [{}, { ...state, jobs: null }, { ...state, books: null }, { ...state, webhooks: [] }]) {
      expect((await control('/snapshot', 'PUT', { ...rest, state: broken })).status).toBe(422);
      expect(sandbox.snapshot()).toBe(kept);
    }
    const { keys } = sandbox;
    sandbox.changeSettings({ pageSize: 3 });
    sandbox.addChaos({ do: 'drop' });
    await control('/reset', 'POST');
    expect([sandbox.refunds(), sandbox.collections(), sandbox.keys]).toEqual([[], [], keys]);
    expect([sandbox.settings().pageSize, sandbox.chaosRules()]).toEqual([20, []]);
    expect((await payByCard(sandbox, { reference: 'OK' })).status).toBe(200);
  });
});

describe('a state file', () => {
  it('keeps everything across a restart, readable by its owner only', async () => {
    const stateFile = join(temporaryFolder(), 'state.json');
    const first = await startSandbox({ seed: 1, clock: 'manual', stateFile });
    await payByCard(first, { reference: 'OK' });
    const before = first.snapshot();
    await first.close();
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    const second = await startSandbox({ clock: 'manual', stateFile, webhookUrl: 'http://127.0.0.1:1/' });
    expect(second.keys).toEqual(first.keys);
    expect(second.merchants()[0]?.webhookUrls.test).toBe('http://127.0.0.1:1/');
    second.setWebhookUrl(null);
    expect(second.snapshot()).toBe(before);
    await second.close();
    expect(JSON.parse(readFileSync(stateFile, 'utf8')).format).toBe('tallyhook sandbox 1');
  });

  it('belongs to one sandbox at a time', async () => {
    const stateFile = join(temporaryFolder(), 'state.json');
    const first = await startSandbox({ stateFile });
    await expect(startSandbox({ stateFile })).rejects.toThrow(`The state file ${stateFile} is in use`);
    await first.close();
    await expect(startSandbox({ stateFile, port: Number(new URL(sandbox.url).port) })).rejects.toThrow(/EADDRINUSE/);
    await (await startSandbox({ stateFile })).close();
    expect(existsSync(`${stateFile}.lock`)).toBe(false);
  });

  it('of another seed is refused, and left as it was', async () => {
    const stateFile = join(temporaryFolder(), 'state.json');
    await (await startSandbox({ seed: 1, clock: 'manual', stateFile })).close();
    const before = readFileSync(stateFile, 'utf8');
    await expect(startSandbox({ seed: 2, stateFile })).rejects.toThrow(
      `The state file ${stateFile} was made with seed 1, not 2.`,
    );
    expect(readFileSync(stateFile, 'utf8')).toBe(before);
    await (await startSandbox({ seed: 1, clock: 'manual', stateFile })).close();
  });

  it('that holds something else is refused by name', async () => {
    const stateFile = new URL('../../package.json', import.meta.url).pathname;
    await expect(startSandbox({ stateFile })).rejects.toThrow(/Cannot read the sandbox state .*package\.json/);
  });

  it('that was damaged anywhere is refused, and left as it was', async () => {
    const stateFile = join(temporaryFolder(), 'state.json');
    const first = await startSandbox({ seed: 1, clock: 'manual', stateFile });
    await payByCard(first, { reference: 'OK' });
    await first.close();
    const good = readFileSync(stateFile, 'utf8');
    for (const [whole, part] of [
      ['"fee":{"$money"', '"fee":{"$monet"'],
      ['"status":"success"', '"status":"sucess"'],
      ['"merchants":[', '"merchants":[],"merchant":['],
    ] as const) {
      const bad = good.replace(whole, part);
      expect(bad).not.toBe(good);
      writeFileSync(stateFile, bad);
      await expect(startSandbox({ stateFile })).rejects.toThrow(
        `Cannot read the sandbox state ${stateFile}: it is damaged`,
      );
      expect(readFileSync(stateFile, 'utf8')).toBe(bad);
    }
    writeFileSync(stateFile, good);
    await (await startSandbox({ stateFile })).close();
  });

  it('in a folder that is not there is refused with what to do', async () => {
    const stateFile = join(temporaryFolder(), 'no', 'state.json');
    await expect(startSandbox({ stateFile })).rejects.toThrow(
      expect.objectContaining({ name: 'StateFileError', hint: expect.stringContaining('a folder that exists') }),
    );
  });

  it('remembers a named wallet, and how often a chaos rule has met its match', async () => {
    const stateFile = join(temporaryFolder(), 'state.json');
    const start = () => startSandbox({ clock: 'manual', stateFile });
    const first = await start();
    first.addChaos({ do: 'server_error', after: 2 });
    await first.close();
    const second = await start();
    for (const status of [200, 200]) expect((await callerOf(second)('/api/v1/refund')).status).toBe(status);
    await second.close();
    const third = await start();
    const answer = await fetch(`${third.url}/api/v1/refund`);
    expect(answer.status).toBe(503);
    third.setBalance({ currency: 'KES', wallet: 'SHOP' });
    await third.close();
    const fourth = await start();
    expect(fourth.balances().find(({ currency }) => currency === 'KES')?.wallets).toEqual({ SHOP: '0.00' });
    await fourth.close();
  });

  it('that can no longer be written keeps the sandbox running, says so, and closing it fails', async () => {
    const folder = temporaryFolder();
    const one = await startSandbox({ clock: 'manual', stateFile: join(folder, 'state.json') });
    rmSync(folder, { recursive: true });
    await payByCard(one, { reference: 'OK' });
    expect(one.collections()).toHaveLength(1);
    await expect(one.close()).rejects.toThrow(
      /Cannot write the sandbox state .*state\.json: its folder does not exist/,
    );
  });

  it('keeps its webhook URLs across a reset, wherever they came from', async () => {
    const stateFile = join(temporaryFolder(), 'state.json');
    const webhookUrl = 'http://127.0.0.1:1/';
    await (await startSandbox({ clock: 'manual', stateFile, webhookUrl })).close();
    const again = await startSandbox({ clock: 'manual', stateFile });
    again.setWebhookUrl('http://127.0.0.1:2/');
    again.reset();
    expect(again.merchants()[0]?.webhookUrls).toEqual({ test: webhookUrl, live: null });
    await again.close();
  });
});

it('refuses wrong options and a taken port, and leaves nothing running', async () => {
  await expect(startSandbox({ settings: { pageSize: 0 } })).rejects.toThrow(/pageSize/);
  await expect(startSandbox({ chaos: [{ do: 'nothing' } as never] })).rejects.toThrow('do: must be one of: drop');
  await expect(
    startSandbox({
      seed: 1.5,
      speed: 0,
      clock: 'stopped' as never,
      startAt: 'soon',
      port: 70_000,
      checkoutUrl: 'pay.example.com',
      merchants: [],
      controlToken: '',
      stateFile: '',
      speeed: 1,
    } as never),
  ).rejects.toThrow(
    /^seed: .*merchants: .*clock: .*speed: .*startAt: .*port: .*checkoutUrl: must be a full.*controlToken: .*stateFile: .*speeed: is not known here: did you mean speed\?$/,
  );
  const port = Number(new URL(sandbox.url).port);
  await expect(startSandbox({ port })).rejects.toThrow(/EADDRINUSE/);
});

it('names the checkout page as people reach it, with one slash', async () => {
  const one = await startSandbox({ checkoutUrl: 'https://pay.example.com/' });
  const session = { reference: 'R1', amount: '5.00', currency: 'USD', email: 'a@b.co', name: 'A' };
  const answer = await callerOf(one)('/api/inline/public/transaction/initialize', {
    key: null,
    body: { ...session, callback_url: 'https://shop.example.com/', public_key: one.keys.test.publicKey },
  });
  expect(answer.body.data.authorization_url).toBe('https://pay.example.com/pay/R1');
  await one.close();
});

it('shares nothing between two sandboxes of one process', async () => {
  const other = await startSandbox({ seed: 7, clock: 'manual' });
  await payByCard(other, { reference: 'OK' });
  expect([other.collections().length, sandbox.collections().length]).toEqual([1, 0]);
  await other.close();
});

it.each([
  ['a Date', new Date('2026-03-01T00:00:00Z')],
  ['a text in UTC', '2026-03-01T00:00:00Z'],
  ['a text with an offset', '2026-03-01T01:00:00.000+01:00'],
])('begins at the time of %s', async (_, startAt) => {
  await using other = await startSandbox({ clock: 'manual', startAt });
  expect(other.now().toISOString()).toBe('2026-03-01T00:00:00.000Z');
});

it.each(['2026-03-01', '2026-03-01T00:00:00', 'March', '2026-02-30T00:00:00Z'])(
  'refuses to begin at %j, which names no instant',
  async (startAt) => {
    await expect(startSandbox({ startAt })).rejects.toThrow(
      'startAt: must be a Date, or a text such as 2026-03-01T09:00:00Z with Z or an offset',
    );
  },
);

it('closes at the end of the block that holds it with `await using`', async () => {
  let url = '';
  {
    await using held = await startSandbox({ seed: 7, stateFile: join(temporaryFolder(), 'held.json') });
    url = held.url;
    expect((await fetch(`${url}/openapi.yaml`)).status).toBe(200);
  }
  await expect(fetch(`${url}/openapi.yaml`)).rejects.toThrow();
});

it('may be closed in the block, and is closed once', async () => {
  const stateFile = join(temporaryFolder(), 'held.json');
  await using held = await startSandbox({ seed: 7, stateFile });
  await held.close();
  await using next = await startSandbox({ stateFile }); // the file is free again, and stays with the new one
  await held.close();
  await expect(startSandbox({ stateFile })).rejects.toThrow(/in use/);
  expect(next.seed).toBe(7);
});

describe('a misspelt', () => {
  it.each<[string, object, string]>([
    ['option', { sed: 7 }, 'sed: is not known here: did you mean seed?'],
    ['option without a neighbour', { colour: 7 }, 'colour: is not known here.'],
    ['setting', { settings: { pendingDelay: 5 } }, 'pendingDelay: is not known here: did you mean pendingDelayMs?'],
    ['word', { clock: 'manuel' }, 'did you mean manual?'],
  ])('%s of the start is refused with the right one', async (_what, options, message) => {
    await expect(startSandbox(options as never)).rejects.toThrow(message);
  });

  it('setting of a request is refused with the right one', async () => {
    const refused = await control('/settings', 'PATCH', { pendingDelayMS: 5 });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { pendingDelayMS: ['pendingDelayMS: is not known here: did you mean pendingDelayMs?'] },
    ]);
  });
});
