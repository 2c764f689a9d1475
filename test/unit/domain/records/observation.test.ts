import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RECORD_KINDS, type RecordKind } from '../../../../src/domain/records/lifecycle.ts';
import {
  answerObservation,
  compareConfirmed,
  compareStated,
  compareTexts,
  type StatedStatus,
} from '../../../../src/domain/records/observation.ts';
import { other, STATUSES } from '../observations.ts';

const times = ['2026-07-01T00:00:00Z', '2026-07-01T00:00:00.5Z', '2026-07-01T00:00:01Z', null];

function everyStated(kind: RecordKind): StatedStatus[] {
  return STATUSES[kind].flatMap((status) => times.map((time) => ({ status, time, details: null })));
}

describe.each(RECORD_KINDS)('the order of %s observations', (kind) => {
  const all = everyStated(kind);

  test('is total: level only with itself, and the reverse of its reverse', () => {
    for (const one of all) {
      for (const other of all) {
        const order = Math.sign(compareStated(kind, one, other));
        expect(order + Math.sign(compareStated(kind, other, one))).toBe(0);
        expect(order === 0).toBe(one === other);
      }
    }
  });

  test('has no circles', () => {
    for (const one of all) {
      const below = all.filter((other) => compareStated(kind, other, one) < 0);
      for (const middle of below) {
        for (const low of all) {
          if (compareStated(kind, low, middle) < 0) expect(compareStated(kind, low, one)).toBeLessThan(0);
        }
      }
    }
  });

  test('the service is never ahead of the webhooks and behind them at once', () => {
    for (const confirmed of all) {
      for (const reported of all) {
        const [place, back] = [
          compareConfirmed(kind, confirmed, reported),
          compareConfirmed(kind, reported, confirmed),
        ];
        if (confirmed.status === reported.status) expect([place, back]).toEqual([0, 0]);
        else if (place !== null && place !== 0) expect(back).toBe(-place);
        else expect(back).toBe(place);
      }
    }
  });
});

test('texts are ordered by their code units, as a sort has them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      expect([...texts].sort(compareTexts)).toEqual([...texts].sort());
    }),
  );
});

test('an answer is an observation named by the counter of its check, under no event key', () => {
  const { stated } = other('refund', 'api', '1', { status: 'success' });
  expect(answerObservation(7, 500, { stated, digest: 'd1' })).toEqual({
    ...{ witness: 'api', identity: 'api:7', eventKey: '', stated },
    answer: { counter: 7, atMs: 500, digest: 'd1' },
  });
});
