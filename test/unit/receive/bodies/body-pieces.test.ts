import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyPieces } from '../../../../src/receive/bodies/body-pieces.ts';

function received(chunks: readonly Buffer[], declaredBytes = Number.NaN): BodyPieces {
  const pieces = new BodyPieces(declaredBytes);
  for (const chunk of chunks) pieces.add(chunk);
  return pieces;
}

test('however a body is cut, the bytes are those that came', () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20_000 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(sizes, fc.boolean(), (lengths, isDeclared) => {
      const chunks = lengths.map((length, index) => Buffer.alloc(length, index + 1));
      const body = Buffer.concat(chunks);
      const pieces = received(chunks, isDeclared ? body.length : Number.NaN);
      expect(pieces.length).toBe(body.length);
      expect(pieces.whole().equals(body)).toBe(true);
    }),
  );
});

test('a body in one chunk is that chunk: nothing is copied', () => {
  const chunk = Buffer.from('the whole body');
  expect(received([chunk], chunk.length).whole()).toBe(chunk);
});

test('a million chunks of one byte take memory for a million bytes, and not for a million Buffers', () => {
  const pieces = received(Array<Buffer>(1_000_000).fill(Buffer.from('x')));
  expect(pieces.length).toBe(1_000_000);
  expect(pieces.heldBytes).toBeLessThan(1_100_000);
});

test('memory is taken as bytes arrive, not as Content-Length promises', () => {
  expect(received([], 1_000_000).heldBytes).toBe(0);
  expect(received([Buffer.from('x')], 1_000_000).heldBytes).toBe(256);
  expect(received([Buffer.from('x')], 10).heldBytes).toBe(10);
});

test('small chunks between large ones hold no more than twice their bytes', () => {
  const pair = [Buffer.alloc(8_192), Buffer.from('x')];
  const pieces = received(Array.from({ length: 100 }, () => pair).flat());
  expect(pieces.heldBytes).toBeLessThan(2 * pieces.length);
});

test('what is discarded is free at once, but memory that is shared is left to the others', () => {
  const own = Buffer.from(new ArrayBuffer(8_192));
  const shared = Buffer.from(new ArrayBuffer(16_384), 0, 8_192);
  received([own, shared, Buffer.from('x')]).discard();
  expect([own.buffer.byteLength, shared.buffer.byteLength]).toEqual([0, 16_384]);
});
