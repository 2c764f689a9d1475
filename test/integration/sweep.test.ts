import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Breaker, STANDARD_BREAKER } from '../../src/confirm/breaker.ts';
import { sweep } from '../../src/confirm/sweep.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';
import { KEYS, Sweeping } from '../support/sweeping.ts';
import { payout, refund, START_MS } from '../support/test-database.ts';

let world: Sweeping;
beforeEach(() => {
  world = new Sweeping();
});
afterEach(() => world.close());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PATH = /GET \S*\/(\S+) HTTP/;
const referenceIn = (request: string) => decodeURIComponent(PATH.exec(request)?.[1] ?? '');
const refundBody = (reference: string, status: string) =>
  JSON.stringify({ success: true, data: { refund_reference: reference, status, amount: '50.00', currency: 'USD' } });
/** A service that answers the same status for every refund. */
const answering =
  (status: string): Behaviour =>
  (socket, request) =>
    socket.write(answer(200, refundBody(referenceIn(request), status)));
const statusOf = (reference: string) =>
  world.row<{ reported: string | null; confirmed: string | null; due_at: number | null }>(
    'SELECT reported, confirmed, due_at FROM refunds WHERE reference = ?',
    reference,
  );
const check = () =>
  world.row<{ outcome: string; attempts: number; leased_until: number | null }>('SELECT * FROM checks');
const references = (count: number) => Array.from({ length: count }, (_, n) => `R${n}`);

test('every due record is checked once, its answer kept as evidence, and final records are left alone', async () => {
  const service = await hostileServer(answering('success'));
  world.db.keepAndApply(...references(20).map((reference) => refund(reference, 'processing')));
  world.connect(service.url);
  const result = await world.sweep();
  expect(result).toMatchObject({ checked: 20, confirmed: 20, changed: 20, settled: 20, repaired: 20, stillDue: 0 });
  expect(result).toMatchObject({ disagreed: 0, stuck: 0, failed: {}, late: 0, stopped: null });
  expect(statusOf('R7')).toEqual({ reported: 'processing', confirmed: 'success', due_at: null });
  const evidence = world.rows(
    "SELECT status, answer_counter, answered_at, length(content_digest) AS digits FROM observations WHERE witness = 'api'",
  );
  expect(evidence).toHaveLength(20);
  expect(evidence[0]).toMatchObject({ status: 'success', answered_at: START_MS, digits: 64 });
  expect(service.requests).toHaveLength(20);
  expect(await world.sweep()).toMatchObject({ checked: 0, stillDue: 0 });
  expect(service.requests).toHaveLength(20);
});

