import { expect, test } from 'vitest';
import { Uncounted } from '../../../../../src/store/sqlite/carry-out/uncounted.ts';

const refused = (atMs: number, count: number) => ({
  ...{ path: '/webhooks/test', lastPath: '/webhooks/test', reason: 'disk_full' },
  ...({ likeness: 'not_kept', environments: ['test'] } as const),
  ...{ count, firstAtMs: atMs, lastAtMs: atMs },
});
const sample = (atMs: number) => ({
  ...{ atMs, path: '/webhooks/test', reason: 'disk_full' },
  ...{ remoteAddress: null, contentLength: null, userAgent: null },
});

test('what cannot be written waits, summed up, until it can, and is written once', () => {
  const uncounted = new Uncounted();
  uncounted.add([refused(1, 2)], [sample(1)]);
  expect(() =>
    uncounted.write(() => {
      throw new Error('the disk is full');
    }),
  ).toThrow('the disk is full');
  uncounted.add([refused(5, 3)], [sample(5)]);
  expect(uncounted.isEmpty).toBe(false);
  const written: unknown[] = [];
  uncounted.write((counts, samples) => written.push(counts, samples));
  expect(written).toEqual([[{ ...refused(5, 5), firstAtMs: 1 }], [sample(1), sample(5)]]);
  expect(uncounted.isEmpty).toBe(true);
});

test('the samples that wait are bounded, and the latest stay', () => {
  const uncounted = new Uncounted();
  for (let n = 0; n < 250; n++) uncounted.add([refused(n, 1)], [sample(n)]);
  uncounted.write(([counted], samples) => {
    expect(counted).toMatchObject({ count: 250, firstAtMs: 0, lastAtMs: 249 });
    expect([samples.length, samples[0]?.atMs, samples.at(-1)?.atMs]).toEqual([100, 150, 249]);
  });
});
