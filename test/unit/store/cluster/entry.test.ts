import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packWrite, type SharedWrite, unpackWrite } from '../../../../src/store/cluster/entry.ts';
import { plainValueOf, textOf } from '../../../../src/store/cluster/plain-value.ts';
import { refund } from '../../../support/deliveries.ts';

const plainValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.double().map((number) => number + 0), // -0 is 0 in its text, as in JSON
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('$')), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => new Set(values)),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  ),
})).value;

test('every plain value comes back from its text as it was', () =>
  fc.assert(
    fc.property(plainValue, (value) => {
      expect(plainValueOf(textOf(value))).toStrictEqual(value);
    }),
  ));

test('what is no plain value is refused', () => {
  expect(() => textOf({ act: () => {} })).toThrow('A function cannot be kept in an entry.');
});

const WRITES: readonly SharedWrite[] = [
  { kind: 'deliveries', deliveries: [refund('R1', 'pending'), refund('R2', 'success')] },
  { kind: 'refusals', counts: [], samples: [] },
  {
    ...{ kind: 'call', group: 'tracking', method: 'track', input: { expected: [{ amount: { units: 5n, scale: 2 } }] } },
    ...{ credential: null, caller: { machine: 'one', pid: 7 }, gone: [{ machine: 'one', pid: 6 }], under: 'a' },
  },
  { kind: 'request', method: 'begin', under: 'a', input: [{ text: 'long '.repeat(10_000) }] },
];

test.each(WRITES.map((write) => [write.kind, write] as const))('an entry of kind %s', (_kind, write) => {
  const bytes = packWrite(write);
  const read = unpackWrite(bytes);
  const plain = (one: SharedWrite) => JSON.parse(textOf(one));
  expect(plain(read)).toEqual(plain(write));
});

test('long text takes little room', () => {
  expect(packWrite(WRITES[3] as SharedWrite).byteLength).toBeLessThan(2_000);
});

test('bytes of a format or a kind that this program does not read are refused with their number', () => {
  const bytes = packWrite(WRITES[1] as SharedWrite);
  expect(() => unpackWrite(new Uint8Array([99, ...bytes.slice(1)]))).toThrow('its format is 99');
  expect(() => unpackWrite(new Uint8Array([1, 77, ...bytes.slice(2)]))).toThrow('its kind 77 is not known');
});
