import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { verifyVerdict } from '../../src/domain/requests/callback-verdict.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { createCheckout, type PublicKey } from '../../src/service/checkout.ts';
import { openStore } from '../../src/store/open.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';
import { openOperations } from '../support/operations.ts';
import { keyPairOf, type ReceiverSetup, startReceiver, type TestReceiver } from '../support/receiver.ts';
import { LIVE_KEYS, TEST_KEYS } from '../support/signer.ts';
import { until } from '../support/wait.ts';

const SECRET = 'signs the verdicts of this test, long enough';
const PAGE = 'https://shop.example/thanks?lang=en';
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');

const sandbox = await startSandbox({ seed: 11, clock: 'manual' });
afterAll(() => sandbox.close());

let receiver: TestReceiver;
afterEach(() => receiver.stop());

/** The production app with a callback; `clock` moves only by hand. */
async function start(setup: ReceiverSetup = {}): Promise<FixedClock> {
  const callback = { page: PAGE, secret: new Secret(SECRET), timeoutMs: 30_000, ...setup.callback };
  const clock = new FixedClock(NOW_MS);
  receiver = await startReceiver({ clock, ...setup, callback });
  return clock;
}

const withSandbox = (callback: ReceiverSetup['callback'] = {}) =>
  start({
    baseUrl: sandbox.url,
    keyPairs: [keyPairOf('test-1', sandbox.keys.test), keyPairOf('live-1', sandbox.keys.live)],
    callback,
  });

/** A service that does `behave` on every request, and counts requests. */
async function withService(behave: Behaviour, callback: ReceiverSetup['callback'] = {}) {
  const service = await hostileServer(behave);
  return { service, clock: await start({ baseUrl: service.url, callback }) };
}

/** Tracks a payment, as a merchant does before it sends a customer to the checkout. */
async function expectPayment(reference: string, environment: Environment = 'test', amount = '40.00'): Promise<void> {
  const journal = await openStore(receiver.database, { clock: new FixedClock(NOW_MS) }).requestJournal();
  const wire = { reference, requested_amount: amount, currency: 'USD' };
  await journal.track({ kind: 'collection', environment, reference, wire });
  await journal.close();
}

/** Visits as a browser does, and returns what the page would receive. */
async function visit(query: string, { path = '/callback/test', headers = {}, nowMs = NOW_MS } = {}) {
  const response = await fetch(`${receiver.url}${path}?${query}`, { redirect: 'manual', headers });
  const location = response.headers.get('location') ?? '';
  const token = new URL(location).searchParams.get('verdict');
  const checked = verifyVerdict(token, SECRET, nowMs);
  return {
    status: response.status,
    headers: response.headers,
    location,
    token,
    checked,
    verdict: checked.ok ? checked.verdict : null,
  };
}

const paid = (reference: string, over: object = {}) =>
  JSON.stringify({
    success: true,
    data: {
      reference,
      status: 'success',
      requested_amount: '40.00',
      amount: '40.40',
      fees: '0.40',
      currency: 'USD',
      ...over,
    },
  });
const answering =
  (body: (reference: string) => string, status = 200): Behaviour =>
  (socket, request) => {
    const reference = decodeURIComponent(/verify\/(\S+) HTTP/.exec(request)?.[1] ?? '');
    socket.write(answer(status, body(reference)));
  };
const silent: Behaviour = () => {};
const statusOf = (reference: string) =>
  receiver.rows<{ confirmed: string | null; due_at: number | null }>(
    `SELECT confirmed, due_at FROM collections WHERE reference = '${reference}'`,
  )[0];

