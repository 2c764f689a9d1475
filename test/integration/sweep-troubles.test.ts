import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LeasedChecks } from '../../src/confirm/leased-checks.ts';
import { Pace } from '../../src/confirm/pace.ts';
import { sleep } from '../../src/confirm/parts.ts';
import { sweep } from '../../src/confirm/sweep.ts';
import type { Checks } from '../../src/store/checks.ts';
import { StoreError } from '../../src/store/error.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';
import { until } from '../support/receiver.ts';
import { Sweeping } from '../support/sweeping.ts';
import { payout, refund, START_MS } from '../support/test-database.ts';

// What befalls a sweep from outside: the disk, the key, the clock, a service that contradicts itself.

let world: Sweeping;
beforeEach(() => {
  world = new Sweeping();
});
afterEach(() => world.close());

const referenceIn = (request: string) => decodeURIComponent(/GET \S*\/(\S+) HTTP/.exec(request)?.[1] ?? '');
/** A service that says of every refund what `status` says then. */
const saying =
  (status: () => string): Behaviour =>
  (socket, request) => {
    const data = { refund_reference: referenceIn(request), status: status(), amount: '50.00', currency: 'USD' };
    socket.write(answer(200, JSON.stringify({ success: true, data })));
  };
const references = (count: number) => Array.from({ length: count }, (_, n) => `R${n}`);
const MINUTE_MS = 60_000;
const dueAt = (kind: 'refund' | 'payout', reference: string) =>
  world.row<{ due_at: number | null }>(`SELECT due_at FROM ${kind}s WHERE reference = ?`, reference)?.due_at ?? null;
const leased = () => world.rows('SELECT * FROM checks WHERE leased_until IS NOT NULL');

test('a disk that fills while questions are under way fails the sweep and nothing else; what was claimed is given back', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', hear);
  const slowly = saying(() => 'success');
  const service = await hostileServer((...asked) => setTimeout(() => slowly(...asked), 20));
  world.db.keepAndApply(...references(40).map((reference) => refund(reference, 'processing')));
  world.ask(service.url);
  let leases = 0;
  const lease: Checks['lease'] = async (order) => {
    if (++leases > 1) throw new StoreError('disk_full', 'The disk is full.');
    return world.operations.checks.lease(order);
  };
  const operations = { ...world.operations, checks: { ...world.operations.checks, lease } };
  await expect(sweep(world.order(), { ...world.parts, operations })).rejects.toThrow('The disk is full.');
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
  expect(leases).toBe(2);
  expect(leased()).toEqual([]);
  const kept = world.rows("SELECT * FROM observations WHERE witness = 'api'");
  expect(kept).toHaveLength(service.requests.length);
});

test('records pay no attempt for a refused key: when it is right again they begin at the beginning', async () => {
  let refused = true;
  const service = await hostileServer((socket, ...asked) => {
    if (refused) socket.write(answer(401, '{"success":false,"message":"Invalid API key"}'));
    else saying(() => 'processing')(socket, ...asked);
  });
  world.db.keepAndApply(refund('R0', 'processing'));
  world.ask(service.url);
  for (let n = 0; n < 45; n++) {
    expect(await world.sweep()).toMatchObject({ checked: 1, failed: { key_refused: 1 } });
    world.clock.ms += 2 * MINUTE_MS;
  }
  refused = false;
  expect(await world.sweep()).toMatchObject({ confirmed: 1, stuck: 0 });
  expect(dueAt('refund', 'R0')).toBe(world.clock.ms + MINUTE_MS);
});

test('records pay no attempt for an endpoint that was unproven for long', async () => {
  let found = false;
  const service = await hostileServer((socket) =>
    socket.write(found ? answer(200, '{"success":true,"data":{"status":"pending"}}') : answer(404, '{}')),
  );
  world.db.keepAndApply(payout('P0', 'pending'));
  world.ask(service.url, { proven: [] });
  for (let n = 0; n < 45; n++) {
    expect(await world.sweep()).toMatchObject({ checked: 1, failed: { unproven: 1 } });
    world.clock.ms += 61 * MINUTE_MS;
  }
  found = true;
  expect(await world.sweep()).toMatchObject({ confirmed: 1, stuck: 0 });
  expect(dueAt('payout', 'P0')).toBe(world.clock.ms + MINUTE_MS);
});

