import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ACK_BOUNDS_MS,
  ackCount,
  ackWithin,
  addedAcks,
  boundOf,
  NO_ACKS,
} from '../../../../src/domain/health/ack-times.ts';
import { AckMemory } from '../../../../src/receive/ack-memory.ts';

test('a bound holds the value at the nearest rank, and the bound before it does not', () => {
  const times = fc.array(fc.double({ min: 0, max: 9_000, noNaN: true }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95, 0.99, 1), (all, share) => {
      const memory = new AckMemory();
      for (const ms of all) memory.add(ms);
      const counts = memory.take();
      const sorted = all.toSorted((one, other) => one - other);
      const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? 0;
      const bound = ackWithin(counts, share) ?? -1;
      expect(ackCount(counts)).toBe(all.length);
      expect(exact).toBeLessThanOrEqual(bound);
      expect(ACK_BOUNDS_MS.filter((one) => one < bound).every((one) => one < exact)).toBe(true);
    }),
  );
});

test('what was taken is taken once, by any thread, and can be put back', () => {
  const memory = new AckMemory();
  for (const ms of [0.5, 7, 6_000]) memory.add(ms);
  const elsewhere = new AckMemory(memory.shared);
  const taken = elsewhere.take();
  expect([ackCount(taken), memory.take()]).toEqual([3, NO_ACKS]);
  elsewhere.putBack(taken);
  memory.add(7);
  const all = addedAcks(taken, NO_ACKS).with(boundOf(7), 2);
  expect(memory.take()).toEqual(all);
  expect([ackWithin(taken, 1), ackWithin(NO_ACKS, 0.5)]).toEqual([Number.POSITIVE_INFINITY, null]);
});

test('counts of fewer bounds are added as far as they go', () => {
  expect(addedAcks([1, 2, 3], [4, 5])).toEqual([5, 7, 3]);
});

test('bounds are round numbers, each at most one and a half times the one before from 2 ms to 3 s', () => {
  for (const [at, bound] of ACK_BOUNDS_MS.entries()) {
    expect(Number(bound.toPrecision(2))).toBe(bound);
    if (bound > 2 && bound <= 3_000) expect(bound).toBeLessThanOrEqual(1.5 * (ACK_BOUNDS_MS[at - 1] ?? 0));
  }
});