describe('a customer who comes back from the checkout', () => {
  /** From the shop through the hosted page to the callback; returns the redirect address. */
  async function checkOut(environment: Environment, reference: string, action: 'pay' | 'fail' | 'cancel' | 'leave') {
    const checkout = createCheckout({
      baseUrl: sandbox.url,
      publicKey: sandbox.keys[environment].publicKey as PublicKey,
    });
    const request = { reference, amount: parseAmount('40.00'), currency: 'USD', email: 'ada@example.com', name: 'Ada' };
    const callbackUrl = `${receiver.url}/callback/${environment}?cart=7`;
    const { authorizationUrl } = await checkout.start({ ...request, callbackUrl });
    await expectPayment(reference, environment);
    if (action === 'leave') return `${callbackUrl}&reference=${reference}&status=success`;
    const page = await (await fetch(authorizationUrl)).text();
    const code = /name="access_code" value="([^"]*)"/.exec(page)?.[1] ?? '';
    const card = { option: 'card', card_number: '4000000000000002', expiry: '12/99', cvv: '123' };
    const body = new URLSearchParams({ access_code: code, ...card, action });
    const sent = await fetch(authorizationUrl, { method: 'POST', body, redirect: 'manual' });
    return sent.headers.get('location') ?? '';
  }

  test.each([
    ['test', 'pay', 'success'],
    ['live', 'pay', 'success'],
    ['test', 'fail', 'failed'],
    ['live', 'cancel', 'failed'],
    ['test', 'leave', 'pending'],
  ] as const)('%s, %s: the verdict for the page is %s', async (environment, action, verdictCode) => {
    await withSandbox();
    const back = new URL(await checkOut(environment, `order-${environment}-${action}-0001`, action));
    const { status, verdict, headers, location } = await visit(back.search.slice(1), { path: back.pathname });
    expect(status).toBe(303);
    expect(verdict).toEqual({
      verdict: verdictCode,
      environment,
      reference: `order-${environment}-${action}-0001`,
      amount: '40.00',
      currency: 'USD',
      expiresAtMs: NOW_MS + 600_000,
    });
    expect(location).toMatch(/^https:\/\/shop\.example\/thanks\?lang=en&verdict=[\w.-]+$/);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
  });

  test('the answer is evidence like any other, and settles the record', async () => {
    await withSandbox();
    const reference = 'order-evidence-0001';
    const back = new URL(await checkOut('test', reference, 'pay'));
    await visit(back.search.slice(1));
    expect(statusOf(reference)).toMatchObject({ confirmed: 'success' });
    expect(receiver.rows("SELECT witness, status FROM observations WHERE witness = 'api'")).toEqual([
      { witness: 'api', status: 'success' },
    ]);
    expect(receiver.rows('SELECT outcome, attempts, leased_until FROM checks')).toEqual([
      { outcome: 'answered', attempts: 1, leased_until: null },
    ]);
    expect(receiver.rows('SELECT environment, endpoint FROM proven_endpoints')).toEqual([
      { environment: 'test', endpoint: 'collection' },
    ]);
  });
});