describe('a clock that was 400 days ahead, and is right again', () => {
  const DAY_MS = 1_440 * MINUTE_MS;
  const atWrongTime = async (work: () => Promise<unknown>) => {
    world.clock.ms += 400 * DAY_MS;
    await work();
    world.clock.ms -= 400 * DAY_MS;
  };
  beforeEach(async () => {
    const service = await hostileServer(saying(() => 'processing'));
    world.ask(service.url);
  });

  test('what was asked meanwhile is asked again now, not in 400 days', async () => {
    world.db.keepAndApply(refund('R0', 'processing'));
    await atWrongTime(() => world.sweep());
    expect(await world.sweep()).toMatchObject({ checked: 1, confirmed: 1 });
    expect(dueAt('refund', 'R0')).toBeLessThan(world.clock.ms + DAY_MS);
  });

  test('so is what a process held when it was killed', async () => {
    world.db.keepAndApply(refund('R0', 'processing'));
    const { filter, leaseMs } = world.order();
    await atWrongTime(() => world.operations.checks.lease({ filter, limit: 1, leaseMs, nowMs: world.clock.ms }));
    expect(await world.sweep()).toMatchObject({ checked: 1, confirmed: 1 });
  });

  test('and what webhooks told of', async () => {
    await atWrongTime(async () =>
      world.db.keepAndApply(refund('R0', 'processing', {}, { receivedAtMs: world.clock.ms })),
    );
    expect(await world.sweep()).toMatchObject({ checked: 1, confirmed: 1 });
  });

  test('what settled meanwhile is watched from now on, no more often than anything else', async () => {
    const service = await hostileServer((socket) =>
      socket.write(answer(200, '{"success":true,"data":{"status":"success"}}')),
    );
    world.ask(service.url);
    world.db.keepAndApply(payout('P0', 'success'));
    await atWrongTime(() => world.sweep());
    for (const checks of [1, 0, 0]) {
      expect(await world.sweep()).toMatchObject({ checked: checks, confirmed: checks });
      world.clock.ms += MINUTE_MS;
    }
    expect(dueAt('payout', 'P0')).toBe(world.clock.ms - 3 * MINUTE_MS + DAY_MS);
  });

  test('a sweep under way goes on at its pace', () => {
    const pace = new Pace(10);
    expect(pace.waitMs(400 * DAY_MS)).toBe(0);
    expect(pace.waitMs(400 * DAY_MS)).toBe(100);
    expect(pace.waitMs(0)).toBe(200);
  });
});

test('an answer that contradicts a final status is asked about again; the second that agrees moves it', async () => {
  let status = 'success';
  const service = await hostileServer(saying(() => status));
  world.db.keepAndApply(refund('R0', 'processing'));
  world.ask(service.url);
  await world.sweep();
  expect(dueAt('refund', 'R0')).toBeNull();
  status = 'rejected';
  world.clock.ms += MINUTE_MS;
  const reference = { filter: { ...world.order().filter, reference: 'R0' } };
  expect(await world.sweep(reference)).toMatchObject({ confirmed: 1, changed: 0 });
  expect(dueAt('refund', 'R0')).not.toBeNull();
  world.clock.ms = dueAt('refund', 'R0') ?? 0;
  expect(await world.sweep()).toMatchObject({ confirmed: 1, changed: 1, stuck: 0 });
  expect(world.row('SELECT confirmed, due_at FROM refunds')).toEqual({ confirmed: 'rejected', due_at: null });
});

