import { expect, test } from 'vitest';
import { TargetBreaker } from '../../../src/forward/breaker.ts';
import type { Delivered } from '../../../src/forward/deliver.ts';
import { type Forwarded, Forwarder } from '../../../src/forward/forwarder.ts';
import type { EndedAttempt, Exchanged, LeasedRow, OpenTarget, Outbox } from '../../../src/store/outbox.ts';
import { until } from '../../support/wait.ts';

test('a breaker rests after failures in a row, then lets one row probe', () => {
  const breaker = new TargetBreaker({ failures: 2, restMs: 100 });
  const failing = (atMs: number) => {
    breaker.began();
    breaker.failed(atMs);
  };
  failing(0);
  breaker.worked();
  failing(1);
  expect(breaker.allowed(4, 1)).toBe(4);
  failing(2);
  expect([breaker.allowed(4, 2), breaker.allowed(4, 101), breaker.restMs(2)]).toEqual([0, 0, 100]);
  expect(breaker.allowed(4, 102)).toBe(1);
  breaker.began();
  expect(breaker.allowed(4, 102)).toBe(0); // the probe is under way
  breaker.failed(110);
  expect([breaker.allowed(4, 209), breaker.allowed(4, 210)]).toEqual([0, 1]);
  breaker.began();
  breaker.ended(); // stopped: no result
  expect(breaker.allowed(4, 210)).toBe(1);
  breaker.began();
  breaker.worked();
  expect([breaker.allowed(4, 210), breaker.restMs(210)]).toEqual([4, null]);
  failing(300);
  failing(301);
  breaker.reset();
  expect(breaker.allowed(4, 301)).toBe(4);
});

const target = (name: string, concurrency = 2) => ({
  name,
  concurrency,
  timeoutMs: 1_000,
  includeBody: false,
  retry: { firstMs: 1, maxMs: 1, giveUpMs: 1 },
  breaker: { failures: 1, restMs: 3_600_000 },
});
const OK: Delivered = { outcome: 'delivered', status: 200, detail: null, retryAfterMs: null, holdsTarget: false };

/** An outbox in memory with this many rows per target. */
function outboxOf(rows: Record<string, number>) {
  const left = new Map(Object.entries(rows));
  const calls: { readonly ended: readonly EndedAttempt[]; readonly open: readonly OpenTarget[] }[] = [];
  const state = { nudges: 0, fails: 0 };
  const outbox: Pick<Outbox, 'exchange'> = {
    async exchange(order): Promise<Exchanged> {
      if (state.fails-- > 0) throw new Error('busy');
      calls.push(order);
      const leased = order.open.flatMap(({ name, free }) => {
        const count = Math.min(free, left.get(name) ?? 0);
        left.set(name, (left.get(name) ?? 0) - count);
        const about = {
          type: 't',
          environment: 'test',
          kind: 'refund',
          body: Buffer.from('{}'),
          leasedUntilMs: 0,
        } as const;
        return Array.from(
          { length: count },
          (_, n): LeasedRow => ({
            webhookId: `${name} ${left.get(name)} ${n}`,
            target: name,
            attempt: 1,
            reference: 'R',
            ...about,
          }),
        );
      });
      const targets = [...left.keys()].map((name) => ({
        name,
        disabledAtMs: null,
        heldAtMs: null,
        heldUntilMs: null,
        heldStatus: null,
        nudges: state.nudges,
      }));
      return { states: order.ended.map(() => 'delivered' as const), leased, more: false, targets };
    },
  };
  return { outbox, calls, state };
}

test('each free slot leases one row, and a target that never ends keeps its own slots alone', async () => {
  const { outbox, calls } = outboxOf({ slow: 5, fast: 50 });
  const forwarded: Forwarded[] = [];
  const close = async () => {};
  const stopped = Promise.withResolvers<Delivered>();
  const forwarder = new Forwarder({
    outbox,
    served: [
      {
        target: target('slow'),
        deliverer: {
          close,
          deliver: (_parcel, signal) => {
            signal.addEventListener('abort', () => stopped.resolve({ ...OK, outcome: 'stopped' }));
            return stopped.promise;
          },
        },
      },
      { target: target('fast'), deliverer: { close, deliver: async () => OK } },
    ],
    onForwarded: (one) => forwarded.push(one),
    onFault: (error) => expect.unreachable(String(error)),
  });
  forwarder.start();
  await until(() => forwarded.length === 50, 'the fast one has everything');
  expect(forwarded.every(({ row }) => row.target === 'fast')).toBe(true);
  expect(calls.every(({ open }) => open.every(({ free, concurrency }) => free <= concurrency))).toBe(true);
  await forwarder.stop(20);
  expect(forwarded.slice(50).map(({ row, outcome }) => [row.target, outcome])).toEqual([
    ['slow', 'stopped'],
    ['slow', 'stopped'],
  ]);
});

test('what ended is written again after a fault of the store', async () => {
  const { outbox, state } = outboxOf({ fast: 1 });
  const forwarded: Forwarded[] = [];
  const faults: unknown[] = [];
  const forwarder = new Forwarder({
    outbox,
    served: [
      {
        target: target('fast'),
        deliverer: {
          close: async () => {},
          deliver: async () => {
            state.fails = 1;
            return OK;
          },
        },
      },
    ],
    onForwarded: (one) => forwarded.push(one),
    onFault: (error) => faults.push(error),
  });
  forwarder.start();
  await until(() => faults.length === 1, 'the store fails');
  forwarder.wake();
  await until(() => forwarded.length === 1, 'it is written');
  await forwarder.stop(20);
});

test('a person who asks to try at once ends the rest of a breaker', async () => {
  const { outbox, state } = outboxOf({ shop: 2 });
  const forwarded: Forwarded[] = [];
  const forwarder = new Forwarder({
    outbox,
    served: [
      {
        target: target('shop', 1),
        deliverer: { close: async () => {}, deliver: async () => ({ ...OK, outcome: 'refused' }) },
      },
    ],
    onForwarded: (one) => forwarded.push(one),
    onFault: (error) => expect.unreachable(String(error)),
  });
  forwarder.start();
  await until(() => forwarded.length === 1, 'it failed');
  forwarder.wake();
  expect(forwarded).toHaveLength(1);
  state.nudges++;
  forwarder.wake();
  await until(() => forwarded.length === 2, 'it is tried again');
  await forwarder.stop(20);
});