describe('only a usable answer is a status', () => {
  const rows: readonly [string, string, Behaviour][] = [
    ['not_found', '404', (socket) => socket.write(answer(404, '{"success":false,"message":"Refund not found"}'))],
    [
      'unreadable',
      'HTML under 200',
      (socket) => socket.write(answer(200, '<html>success</html>', { 'content-type': 'text/html' })),
    ],
    ['unreadable', 'another refund', (socket) => socket.write(answer(200, refundBody('OTHER', 'success')))],
    [
      'unreadable',
      'no status',
      (socket) => socket.write(answer(200, '{"success":true,"data":{"refund_reference":"R0"}}')),
    ],
    ['unreadable', 'truncated JSON', (socket) => socket.write(answer(200, '{"success":true,"data":{"refund_ref'))],
    ['refused', '422', (socket) => socket.write(answer(422, '{"success":false,"message":"Odd"}'))],
    [
      'unavailable',
      '500',
      (socket) => socket.write(answer(500, '{"data":{"refund_reference":"R0","status":"success"}}')),
    ],
    ['rate_limited', '429', (socket) => socket.write(answer(429, '{"success":false,"message":"Slow down"}'))],
    ['no_answer', 'a reset', (socket) => socket.destroy()],
    ['key_refused', '401', (socket) => socket.write(answer(401, '{"success":false,"message":"Invalid API key"}'))],
  ];

  test.each(rows)('%s: %s', async (outcome, _name, behave) => {
    const service = await hostileServer(behave);
    world.db.keepAndApply(refund('R0', 'processing'));
    world.connect(service.url);
    const result = await world.sweep();
    expect(result).toMatchObject({ checked: 1, confirmed: 0, failed: { [outcome]: 1 }, stillDue: 0 });
    expect(check()).toMatchObject({ outcome, leased_until: null });
    const after = statusOf('R0');
    expect(after).toEqual({ reported: 'processing', confirmed: null, due_at: START_MS + MINUTE_MS });
    expect(world.rows("SELECT * FROM observations WHERE witness = 'api'")).toEqual([]);
  });

  test('unavailable: no listener', async () => {
    world.db.keepAndApply(refund('R0', 'processing'));
    world.connect('http://127.0.0.1:1');
    expect(await world.sweep()).toMatchObject({ failed: { unavailable: 1 } });
    expect(statusOf('R0')?.confirmed).toBeNull();
  });

  test('unaskable: a reference that cannot be part of a path becomes a finding, and nothing is sent', async () => {
    const service = await hostileServer(answering('success'));
    world.db.keepAndApply(refund('..', 'processing'));
    world.connect(service.url);
    expect(await world.sweep()).toMatchObject({ failed: { unaskable: 1 } });
    expect(service.requests).toEqual([]);
    expect(world.row('SELECT code, subject FROM findings')).toEqual({ code: 'unaskable', subject: 'reference' });
    expect(statusOf('..')?.due_at).toBeNull();
  });

  test('unproven: failures of the endpoint use up no attempt of the record', async () => {
    const service = await hostileServer((socket) => socket.write(answer(404, '{"success":false}')));
    world.db.keepAndApply(payout('P0', 'success'));
    world.connect(service.url, { proven: [] });
    for (let i = 0; i < 50; i++) {
      expect(await world.sweep()).toMatchObject({ checked: 1, failed: { unproven: 1 }, stuck: 0 });
      world.clock.ms += 61 * MINUTE_MS;
    }
    expect(world.rows('SELECT * FROM findings')).toEqual([]);
  });

  test('unconfirmable: without a path nothing is sent, and no record is stuck', async () => {
    const service = await hostileServer(answering('success'));
    world.db.keepAndApply(payout('P0', 'success'));
    world.connect(service.url, { paths: { payout: null } });
    expect(await world.sweep()).toMatchObject({ failed: { unconfirmable: 1 }, stuck: 0 });
    expect(service.requests).toEqual([]);
  });
});

test('attempts are capped: then the record is stuck, with a finding, and news starts the checks again', async () => {
  const service = await hostileServer(answering('processing'));
  world.db.keepAndApply(refund('R0', 'processing'));
  world.connect(service.url);
  for (let n = 1; n < 40; n++) {
    expect(await world.sweep()).toMatchObject({ checked: 1, stuck: 0 });
    world.clock.ms = statusOf('R0')?.due_at ?? 0;
  }
  expect(await world.sweep()).toMatchObject({ checked: 1, stuck: 1 });
  expect(statusOf('R0')?.due_at).toBeNull();
  expect(world.row('SELECT code, closed_at FROM findings')).toEqual({ code: 'stuck', closed_at: null });
  world.clock.ms += MINUTE_MS;
  const updatedAt = new Date(world.clock.ms).toISOString();
  world.db.keepAndApply(refund('R0', 'failed', { updatedAt }, { receivedAtMs: world.clock.ms }));
  expect(await world.sweep()).toMatchObject({ checked: 1, stuck: 0 });
  expect(check()).toMatchObject({ attempts: 1 });
  expect(world.rows('SELECT code FROM findings WHERE closed_at IS NULL')).toEqual([]);
});

