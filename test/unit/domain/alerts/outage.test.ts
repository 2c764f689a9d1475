import { expect, test } from 'vitest';
import { afterRefusal, afterWrite, isOver, type Outage, QUIET_MS } from '../../../../src/domain/alerts/outage.ts';

const refused = (...times: readonly number[]) =>
  times.reduce<Outage | null>((known, atMs) => afterRefusal(known, 'disk_full', atMs), null) as Outage;

test('an outage counts every refused delivery, from the first to the latest', () => {
  expect(refused(5, 7, 9_000)).toEqual({
    ...{ fault: 'disk_full', fromMs: 5, lastAtMs: 9_000, deliveries: 3 },
    keptAgainAtMs: null,
  });
});

test('without a write it is not over, however long nothing came', () => {
  expect(isOver(refused(5), 5 + 100 * QUIET_MS)).toBe(false);
});

test('it is over when the store took a write and refused nothing for ten seconds', () => {
  const outage = afterWrite(refused(5), 6);
  expect([isOver(outage, 4 + QUIET_MS), isOver(outage, 5 + QUIET_MS)]).toEqual([false, true]);
});

test('a delivery that fits on a full disk between two that do not begins no second outage', () => {
  const outage = afterRefusal(afterWrite(refused(5), 6), 'busy', 4 + QUIET_MS);
  expect(outage).toEqual({
    ...{ fault: 'busy', fromMs: 5, lastAtMs: 4 + QUIET_MS, deliveries: 2 },
    keptAgainAtMs: null,
  });
});

test('a refusal after it was over begins another', () => {
  const outage = afterRefusal(afterWrite(refused(5), 6), 'disk_full', 5 + QUIET_MS);
  expect(outage).toMatchObject({ fromMs: 5 + QUIET_MS, deliveries: 1 });
});

test('the first write after the latest refusal is when deliveries are kept again', () => {
  expect(afterWrite(afterWrite(refused(5), 6), 7).keptAgainAtMs).toBe(6);
});
