import { expect, test, vi } from 'vitest';
import { inProcessDeliverer } from '../../../src/forward/in-process.ts';

const parcel = (reference: string, n = 1) => {
  const about = { environment: 'test', kind: 'refund', reference };
  return { webhookId: `msg_${reference}_${n}`, ...about, body: Buffer.from(JSON.stringify({ ...about, n })) };
};
const never = new AbortController().signal;

test('it is delivered when the promise resolves, whatever its value, and not when it rejects or throws', async () => {
  const outcomes = ['value', 'reject', 'throw'].map(async (what) => {
    const deliverer = inProcessDeliverer(
      ({ reference }) => {
        if (what === 'throw') throw new TypeError(`no ${reference}\u001b`);
        return what === 'reject' ? Promise.reject(new Error('not now')) : { status: 500 };
      },
      { timeoutMs: 1_000 },
    );
    const { outcome, detail, error } = await deliverer.deliver(parcel('R1'), never);
    return [outcome, detail, String(error)];
  });
  expect(await Promise.all(outcomes)).toEqual([
    ['delivered', null, 'undefined'],
    ['rejected', 'Error: not now', 'Error: not now'],
    ['rejected', 'TypeError: no R1\ufffd', 'TypeError: no R1\u001b'],
  ]);
});

test('after its time the signal is aborted and the attempt has failed; the record is working until the promise has ended', async () => {
  const [isAborted, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deliverer = inProcessDeliverer(
    async ({ reference }, { signal }) => {
      if (reference !== 'R1') return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      isAborted.resolve();
      await gate.promise;
    },
    { timeoutMs: 30 },
  );
  expect(await deliverer.deliver(parcel('R1'), never)).toMatchObject({ outcome: 'timeout' });
  await isAborted.promise;
  expect(await deliverer.deliver(parcel('R2'), never)).toMatchObject({ outcome: 'delivered' }); // another record
  expect(deliverer.working?.()).toEqual([{ environment: 'test', kind: 'refund', reference: 'R1' }]);
  gate.resolve();
  await vi.waitFor(() => expect(deliverer.working?.()).toEqual([]));
});

test('a stop aborts the signal', async () => {
  const stop = new AbortController();
  const deliverer = inProcessDeliverer((_news, { signal }) => new Promise(() => expect(signal.aborted).toBe(false)), {
    timeoutMs: 60_000,
  });
  const delivered = deliverer.deliver(parcel('R1'), stop.signal);
  stop.abort();
  expect(await delivered).toMatchObject({ outcome: 'stopped' });
});