describe('the service is down', () => {
  test('after failures in a row the sweep pauses, one check probes, and all goes on when the service is back', async () => {
    let failing = 8;
    const service = await hostileServer((socket, request, server) => {
      if (failing-- > 0) socket.write(answer(503, '{}'));
      else answering('success')(socket, request, server);
    });
    world.db.keepAndApply(...references(40).map((reference) => refund(reference, 'processing')));
    world.connect(service.url);
    const result = await world.sweep({ concurrency: 1 });
    expect(result).toMatchObject({ checked: 40, confirmed: 32, failed: { unavailable: 8 }, stopped: null });
    // Five in a row open it; each of three probes doubles the pause.
    expect(world.clock.sleptMs).toBe(2_000 + 4_000 + 8_000 + 16_000);
  });

  test('a pause that the service asked for outlasts the sweep: the next one with its breaker sends nothing before it is over', async () => {
    let limited = true;
    const service = await hostileServer((socket, ...others) => {
      if (limited) socket.write(answer(429, '{"success":false,"message":"slow down"}', { 'retry-after': '3600' }));
      else answering('success')(socket, ...others);
    });
    world.db.keepAndApply(...references(20).map((reference) => refund(reference, 'processing')));
    world.connect(service.url);
    const breaker = new Breaker(STANDARD_BREAKER);
    const order = world.order({ giveUpMs: MINUTE_MS, concurrency: 1 });
    const next = () => sweep(order, world.parts, () => {}, breaker);
    expect(await next()).toMatchObject({ stopped: 'service_unavailable' });
    for (let minute = 1; minute < 59; minute++) {
      world.clock.ms += MINUTE_MS;
      expect(await next()).toMatchObject({ checked: 0, stopped: 'service_unavailable' });
    }
    expect(service.requests).toHaveLength(1);
    limited = false;
    world.clock.ms += 2 * MINUTE_MS;
    expect(await next()).toMatchObject({ checked: 20, confirmed: 20, stopped: null, stillDue: 0 });
  });

  test('a clock that is set back moves the pause with it; the next sweep may send a probe that was not sent', () => {
    const breaker = new Breaker({ ...STANDARD_BREAKER, failures: 1 });
    breaker.failed(START_MS, HOUR_MS);
    expect(breaker.waitMs(START_MS - 400 * 24 * HOUR_MS)).toBe(HOUR_MS);
    expect(breaker.waitMs(START_MS)).toBe(0);
    expect(breaker.waitMs(START_MS)).toBeGreaterThan(0);
    breaker.endProbe();
    expect(breaker.waitMs(START_MS)).toBe(0);
  });

  test('a service that stays down ends the sweep; the leased records are as due as before', async () => {
    const service = await hostileServer((socket) => socket.write(answer(502, 'bad gateway')));
    world.db.keepAndApply(...references(100).map((reference) => refund(reference, 'processing')));
    world.connect(service.url);
    const result = await world.sweep({ giveUpMs: 20_000 });
    expect(result.stopped).toBe('service_unavailable');
    expect(result.checked).toBeLessThan(20);
    expect(result.stillDue).toBe(100 - result.checked);
    expect(world.rows('SELECT * FROM checks WHERE leased_until IS NOT NULL')).toEqual([]);
  });

  test('a 429 with Retry-After pauses that long at once', async () => {
    let first = true;
    const service = await hostileServer((socket, request, server) => {
      if (first) socket.write(answer(429, '{}', { 'retry-after': '30' }));
      else answering('success')(socket, request, server);
      first = false;
    });
    world.db.keepAndApply(...references(5).map((reference) => refund(reference, 'processing')));
    world.connect(service.url);
    const result = await world.sweep({ concurrency: 1 });
    expect(result).toMatchObject({ confirmed: 4, failed: { rate_limited: 1 } });
    expect(world.clock.sleptMs).toBe(30_000);
  });
});

test('a refused key ends the checks of its environment alone', async () => {
  const service = await hostileServer((socket, request, server) => {
    if (request.includes(KEYS.live)) socket.write(answer(401, '{"success":false,"message":"Invalid API key"}'));
    else answering('success')(socket, request, server);
  });
  const live = references(30).map((reference) => refund(reference, 'processing', {}, { environment: 'live' }));
  world.db.keepAndApply(...references(30).map((reference) => refund(reference, 'processing')), ...live);
  world.connect(service.url);
  const result = await world.sweep({ concurrency: 2 });
  expect(result).toMatchObject({ confirmed: 30, stopped: null });
  expect(result.failed.key_refused).toBeLessThanOrEqual(4);
  world.connect(service.url, { keys: { live: KEYS.live } });
  world.clock.ms += MINUTE_MS;
  expect(await world.sweep()).toMatchObject({ confirmed: 0, stopped: 'key_refused' });
});