test('an answer that contradicts a final status once is forgotten when the next one agrees', async () => {
  let status = 'success';
  const service = await hostileServer(saying(() => status));
  world.db.keepAndApply(refund('R0', 'success'));
  world.ask(service.url);
  await world.sweep();
  status = 'processing';
  await world.sweep({ filter: { ...world.order().filter, reference: 'R0' } });
  status = 'success';
  world.clock.ms = dueAt('refund', 'R0') ?? 0;
  expect(await world.sweep()).toMatchObject({ confirmed: 1, changed: 0 });
  expect(world.row('SELECT confirmed, due_at FROM refunds')).toEqual({ confirmed: 'success', due_at: null });
});

test('what got no answer does not count as a disagreement', async () => {
  let isUp = true;
  const service = await hostileServer((socket, ...asked) => {
    if (isUp) saying(() => 'processing')(socket, ...asked);
    else socket.write(answer(503, '{}'));
  });
  world.db.keepAndApply(refund('R0', 'success'));
  world.ask(service.url);
  expect(await world.sweep()).toMatchObject({ confirmed: 1, disagreed: 1 });
  isUp = false;
  world.clock.ms += 2 * MINUTE_MS;
  expect(await world.sweep()).toMatchObject({ confirmed: 0, disagreed: 0, failed: { unavailable: 1 } });
});

describe('the service is down', () => {
  test('with nothing left to ask the sweep ends at once, so that the next one asks about what is new', async () => {
    const waiting: (() => void)[] = [];
    const service = await hostileServer((socket) => {
      waiting.push(() => socket.write(answer(503, '{}')));
      if (waiting.length === 8) for (const say of waiting) say();
    });
    world.db.keepAndApply(...references(8).map((reference) => refund(reference, 'processing')));
    world.ask(service.url);
    const startedAt = performance.now();
    const clock = { nowMs: () => START_MS + Math.round(performance.now() - startedAt) };
    const result = await sweep(world.order({ concurrency: 8, giveUpMs: 6_000 }), { ...world.parts, clock, sleep });
    expect(result).toMatchObject({ checked: 8, failed: { unavailable: 8 }, stopped: null });
    expect(result.tookMs).toBeLessThan(2_000);
  });

  test('what was claimed and not asked before its lease was over has cost no attempt', async () => {
    const service = await hostileServer(saying(() => 'processing'));
    world.db.keepAndApply(refund('R0', 'processing'), refund('R1', 'processing'));
    world.ask(service.url);
    await world.sweep();
    world.clock.ms += 2 * MINUTE_MS;
    const { filter, leaseMs } = world.order();
    const { checks } = world.operations;
    const supply = new LeasedChecks(checks, { filter, leaseMs, limit: null, batch: 4, ahead: 2 }, world.clock);
    await supply.next();
    world.clock.ms += leaseMs;
    expect(await supply.next()).toBeNull();
    expect(await checks.countDue({ filter, nowMs: world.clock.ms })).toBe(2);
    const attempts = world.rows('SELECT attempts FROM checks ORDER BY record_id');
    expect(attempts).toEqual([{ attempts: 2 }, { attempts: 1 }]);
  });
});

test('cut off before the service answered: the questions are given back, and cost no attempt', async () => {
  const service = await hostileServer(() => {});
  world.db.keepAndApply(...references(20).map((reference) => refund(reference, 'processing')));
  const before = references(20).map((reference) => dueAt('refund', reference));
  world.ask(service.url);
  const ending = world.sweep();
  await until(() => service.requests.length === 4, 'questions are under way');
  world.abort.abort();
  world.cutOff.abort();
  expect(await ending).toMatchObject({ checked: 0, failed: {}, stopped: 'interrupted', stillDue: 20 });
  expect(world.rows('SELECT DISTINCT leased_until, attempts, failures, outcome FROM checks')).toEqual([
    { leased_until: null, attempts: 0, failures: 0, outcome: null },
  ]);
  expect(references(20).map((reference) => dueAt('refund', reference))).toEqual(before);
});
