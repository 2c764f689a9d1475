import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../../../src/store/inbox.ts';
import { digestOf, packEntry, unpackEntry } from '../../../../../src/store/sqlite/log/entry.ts';

const anyDelivery: fc.Arbitrary<Delivery> = fc.record({
  environment: fc.constantFrom('test', 'live'),
  keyId: fc.string(),
  merchantSignature: fc.constantFrom('verified', 'absent'),
  body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  sentAt: fc.option(fc.string({ unit: 'binary' })),
  receivedAtMs: fc.nat(4e12),
});
const anyGroup = fc.array(anyDelivery, { minLength: 1, maxLength: 9 }) as fc.Arbitrary<[Delivery, ...Delivery[]]>;

test('a group of deliveries comes back from its bytes as it was', () => {
  fc.assert(
    fc.property(anyGroup, (group) => {
      const { bytes, deliveries, receivedAtMs } = packEntry(group);
      const back = unpackEntry(bytes, digestOf(bytes)).map((one) => ({ ...one, body: Buffer.from(one.body) }));
      expect(back).toEqual(group);
      expect([deliveries, receivedAtMs]).toEqual([group.length, group[0].receivedAtMs]);
    }),
  );
});

test('no bit of an entry flips unseen', () => {
  fc.assert(
    fc.property(anyGroup, fc.nat(), fc.nat(7), (group, place, bit) => {
      const { bytes } = packEntry(group);
      const digest = digestOf(bytes);
      const at = place % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      expect(() => unpackEntry(bytes, digest)).toThrow('its bytes do not match their digest');
    }),
  );
});

test.each<[string, number[], string]>([
  ['another format', [2, 0, 0, 0, 0], 'its format is 2; this program reads 1'],
  ['nothing', [], 'its format is undefined; this program reads 1'],
  ['bodies that are too short', [...head('[["test","k","absent",null,0,4]]'), 1, 2], 'not as long as its head says'],
  ['an unknown environment', head('[["none","k","absent",null,0,0]]'), 'no environment'],
])('an entry of %s is refused with the reason', (_what, numbers, reason) => {
  const bytes = Uint8Array.from(numbers);
  expect(() => unpackEntry(bytes, digestOf(bytes))).toThrow(reason);
});

/** The format, the length of the head, and the head. */
function head(text: string): number[] {
  return [1, text.length, 0, 0, 0, ...Buffer.from(text)];
}