describe('the parameters of the address are not trusted', () => {
  const LIES = {
    'a status that is a lie': 'status=success',
    'a status that is HTML': 'status=<script>',
    'another page': 'page=https://evil.example&redirect=https://evil.example&next=//evil.example',
    'a verdict of its own': 'verdict=a.b.c',
    amounts: 'amount=1&currency=XYZ',
  };

  test('what they say beside the reference changes nothing', async () => {
    await withService(answering((one) => paid(one, { status: 'pending' })));
    await expectPayment('order-unpaid');
    for (const [lie, query] of Object.entries(LIES)) {
      const { verdict, location } = await visit(`reference=order-unpaid&${query}`);
      expect(verdict, lie).toMatchObject({ verdict: 'pending', reference: 'order-unpaid' });
      expect(location, lie).toMatch(/^https:\/\/shop\.example\/thanks\?lang=en&verdict=[\w.-]+$/);
    }
  });

  const UNKNOWN = {
    'no reference': 'status=success',
    'an empty one': 'reference=',
    two: 'reference=order-1&reference=order-2',
    'one that is too long': `reference=${'x'.repeat(256)}`,
    'one with a NUL': 'reference=a%00b',
    'one that is no text': 'reference=%ff%fe',
    'names of objects': '__proto__=1&constructor=2',
    'one that is not tracked': 'reference=order-of-another-shop',
    'a path': 'reference=..%2F..%2Fadmin',
    SQL: "reference=x'%20OR%201=1--",
  };

  test('without a reference that is tracked: unknown, nothing is sent, and no parameter is repeated', async () => {
    const { service } = await withService(answering(paid));
    const expiresAtMs = NOW_MS + 600_000;
    const nothing = { reference: null, amount: null, currency: null };
    for (const [what, query] of Object.entries(UNKNOWN)) {
      const { verdict, status } = await visit(query);
      expect(status, what).toBe(303);
      expect(verdict, what).toEqual({ verdict: 'unknown', environment: 'test', ...nothing, expiresAtMs });
    }
    expect(service.requests).toEqual([]);
  });

  test('a payment of the other environment is unknown here', async () => {
    const { service } = await withService(answering(paid));
    await expectPayment('order-live', 'live');
    expect((await visit('reference=order-live')).verdict).toMatchObject({ verdict: 'unknown', environment: 'test' });
    expect((await visit('reference=order-live', { path: '/callback/live' })).verdict).toMatchObject({
      verdict: 'success',
      environment: 'live',
    });
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toContain(LIVE_KEYS.secretKey);
  });

  test('a checkout whose amount was changed on the way is paid, and its verdict is not success', async () => {
    await withService(answering((reference) => paid(reference, { requested_amount: '0.40' })));
    await expectPayment('order-changed', 'test', '40.00');
    expect((await visit('reference=order-changed')).verdict).toMatchObject({
      verdict: 'pending',
      reference: 'order-changed',
      amount: '0.40',
    });
    expect(statusOf('order-changed')).toMatchObject({ confirmed: 'success' });
    expect(receiver.rows('SELECT code, subject FROM findings')).toEqual([
      { code: 'fact_conflict', subject: 'requestedAmount' },
    ]);
  });

  test('a payment of less than was requested is no success, whether it is tracked or was started here', async () => {
    await withService(answering((reference) => paid(reference, { amount: '0.40', fees: '0.00' })));
    await expectPayment('order-started');
    await expectPayment('order-tracked');
    const operations = openOperations(receiver.database, STANDARD_CHECK_RULES, new FixedClock(NOW_MS));
    const record = { kind: 'collection', environment: 'test', reference: 'order-tracked' } as const;
    const expectation = { amount: parseAmount('40.00'), currency: 'USD', expectedByMs: null };
    const track = () => operations.tracking.track({ expected: [{ ...record, ...expectation }] });
    await track();
    for (const reference of ['order-started', 'order-tracked']) {
      expect((await visit(`reference=${reference}`)).verdict).toMatchObject({ verdict: 'pending', amount: '40.00' });
      expect(statusOf(reference)).toMatchObject({ confirmed: 'success' });
    }
    const detail = '40.00 requested, 0.40 charged (fees 0.00)';
    expect(receiver.rows('SELECT reference, code, subject, detail FROM findings ORDER BY reference')).toEqual([
      { reference: 'order-started', code: 'underpaid', subject: 'amount', detail },
      { reference: 'order-tracked', code: 'underpaid', subject: 'amount', detail },
    ]);
    expect(await track()).toMatchObject([{ effect: 'same', state: 'unmet', findings: [] }]);
    await operations.close();
  });

  test.each([
    ['a negative fee', { amount: '5.00', fees: '-35.00' }, '5.00 USD (its fees of -35.00 USD cannot be right)'],
    ['a fee of most of the charge', { amount: '440.00', fees: '400.00' }, '440.00 USD (its fees of 400.00 USD cannot'],
  ])('%s does not make another amount the expected one', async (_what, over, came) => {
    await withService(answering((reference) => paid(reference, { requested_amount: undefined, ...over })));
    const operations = openOperations(receiver.database, STANDARD_CHECK_RULES, new FixedClock(NOW_MS));
    const expectation = { amount: parseAmount('40.00'), currency: 'USD', expectedByMs: null };
    const record = { kind: 'collection', environment: 'test', reference: 'order-odd-fee' } as const;
    await operations.tracking.track({ expected: [{ ...record, ...expectation }] });
    await operations.close();
    expect((await visit('reference=order-odd-fee')).verdict).toMatchObject({ verdict: 'pending' });
    expect(receiver.rows('SELECT code, detail FROM findings')).toEqual([
      { code: 'amount_unexpected', detail: expect.stringContaining(`40.00 USD expected, probably ${came}`) },
    ]);
  });
});

