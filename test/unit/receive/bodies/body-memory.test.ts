import { expect, test } from 'vitest';
import { BodyMemory } from '../../../../src/receive/bodies/body-memory.ts';

/** Memory for 100 bytes; notes which bodies gave up. */
function memoryOf100() {
  const memory = new BodyMemory(100);
  const gaveUp: string[] = [];
  const body = (name: string, address: string) => memory.open(address, () => gaveUp.push(name));
  return { memory, gaveUp, body };
}

test('beyond the limit the largest body of the address that holds most gives up, not the one that came last', () => {
  const { memory, gaveUp, body } = memoryOf100();
  body('attacker 1', '192.0.2.1').hold(40);
  body('attacker 2', '192.0.2.1').hold(45);
  body('honest', '192.0.2.2').hold(10);
  body('honest too', '192.0.2.2').hold(20);
  expect(gaveUp).toEqual(['attacker 2']);
  expect(memory.heldBytes).toBe(70);
});

test('a body that grows beyond everything gives up itself', () => {
  const { memory, gaveUp, body } = memoryOf100();
  body('small', '192.0.2.1').hold(10);
  const large = body('large', '192.0.2.1');
  large.hold(80);
  large.hold(95);
  large.hold(96); // what came too late changes nothing
  large.release();
  expect([gaveUp, memory.heldBytes]).toEqual([['large'], 10]);
});

test('of equal bodies the oldest gives up, and the addresses of one IPv6 network count as one', () => {
  const { gaveUp, body } = memoryOf100();
  body('first', '2001:db8::1').hold(30);
  body('second', '2001:db8::2').hold(30);
  body('other', '192.0.2.1').hold(31);
  body('third', '2001:db8::3').hold(30);
  expect(gaveUp).toEqual(['first']);
});

test('what was released is free again', () => {
  const { memory, gaveUp, body } = memoryOf100();
  const share = body('one', '192.0.2.1');
  share.hold(100);
  share.release();
  share.release();
  body('two', '192.0.2.1').hold(100);
  expect([gaveUp, memory.heldBytes]).toEqual([[], 100]);
});
