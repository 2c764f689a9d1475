import { describe, expect, test } from 'vitest';
import { type JsonObject, NumberToken } from '../../../../src/domain/events/json.ts';
import {
  environmentFault,
  isKeyText,
  isReference,
  objectsToRecord,
  recordIn,
  referenceOf,
} from '../../../../src/domain/events/naming.ts';

describe('the reference of an object', () => {
  const both = { reference: 'P1', refund_reference: 'R1' };

  test.each<[string, JsonObject, Parameters<typeof referenceOf>[1], string | null]>([
    ['of a payout', both, 'payout', 'P1'],
    ['of a collection', both, 'collection', 'P1'],
    ['of a refund, never that of its payment', both, 'refund', 'R1'],
    ['of an unknown kind, its own name first', both, 'unknown', 'P1'],
    ['of an unknown kind, by the other name', { refund_reference: 'R1' }, 'unknown', 'R1'],
    ['of a refund without one', { reference: 'P1' }, 'refund', null],
    ['of a payout without one', { refund_reference: 'R1' }, 'payout', null],
    ['as a number, in any spelling', { reference: new NumberToken('1.50e1') }, 'payout', '15'],
    ['that is empty', { reference: '' }, 'payout', null],
    ['that is empty, of an unknown kind', { reference: '', refund_reference: 'R1' }, 'unknown', 'R1'],
    ['that is no text', { reference: true }, 'payout', null],
    ['that is an object', { reference: { reference: 'P1' } }, 'payout', null],
    ['that is inherited', Object.create({ reference: 'P1' }), 'payout', null],
  ])('%s', (_, data, kind, reference) => {
    expect(referenceOf(data, kind)).toBe(reference);
  });

  test.each([
    ['x', true, true],
    ['', false, true],
    ['x'.repeat(255), true, true],
    ['x'.repeat(256), false, false],
    ['a\0', false, false],
    ['\udc00', false, false],
  ])('%j: a reference %s, a text of a key %s', (text, reference, key) => {
    expect([isReference(text), isKeyText(text)]).toEqual([reference, key]);
  });
});

describe('the objects from the root to the record', () => {
  const [refund, payout, transaction] = [{ of: 'refund' }, { of: 'payout' }, { of: 'collection' }];
  const data = { refund, payout, transaction };

  test.each([
    ['refund', refund],
    ['payout', payout],
    ['collection', transaction],
  ] as const)('of a %s', (kind, inner) => {
    expect(objectsToRecord({ data }, kind)).toEqual([{ data }, data, inner]);
    expect(objectsToRecord({ ...data }, kind)).toEqual([data, inner]);
  });

  test('of an unknown kind, and without an object inside', () => {
    expect(objectsToRecord({ data }, 'unknown')).toEqual([{ data }, data]);
    expect(objectsToRecord({ data: ['refund'] }, 'unknown')).toEqual([{ data: ['refund'] }]);
    expect(objectsToRecord({ data: { refund: 'R1' } }, 'refund')).toEqual([
      { data: { refund: 'R1' } },
      { refund: 'R1' },
    ]);
  });
});

describe('the environment of an object', () => {
  test.each<[JsonObject, boolean, boolean]>([
    [{ domain: 'test' }, false, true],
    [{ domain: 'sandbox' }, false, true],
    [{ domain: 'live' }, true, false],
    [{ domain: 'production' }, true, false],
    [{ domain: ' Live ' }, true, false],
    [{ DOMAIN: 'live' }, true, false],
    [{ domain: 'PROD' }, true, true],
    [{ domain: ' ' }, false, false],
    [{ domain: ['live'] }, true, true],
    [{ domain: { name: 'live' } }, true, true],
    [{ domain: new NumberToken('1') }, true, true],
    [{ domain: false }, true, true],
    [{ domain: null }, false, false],
    [{ domains: 'live' }, false, false],
    [{ host: 'live' }, false, false],
    [{}, false, false],
  ])('%j contradicts test: %s, live: %s', (object, test, live) => {
    const faults = [environmentFault([object], 'test'), environmentFault([object], 'live')];
    expect(faults.map((fault) => fault !== null)).toEqual([test, live]);
  });

  test('one object of several is enough', () => {
    const other = 'a key of test asked, and it is about the other environment';
    expect(environmentFault([{}, { domain: 'test' }, { domain: 'live' }], 'test')).toBe(other);
    expect(environmentFault([{ domain: 'test', Domain: 'live' }], 'test')).toBe(other);
    expect(environmentFault([{ domain: 'PROD' }, { domain: 'live' }], 'test')).toBe(other);
    expect(environmentFault([{ domain: 'PROD' }], 'test')).toBe('a key of test asked, and its `domain` is not "test"');
    expect(environmentFault([], 'test')).toBeNull();
  });
});

describe('the record of an answer', () => {
  const own = { reference: 'P1', status: 'success' };
  const other = { reference: 'P2' };

  test.each<[string, JsonObject, JsonObject | null]>([
    ['inside `data`', { data: { reference: 'P1', payout: own } }, own],
    ['`data`, around an empty object', { data: { ...own, payout: {} } }, { ...own, payout: {} }],
    [
      '`data`, around one without a reference',
      { data: { ...own, payout: { status: 'failed' } } },
      { ...own, payout: { status: 'failed' } },
    ],
    ['inside `data`, also when another is named there', { data: { ...own, payout: other } }, other],
    ['without a reference: the innermost', { data: { id: '7', payout: { status: 'failed' } } }, { status: 'failed' }],
    ['beside `data` without one', { data: { status: 'failed' }, payout: own }, own],
    ['the body', own, own],
    ['the body, never beside `data`', { ...own, data: { status: 'failed' } }, { status: 'failed' }],
    ['inside the body', { status: 'ok', payout: own }, own],
    ['none: the status is that of the envelope', { status: 'success', message: 'ok' }, null],
    ['none: `data` is empty', { ...own, data: {} }, null],
    ['none: a list', { data: [own] }, null],
  ])('%s', (_, root, record) => {
    expect(recordIn(root, 'payout')).toEqual(record);
  });
});