describe('a service without a usable answer', () => {
  test.each([
    ['never answers', silent],
    ['hangs up', (socket) => void socket.destroy()],
    ['fails', answering(() => '{"success":false,"message":"down"}', 503)],
    ['does not have it', answering(() => '{"success":false,"message":"no"}', 404)],
    ['sends HTML', answering(() => '<html>')],
    ['answers another payment', answering(() => paid('another-payment'))],
    ['refuses the key', answering(() => '{"success":false,"message":"Invalid API key"}', 401)],
    ['asks for a pause', answering(() => '{"success":false}', 429)],
    ['redirects', answering(() => '', 302)],
  ] satisfies [string, Behaviour][])('%s: pending, and the sweep has lost no attempt', async (_name, behave) => {
    // Only a service that never answers uses it up; too short, and a busy machine is late before it has looked.
    await withService(behave, { timeoutMs: behave === silent ? 1_000 : 20_000 });
    await expectPayment('order-1');
    const { status, verdict } = await visit('reference=order-1');
    expect([status, verdict?.verdict, verdict?.reference]).toEqual([303, 'pending', 'order-1']);
    expect(statusOf('order-1')).toMatchObject({ confirmed: null });
    if (behave === silent) return; // still waiting for its answer
    const checked = () => receiver.rows('SELECT attempts, leased_until FROM checks');
    await until(() => JSON.stringify(checked()) === '[{"attempts":0,"leased_until":null}]', 'the check is released');
    expect(statusOf('order-1')?.due_at).toBe(NOW_MS);
  });

  test('an answer that comes after the customer has gone is kept', async () => {
    const held: (() => void)[] = [];
    await withService((socket) => void held.push(() => socket.write(answer(200, paid('order-1')))), { timeoutMs: 100 });
    await expectPayment('order-1');
    expect((await visit('reference=order-1')).verdict).toMatchObject({ verdict: 'pending' });
    await until(() => held.length === 1, 'the service is asked');
    held[0]?.();
    await until(() => statusOf('order-1')?.confirmed === 'success', 'the late answer is kept');
    let { verdict } = await visit('reference=order-1');
    // On a busy machine even the look into the database takes longer than this customer waits.
    while (verdict?.verdict === 'pending') ({ verdict } = await visit('reference=order-1'));
    expect(verdict).toMatchObject({ verdict: 'success', amount: '40.00' });
  });

  test('a reference that cannot be part of a path, and an environment without keys, are pending too', async () => {
    const { service } = await withService(answering(paid));
    await expectPayment('..');
    expect((await visit('reference=..')).verdict).toMatchObject({ verdict: 'pending', reference: '..' });
    receiver.app.reloadKeys([keyPairOf('test-1', TEST_KEYS)]);
    await expectPayment('order-live', 'live');
    expect((await visit('reference=order-live', { path: '/callback/live' })).verdict).toMatchObject({
      verdict: 'pending',
    });
    expect(service.requests).toEqual([]);
  });
});