describe('leases and fencing', () => {
  const leaseOne = () =>
    world.operations.checks.lease({
      filter: world.order().filter,
      limit: 1,
      leaseMs: MINUTE_MS,
    });
  const finishWith = async (leased: Awaited<ReturnType<typeof leaseOne>>[number] | undefined, status: string) => {
    if (leased === undefined) throw new Error('nothing was leased');
    const stated = { status, time: null, facts: {}, details: {}, times: {}, unreadable: [], contradiction: false };
    const { counter, kind, recordId } = leased;
    const answer = { stated, digest: 'd'.repeat(64) };
    const finished = {
      counter,
      kind,
      recordId,
      nowMs: world.clock.ms,
      outcome: 'answered',
      answer,
      detail: null,
    } as const;
    return (await world.operations.checks.finish([finished]))[0];
  };
  beforeEach(() => world.db.keepAndApply(refund('R0', 'processing')));

  test('a leased record is leased to no other', async () => {
    expect(await leaseOne()).toHaveLength(1);
    expect(await leaseOne()).toEqual([]);
    expect(await world.operations.checks.countDue({ filter: world.order().filter })).toBe(0);
  });

  test('after the lease another may check, and the first one is refused, also after the other has ended', async () => {
    const [zombie] = await leaseOne();
    world.clock.ms += MINUTE_MS;
    const [second] = await leaseOne();
    expect(second?.counter).toBeGreaterThan(zombie?.counter ?? 0);
    expect(await finishWith(zombie, 'failed')).toMatchObject({ accepted: false });
    expect(statusOf('R0')?.confirmed).toBeNull();
    expect(await finishWith(second, 'success')).toMatchObject({ accepted: true, changed: true });
    expect(await finishWith(zombie, 'failed')).toMatchObject({ accepted: false });
    expect(statusOf('R0')?.confirmed).toBe('success');
  });

  test('an answer after the lease is not written, even when no other leased it', async () => {
    const [leased] = await leaseOne();
    world.clock.ms += MINUTE_MS;
    expect(await finishWith(leased, 'success')).toMatchObject({ accepted: false });
    expect(world.rows("SELECT * FROM observations WHERE witness = 'api'")).toEqual([]);
  });

  test('a check is finished once', async () => {
    const [leased] = await leaseOne();
    expect(await finishWith(leased, 'processing')).toMatchObject({ accepted: true });
    expect(await finishWith(leased, 'success')).toMatchObject({ accepted: false });
  });

  test('a crash costs the lease: then the record is due again', async () => {
    await leaseOne();
    expect(statusOf('R0')?.due_at).toBe(START_MS + MINUTE_MS);
    world.clock.ms += MINUTE_MS;
    expect(await leaseOne()).toHaveLength(1);
  });

  test('a released check is as due as it was, and used up no attempt', async () => {
    const [leased] = await leaseOne();
    const before = leased?.dueAtMs;
    await world.operations.checks.release(leased === undefined ? [] : [leased]);
    expect(statusOf('R0')?.due_at).toBe(before);
    expect((await leaseOne())[0]?.attempts).toBe(1);
  });

  test('news that comes during a check leads to another check', async () => {
    const [leased] = await leaseOne();
    world.db.keepAndApply(
      refund('R0', 'success', { updatedAt: '2026-11-20T09:30:00Z' }, { receivedAtMs: world.clock.ms }),
    );
    expect(await finishWith(leased, 'processing')).toMatchObject({ accepted: true, dueAtMs: world.clock.ms });
    expect((await leaseOne())[0]).toMatchObject({ reference: 'R0', attempts: 2 });
  });

  test('sweeps at once check every record once', async () => {
    const service = await hostileServer(answering('success'));
    world.db.keepAndApply(...references(200).map((reference) => refund(reference, 'processing')));
    world.connect(service.url);
    const results = await Promise.all([world.sweep(), world.sweep(), world.sweep({ concurrency: 16 })]);
    expect(results.reduce((sum, { checked }) => sum + checked, 0)).toBe(200);
    expect(new Set(service.requests.map(referenceIn)).size).toBe(200);
    expect(service.requests).toHaveLength(200);
  });
});

describe('which records are checked', () => {
  beforeEach(async () => {
    world.connect((await hostileServer(answering('pending'))).url);
    world.db.keepAndApply(...references(10).map((reference) => refund(reference, 'processing')));
  });

  test('no more than the limit', async () => {
    expect(await world.sweep({ limit: 3 })).toMatchObject({ checked: 3, stillDue: 7 });
  });

  test('one record, due or not', async () => {
    const { filter } = world.order();
    const one = { filter: { ...filter, reference: 'R4' } };
    expect(await world.sweep(one)).toMatchObject({ checked: 1, stillDue: 0 });
    expect(await world.sweep(one)).toMatchObject({ checked: 1, stillDue: 0 });
    expect(statusOf('R4')?.confirmed).toBe('pending');
    expect(statusOf('R5')?.confirmed).toBeNull();
  });

  test('one reference, in every kind and environment that has it, at any concurrency', async () => {
    const live = { environment: 'live' } as const;
    world.db.keepAndApply(
      refund('R4', 'processing', {}, live),
      payout('R4', 'pending'),
      payout('R4', 'pending', {}, live),
    );
    const filter = { ...world.order().filter, reference: 'R4' };
    expect(await world.sweep({ filter, concurrency: 1 })).toMatchObject({ checked: 4, stillDue: 0 });
  });

  test('records changed since a time', async () => {
    const { filter } = world.order();
    expect(await world.sweep({ filter: { ...filter, sinceMs: START_MS + 1 } })).toMatchObject({ checked: 0 });
    expect(await world.sweep({ filter: { ...filter, sinceMs: START_MS } })).toMatchObject({ checked: 10 });
  });

  test('a sweep that is stopped writes its answers and releases the other checks', async () => {
    const service = await hostileServer((socket, request, server) => {
      if (server.requests.length === 4) world.abort.abort();
      answering('pending')(socket, request, server);
    });
    world.connect(service.url);
    const result = await world.sweep({ concurrency: 2 });
    expect(result.stopped).toBe('interrupted');
    expect(result.confirmed).toBe(service.requests.length);
    expect(result.stillDue).toBe(10 - result.checked);
    expect(world.rows('SELECT * FROM checks WHERE leased_until IS NOT NULL')).toEqual([]);
  });
});

