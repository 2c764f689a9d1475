import { describe, expect, test } from 'vitest';
import {
  type KnownRefund,
  type ListedRefund,
  listObservation,
  recorded,
  rowEffect,
} from '../../../../src/domain/checks/listed-refund.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import { other } from '../observations.ts';

const { stated } = other('refund', 'list', 'row', { status: 'success', amount: '10.00', currency: 'USD' });
const row: ListedRefund = { reference: 'R1', stated, digest: 'd1', latestMs: 1_000 };
const known: KnownRefund = { status: 'success', facts: stated.facts };

describe('a row of the list', () => {
  test.each([
    ['of an unknown refund makes a record', row, undefined, 1_000, 'created'],
    ['of an unknown refund that is too old makes none', row, undefined, 1_001, 'older'],
    ['without a time is never too old', { ...row, latestMs: null }, undefined, 1_001, 'created'],
    ['of a known refund counts at any age', row, known, 9_000, 'nothing'],
    ['with another status is news', row, { ...known, status: 'processing' }, 0, 'news'],
    ['with the first status is news', row, { ...known, status: null }, 0, 'news'],
    [
      'with another amount is news',
      row,
      { ...known, facts: { ...known.facts, amount: parseAmount('9.99') } },
      0,
      'news',
    ],
    ['with a fact that was not known is news', row, { ...known, facts: { ...known.facts, currency: null } }, 0, 'news'],
    [
      'without a known fact is none',
      row,
      { ...known, facts: { ...known.facts, transactionReference: 'T' } },
      0,
      'nothing',
    ],
    ['that names no fact at all is none', { ...row, stated: { ...stated, facts: {} } }, known, 0, 'nothing'],
    [
      'with an equal amount in other digits is none',
      row,
      { ...known, facts: { amount: parseAmount('10.000') } },
      0,
      'nothing',
    ],
  ] as const)('%s', (_, listed, before, createSinceMs, effect) => {
    expect(rowEffect(listed, before, createSinceMs)).toBe(effect);
  });

  test('is an observation named by its content, which confirms nothing', () => {
    const { reference, eventId, observation } = listObservation('test', row);
    expect([reference, eventId]).toEqual(['R1', null]);
    expect(observation).toMatchObject({ witness: 'list', identity: 'list:d1', eventKey: '', answer: null, stated });
  });
});

test('rows are summed up by their effects: news are known too', () => {
  const rows = ['A', 'B', 'C', 'D', 'E'].map((reference) => ({ ...row, reference }));
  expect(recorded(rows, ['created', 'news', 'nothing', 'older', 'created'])).toEqual({
    created: ['A', 'E'],
    known: 2,
    news: 1,
    older: 1,
  });
});
