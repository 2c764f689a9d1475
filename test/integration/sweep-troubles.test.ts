import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LeasedChecks } from '../../src/confirm/leased-checks.ts';
import { Pace } from '../../src/confirm/pace.ts';
import { sweep } from '../../src/confirm/sweep.ts';
import type { Checks } from '../../src/store/checks.ts';
import { StoreError } from '../../src/store/error.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';
import { Sweeping } from '../support/sweeping.ts';
import { payout, refund } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// A sweep with a full disk, a refused key, a wrong clock, or a service that contradicts itself.

let world: Sweeping;
beforeEach(() => {
  world = new Sweeping();
});
afterEach(() => world.close());

const referenceIn = (request: string) => decodeURIComponent(/GET \S*\/(\S+) HTTP/.exec(request)?.[1] ?? '');
/** A service that answers the present `status()` for every refund. */
const answering =
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

test('a disk that fills during checks fails the sweep and nothing else; the leased checks are released', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  const slowly = answering(() => 'success');
  const service = await hostileServer((...others) => setTimeout(() => slowly(...others), 20));
  world.db.keepAndApply(...references(40).map((reference) => refund(reference, 'processing')));
  world.connect(service.url);
  let leases = 0;
  const lease: Checks['lease'] = async (order) => {
    if (++leases > 1) throw new StoreError('disk_full', 'The disk is full.');
    return world.operations.checks.lease(order);
  };
  const operations = { ...world.operations, checks: { ...world.operations.checks, lease } };
  await expect(sweep(world.order(), { ...world.parts, operations })).rejects.toThrow('The disk is full.');
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
  expect(leases).toBe(2);
  expect(leased()).toEqual([]);
  const kept = world.rows("SELECT * FROM observations WHERE witness = 'api'");
  expect(kept).toHaveLength(service.requests.length);
});

test('a refused key uses up no attempts: with the right key the checks start from the first', async () => {
  let refused = true;
  const service = await hostileServer((socket, ...others) => {
    if (refused) socket.write(answer(401, '{"success":false,"message":"Invalid API key"}'));
    else answering(() => 'processing')(socket, ...others);
  });
  world.db.keepAndApply(refund('R0', 'processing'));
  world.connect(service.url);
  for (let n = 0; n < 45; n++) {
    expect(await world.sweep()).toMatchObject({ checked: 1, failed: { key_refused: 1 } });
    world.clock.ms += 2 * MINUTE_MS;
  }
  refused = false;
  expect(await world.sweep()).toMatchObject({ confirmed: 1, stuck: 0 });
  expect(dueAt('refund', 'R0')).toBe(world.clock.ms + MINUTE_MS);
});