test('only a status that a webhook should have reported counts as repaired', async () => {
  const body = (status: string) =>
    JSON.stringify({ success: true, data: { reference: 'P0', status, amount: '100.00' } });
  let status = 'pending';
  const service = await hostileServer((socket) => socket.write(answer(200, body(status))));
  const expected = { kind: 'payout', environment: 'test', reference: 'P0', amount: null, currency: null } as const;
  await world.operations.tracking.track({ expected: [{ ...expected, expectedByMs: null }] });
  world.connect(service.url);
  expect(await world.sweep()).toMatchObject({ confirmed: 1, changed: 1, repaired: 0 });
  status = 'success';
  world.clock.ms += MINUTE_MS;
  expect(await world.sweep()).toMatchObject({ confirmed: 1, changed: 1, repaired: 1 });
});

test('the service stays behind the webhooks: a finding after two answers five minutes apart, closed when it agrees', async () => {
  let status = 'processing';
  const service = await hostileServer((socket, request, server) => answering(status)(socket, request, server));
  world.db.keepAndApply(refund('R0', 'success'));
  world.connect(service.url);
  const open = () => world.rows<{ code: string }>('SELECT code FROM findings WHERE closed_at IS NULL');
  expect(await world.sweep()).toMatchObject({ disagreed: 1 });
  expect(open()).toEqual([]);
  for (const _ of [1, 2]) {
    world.clock.ms = statusOf('R0')?.due_at ?? 0;
    await world.sweep();
  }
  expect(open()).toEqual([{ code: 'webhook_vs_api' }]);
  status = 'success';
  world.clock.ms = statusOf('R0')?.due_at ?? 0;
  expect(await world.sweep()).toMatchObject({ disagreed: 0, settled: 1 });
  expect(open()).toEqual([]);
});

test('a tracked record past its date is overdue at each failed check, and no more once it is known', async () => {
  let known = false;
  const service = await hostileServer((socket, request, server) =>
    known
      ? answering('pending')(socket, request, server)
      : socket.write(answer(404, '{"success":false,"message":"Refund not found"}')),
  );
  world.connect(service.url);
  const expected = { kind: 'refund', environment: 'test', amount: null, currency: null } as const;
  const track = (reference: string, expectedByMs: number) =>
    world.operations.tracking.track({ expected: [{ ...expected, reference, expectedByMs }] });
  await track('R0', START_MS + MINUTE_MS);
  expect(await world.sweep()).toMatchObject({ checked: 1, failed: { not_found: 1 }, overdue: 0 });
  world.clock.ms = START_MS + MINUTE_MS;
  for (const _ of ['its date comes', 'and has passed']) {
    expect(await world.sweep()).toMatchObject({ checked: 1, failed: { not_found: 1 }, overdue: 1 });
    world.clock.ms = statusOf('R0')?.due_at ?? 0;
  }
  expect(world.rows('SELECT code FROM findings WHERE closed_at IS NULL')).toEqual([{ code: 'never_seen' }]);
  known = true;
  expect(await world.sweep()).toMatchObject({ confirmed: 1, overdue: 0 });
  expect(world.rows('SELECT code FROM findings WHERE closed_at IS NULL')).toEqual([]);
});

test('checks keep their pace', async () => {
  const service = await hostileServer(answering('success'));
  world.db.keepAndApply(...references(21).map((reference) => refund(reference, 'processing')));
  world.connect(service.url);
  await world.sweep({ perSecond: 10, concurrency: 1 });
  expect(world.clock.ms - START_MS).toBe(2_100);
});