describe('no more checks than necessary', () => {
  test('concurrent visits for one payment share one check, and a visit soon after needs none', async () => {
    const held: (() => void)[] = [];
    const { service, clock } = await withService((socket, request) => {
      held.push(() => answering(paid)(socket, request, service));
    });
    await expectPayment('order-1');
    const visits = Array.from({ length: 8 }, () => visit('reference=order-1'));
    await until(() => held.length === 1, 'the check is under way');
    held[0]?.();
    for (const { verdict } of await Promise.all(visits)) expect(verdict).toMatchObject({ verdict: 'success' });
    clock.ms += 59_000;
    expect((await visit('reference=order-1')).verdict).toMatchObject({ verdict: 'success' });
    expect(service.requests).toHaveLength(1);
    clock.ms += 2_000;
    const again = visit('reference=order-1');
    await until(() => held.length === 2, 'it is checked again');
    held[1]?.();
    expect((await again).verdict).toMatchObject({ verdict: 'success' });
  });

  test('a check that a sweep has under way is waited for, not sent twice', async () => {
    const { service, clock } = await withService(answering(paid));
    await expectPayment('order-1');
    const sweep = openOperations(receiver.database, STANDARD_CHECK_RULES, clock);
    const filter = { kinds: ['collection'], environments: ['test'] } as const;
    const [leased] = await sweep.checks.lease({ filter, limit: 1, leaseMs: 60_000 });
    if (leased === undefined) throw new Error('nothing was due');
    const visited = visit('reference=order-1');
    const { counter, kind, recordId } = leased;
    const stated = {
      status: 'failed',
      time: null,
      facts: {},
      details: {},
      times: {},
      unreadable: [],
      contradiction: false,
    };
    const finished = {
      counter,
      kind,
      recordId,
      outcome: 'answered',
      answer: { stated, digest: 'd' },
      detail: null,
    } as const;
    await sweep.checks.finish([finished]);
    expect((await visited).verdict).toMatchObject({ verdict: 'failed' });
    expect(service.requests).toEqual([]);
    sweep.close();
  });

  test('a customer who reloads a pending payment neither uses up attempts nor puts off the sweep', async () => {
    const { service, clock } = await withService(answering((one) => paid(one, { status: 'pending' })));
    await expectPayment('order-1');
    await visit('reference=order-1'); // it was due: this is the first of its attempts
    const dueAtMs = statusOf('order-1')?.due_at ?? 0;
    expect(dueAtMs).toBeGreaterThanOrEqual(NOW_MS + 60_000);
    for (let reload = 0; reload < 8; reload++) {
      clock.ms += 6_000;
      expect((await visit('reference=order-1')).verdict).toMatchObject({ verdict: 'pending', amount: '40.00' });
      expect(statusOf('order-1')?.due_at).toBe(dueAtMs);
    }
    expect(receiver.rows('SELECT attempts FROM checks')).toEqual([{ attempts: 1 }]);
    expect(service.requests).toHaveLength(9);
  });

  test('over the shared budget nothing is sent, and a minute later a check is', async () => {
    const { service, clock } = await withService(answering(paid), { perMinute: 2 });
    const verdicts: (string | undefined)[] = [];
    for (const reference of ['order-1', 'order-2', 'order-3']) {
      await expectPayment(reference);
      verdicts.push((await visit(`reference=${reference}`)).verdict?.verdict);
    }
    expect([verdicts, service.requests.length]).toEqual([['success', 'success', 'pending'], 2]);
    clock.ms += 60_000;
    expect((await visit('reference=order-3')).verdict).toMatchObject({ verdict: 'success', reference: 'order-3' });
  });

  test('visits that share a check, or its result, leave the shared budget to others', async () => {
    // A service that fails: nothing is fresh, so that only the shared result saves the budget.
    const failing = new Set(['order-0']);
    const { service } = await withService(
      (socket, request, server) => {
        const [reference = ''] = /order-\d+/.exec(request) ?? [];
        answering(failing.has(reference) ? () => '{}' : paid, failing.has(reference) ? 404 : 200)(
          socket,
          request,
          server,
        );
      },
      { perMinute: 31, perAddressPerMinute: 1_000 },
    );
    for (let index = 0; index <= 30; index++) await expectPayment(`order-${index}`);
    await Promise.all(Array.from({ length: 60 }, () => visit('reference=order-0')));
    for (let reload = 0; reload < 60; reload++) await visit('reference=order-0');
    const verdicts = new Set<string | undefined>();
    for (let index = 1; index <= 30; index++) verdicts.add((await visit(`reference=order-${index}`)).verdict?.verdict);
    expect([[...verdicts], service.requests.length]).toEqual([['success'], 31]);
  });

  test('visits with unknown references use up no check', async () => {
    await withService(answering(paid), { perMinute: 1, perAddressPerMinute: 50 });
    await expectPayment('order-1');
    for (let index = 0; index < 20; index++) await visit(`reference=guess-${index}`);
    expect((await visit('reference=order-1')).verdict).toMatchObject({ verdict: 'success' });
  });

  test('an address over its own budget is redirected without a look-up; behind a proxy the address of the customer counts', async () => {
    const limits = { trustProxy: ['loopback'] };
    const service = await hostileServer(answering(paid));
    await start({ baseUrl: service.url, callback: { perAddressPerMinute: 1 }, limits });
    const from = (address: string, reference: string) =>
      visit(`reference=${reference}`, { headers: { 'x-forwarded-for': address } }).then(({ verdict }) => verdict);
    for (const reference of ['order-1', 'order-2', 'order-3']) await expectPayment(reference);
    expect(await from('192.0.2.1', 'order-1')).toMatchObject({ verdict: 'success' });
    expect(await from('192.0.2.1', 'order-2')).toMatchObject({ verdict: 'pending', reference: null });
    expect(await from('192.0.2.2', 'order-3')).toMatchObject({ verdict: 'success' });
    expect(service.requests).toHaveLength(2);
    const metrics = await (await fetch(`${receiver.app.adminUrl}/metrics`)).text();
    expect(metrics).toContain('tallyhook_callbacks_total{verdict="success"} 2');
    expect(metrics).toContain('tallyhook_callbacks_over_budget_total 1');
  });

  test('without a trusted proxy a forwarded address does not count', async () => {
    await withService(answering(paid), { perAddressPerMinute: 1 });
    await expectPayment('order-1');
    const from = (address: string) => visit('reference=order-1', { headers: { 'x-forwarded-for': address } });
    expect((await from('192.0.2.1')).verdict).toMatchObject({ verdict: 'success' });
    expect((await from('192.0.2.2')).verdict).toMatchObject({ verdict: 'pending', reference: null });
  });
});