test('an endpoint that was unproven for long uses up no attempts', async () => {
  let found = false;
  const service = await hostileServer((socket) =>
    socket.write(
      found ? answer(200, '{"success":true,"data":{"reference":"P0","status":"pending"}}') : answer(404, '{}'),
    ),
  );
  world.db.keepAndApply(payout('P0', 'pending'));
  world.connect(service.url, { proven: [] });
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
    const service = await hostileServer(answering(() => 'processing'));
    world.connect(service.url);
  });

  test('a record checked meanwhile is checked again now, not in 400 days', async () => {
    world.db.keepAndApply(refund('R0', 'processing'));
    await atWrongTime(() => world.sweep());
    expect(await world.sweep()).toMatchObject({ checked: 1, confirmed: 1 });
    expect(dueAt('refund', 'R0')).toBeLessThan(world.clock.ms + DAY_MS);
  });

  test('so is a record that a killed process had leased', async () => {
    world.db.keepAndApply(refund('R0', 'processing'));
    const { filter, leaseMs } = world.order();
    await atWrongTime(() => world.operations.checks.lease({ filter, limit: 1, leaseMs }));
    expect(await world.sweep()).toMatchObject({ checked: 1, confirmed: 1 });
  });

  test('and a record that webhooks reported', async () => {
    await atWrongTime(async () =>
      world.db.keepAndApply(refund('R0', 'processing', {}, { receivedAtMs: world.clock.ms })),
    );
    expect(await world.sweep()).toMatchObject({ checked: 1, confirmed: 1 });
  });

  test('a record that settled meanwhile is watched from now on, as often as any other', async () => {
    const service = await hostileServer((socket) =>
      socket.write(answer(200, '{"success":true,"data":{"reference":"P0","status":"success"}}')),
    );
    world.connect(service.url);
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

test('an answer that contradicts a final status leads to another check; a second one that agrees moves it', async () => {
  let status = 'success';
  const service = await hostileServer(answering(() => status));
  world.db.keepAndApply(refund('R0', 'processing'));
  world.connect(service.url);
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

test('one answer that contradicts a final status is dropped when the next one agrees with the status', async () => {
  let status = 'success';
  const service = await hostileServer(answering(() => status));
  world.db.keepAndApply(refund('R0', 'success'));
  world.connect(service.url);
  await world.sweep();
  status = 'processing';
  await world.sweep({ filter: { ...world.order().filter, reference: 'R0' } });
  status = 'success';
  world.clock.ms = dueAt('refund', 'R0') ?? 0;
  expect(await world.sweep()).toMatchObject({ confirmed: 1, changed: 0 });
  expect(world.row('SELECT confirmed, due_at FROM refunds')).toEqual({ confirmed: 'success', due_at: null });
});

test('a check without an answer does not count as a disagreement', async () => {
  let isUp = true;
  const service = await hostileServer((socket, ...others) => {
    if (isUp) answering(() => 'processing')(socket, ...others);
    else socket.write(answer(503, '{}'));
  });
  world.db.keepAndApply(refund('R0', 'success'));
  world.connect(service.url);
  expect(await world.sweep()).toMatchObject({ confirmed: 1, disagreed: 1 });
  isUp = false;
  world.clock.ms += 2 * MINUTE_MS;
  expect(await world.sweep()).toMatchObject({ confirmed: 0, disagreed: 0, failed: { unavailable: 1 } });
});

describe('the service is down', () => {
  test('with nothing left to check the sweep ends at once, so that the next one checks new records', async () => {
    const waiting: (() => void)[] = [];
    const service = await hostileServer((socket) => {
      waiting.push(() => socket.write(answer(503, '{}')));
      if (waiting.length === 8) for (const send of waiting) send();
    });
    world.db.keepAndApply(...references(8).map((reference) => refund(reference, 'processing')));
    world.connect(service.url);
    const result = await world.sweep({ concurrency: 8, giveUpMs: 60_000 });
    expect(result).toMatchObject({ checked: 8, failed: { unavailable: 8 }, stopped: null });
    expect(result.tookMs).toBeLessThan(20_000);
  });

  test('a leased check that was not sent before its lease was over has cost no attempt', async () => {
    const service = await hostileServer(answering(() => 'processing'));
    world.db.keepAndApply(refund('R0', 'processing'), refund('R1', 'processing'));
    world.connect(service.url);
    await world.sweep();
    world.clock.ms += 2 * MINUTE_MS;
    const { filter, leaseMs } = world.order();
    const { checks } = world.operations;
    const leasedChecks = new LeasedChecks(checks, { filter, leaseMs, limit: null, batch: 4, ahead: 2 }, world.clock);
    await leasedChecks.next();
    world.clock.ms += leaseMs;
    expect(await leasedChecks.next()).toBeNull();
    expect(await checks.countDue({ filter })).toBe(2);
    const attempts = world.rows('SELECT attempts FROM checks ORDER BY record_id');
    expect(attempts).toEqual([{ attempts: 2 }, { attempts: 1 }]);
  });
});

test('cut off before the service answered: the checks are released, and cost no attempt', async () => {
  const service = await hostileServer(() => {});
  world.db.keepAndApply(...references(20).map((reference) => refund(reference, 'processing')));
  const before = references(20).map((reference) => dueAt('refund', reference));
  world.connect(service.url);
  const ending = world.sweep();
  await until(() => service.requests.length === 4, 'checks are under way');
  world.abort.abort();
  world.cutOff.abort();
  expect(await ending).toMatchObject({ checked: 0, failed: {}, stopped: 'interrupted', stillDue: 20 });
  expect(world.rows('SELECT DISTINCT leased_until, attempts, failures, outcome FROM checks')).toEqual([
    { leased_until: null, attempts: 0, failures: 0, outcome: null },
  ]);
  expect(references(20).map((reference) => dueAt('refund', reference))).toEqual(before);
});

test('a sweep that rests says for how long, and that it goes on again', async () => {
  let down = 6;
  const sound = answering(() => 'success');
  const service = await hostileServer((socket, request, server) => {
    if (down-- > 0) socket.write(answer(503, '{"success":false}'));
    else sound(socket, request, server);
  });
  world.connect(service.url);
  world.db.keepAndApply(...references(9).map((reference) => refund(reference, 'pending')));
  const rests: (number | null)[] = [];
  await sweep(world.order({ concurrency: 1 }), world.parts, (_checked, restMs) => rests.push(restMs));
  // Five failures rest 2 s, the probe fails and rests 4 s; then it goes on.
  expect(rests.filter((restMs) => restMs !== null)).toEqual([2_000, 4_000]);
  expect(rests.at(-1)).toBeNull();
});
