import { expect, test } from 'vitest';
import { continuedSpan, type RefusedSpan, spanPath } from '../../../../src/domain/refusals/refused-span.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.parse('2026-11-20T10:00:00Z');

/** Refusals from one minute to another. */
const span = (from: number, to: number, over: Partial<RefusedSpan> = {}): RefusedSpan => ({
  ...{ likeness: 'ours', reason: 'mismatch', path: '/webhooks/live', environments: ['live'], count: 1 },
  ...{ firstAtMs: START_MS + from * MINUTE_MS, lastAtMs: START_MS + to * MINUTE_MS, lastPath: '/webhooks/live' },
  ...over,
});

test('a span that goes on covers both, counts both and has the path of the latest', () => {
  const known = span(0, 8, { count: 3, environments: ['test'] });
  const news = span(10, 12, { count: 2, environments: ['test', 'live'], lastPath: '/webhooks/live?x' });
  expect(continuedSpan(known, news)).toEqual(
    span(0, 12, { count: 5, environments: ['live', 'test'], lastPath: '/webhooks/live?x' }),
  );
});

test('refusals that are written late belong to the span that they lie in', () => {
  expect(continuedSpan(span(5, 8), span(3, 6))).toEqual(span(3, 8, { count: 2 }));
});

test.each([
  ['a pause of ten minutes does not end a span', span(0, 1), span(11, 11), true],
  ['a longer pause ends it', span(0, 1), span(11.001, 11.001), false],
  ['a span of an hour goes on', span(0, 55), span(60, 60), true],
  ['a longer one ends', span(0, 55), span(60.001, 60.001), false],
  [
    'deliveries that were not kept are one span, however long',
    span(0, 55, { likeness: 'not_kept' }),
    span(61, 61, { likeness: 'not_kept' }),
    true,
  ],
])('%s', (_what, known, news, goesOn) => {
  expect(continuedSpan(known, news) !== null).toBe(goesOn);
});

test('deliveries that were not kept are gathered over all paths, refusals by their path', () => {
  expect(spanPath({ likeness: 'not_kept', path: '/webhooks/live' })).toBeNull();
  expect(spanPath({ likeness: 'ours', path: '/webhooks/live' })).toBe('/webhooks/live');
});