describe('the route', () => {
  test('does not exist without a page', async () => {
    await start({ callback: { page: null, secret: null } });
    for (const path of ['/callback/test', '/callback/live', '/callback']) {
      expect((await fetch(`${receiver.url}${path}?reference=x`, { redirect: 'manual' })).status).toBe(404);
    }
  });

  test('answers GET alone, so that no link preview or form causes a check', async () => {
    const { service } = await withService(answering(paid));
    await expectPayment('order-1');
    for (const method of ['HEAD', 'POST', 'PUT', 'OPTIONS']) {
      const response = await fetch(`${receiver.url}/callback/test?reference=order-1`, { method, redirect: 'manual' });
      expect([method, response.status]).toEqual([method, 404]);
    }
    expect(service.requests).toEqual([]);
  });

  test('takes new keys with the receiver', async () => {
    const seen: string[] = [];
    await withService((socket, request, server) => {
      seen.push(/bearer (\S+)/i.exec(request)?.[1] ?? '');
      answering(paid)(socket, request, server);
    });
    await expectPayment('order-1');
    await expectPayment('order-2');
    await visit('reference=order-1');
    receiver.app.reloadKeys([keyPairOf('test-2', { publicKey: 'pk_test_new', secretKey: 'sk_test_new_0123456789' })]);
    await visit('reference=order-2');
    expect(seen).toEqual([TEST_KEYS.secretKey, 'sk_test_new_0123456789']);
  });

  test('stops with the app during a check, and releases it for the next sweep', async () => {
    const { service } = await withService(silent, { timeoutMs: 100 });
    await expectPayment('order-1');
    const before = statusOf('order-1');
    await visit('reference=order-1');
    await until(() => service.requests.length === 1, 'the service is asked');
    await receiver.app.close();
    expect(statusOf('order-1')).toEqual(before);
    expect(receiver.rows('SELECT leased_until, attempts FROM checks')).toEqual([{ leased_until: null, attempts: 0 }]);
  });

  test('stops although a visitor waits for a check of another process', async () => {
    const service = await hostileServer(silent);
    const limits = { shutdownTimeoutMs: 1_000 }; // the visitor has half of it
    const clock = await start({ baseUrl: service.url, callback: { timeoutMs: 60_000 }, limits });
    await expectPayment('order-1');
    const operations = openOperations(receiver.database, STANDARD_CHECK_RULES, clock);
    const filter = { kinds: ['collection'], environments: ['test'], reference: 'order-1' } as const;
    await operations.checks.lease({ filter, limit: 1, leaseMs: 600_000 });
    await operations.close();
    const visitor = visit('reference=order-1').catch(() => null);
    await until(async () => (await fetch(`${receiver.url}/healthz`)).ok, 'the visit has arrived');
    await receiver.app.close(); // the visitor would wait longer than a test may take
    await visitor;
    expect(service.requests).toEqual([]);
  });
});
