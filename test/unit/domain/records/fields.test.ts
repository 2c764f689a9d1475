import { describe, expect, test } from 'vitest';
import { isObject, parseBody } from '../../../../src/domain/events/json.ts';
import { RECORD_FIELDS } from '../../../../src/domain/events/stated.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import {
  amount,
  currency,
  exact,
  type FieldSpec,
  type FieldValue,
  keptText,
  readFields,
  readText,
  showValue,
  text,
} from '../../../../src/domain/records/fields.ts';
import { RECORD_KINDS } from '../../../../src/domain/records/lifecycle.ts';

function readOne(spec: FieldSpec, json: string): { value: FieldValue | undefined; unreadable: boolean } {
  const parsed = parseBody(Buffer.from(json));
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('not an object');
  const { fields, unreadable } = readFields(parsed.value, { it: spec });
  return { value: fields.it, unreadable: unreadable.includes('it') };
}

describe('a field is read in its own form', () => {
  test.each<[FieldSpec, string, FieldValue]>([
    [amount('a'), '{"a":"1.10"}', parseAmount('1.10')],
    [amount('a'), '{"a":1.10}', parseAmount('1.10')],
    [amount('a'), '{"a":"-0.00"}', parseAmount('0')],
    [amount('a'), '{"a":"90000000000000000"}', parseAmount('90000000000000000')],
    [amount('a'), '{"a":null}', null],
    [amount('a'), '{}', null],
    [exact('a'), '{"a":"0.19836"}', parseAmount('0.19836')],
    [exact('a'), '{"a":-10.12}', parseAmount('-10.12')],
    [text('a'), '{"a":"x"}', 'x'],
    [text('a'), '{"a":""}', ''],
    [text('a'), '{"a":90071992547409930}', '90071992547409930'],
    [text('a'), '{"a":true}', 'true'],
    [text('a'), '{"a":["x"]}', null],
    [text('a'), '{"a":{"b":"x"}}', null],
    [text('a', 'b'), '{"a":{"b":"x"}}', 'x'],
    [text('a', 'b'), '{"a":["b"]}', null],
    [text('a', 'b'), '{"a":7}', null],
    [text('a', 'length'), '{"a":"text"}', null],
    [text('constructor', 'name'), '{}', null],
    [text('__proto__'), '{}', null],
    [currency('a'), '{"a":"usd"}', 'USD'],
    [currency('a'), '{"a":"u\u017fd"}', 'U\u017fD'],
  ])('%j of %s', (spec, json, value) => {
    expect(readOne(spec, json)).toEqual({ value, unreadable: false });
  });

  test.each<[FieldSpec, string]>([
    [currency('a'), '{"a":840}'],
    [currency('a'), '{"a":["USD"]}'],
    [currency('a'), '{"a":{"code":"USD"}}'],
    [currency('a'), '{"a":true}'],
    [amount('a'), '{"a":"-5.00"}'],
    [amount('a'), '{"a":"0.005"}'],
    [amount('a'), '{"a":0.019836}'],
    [amount('a'), '{"a":"90000000000000000.01"}'],
    [amount('a'), '{"a":""}'],
    [amount('a'), '{"a":"1e3"}'],
    [amount('a'), '{"a":true}'],
    [amount('a'), '{"a":{}}'],
    [amount('a'), '{"a":["1.00"]}'],
    [amount('a'), '{"a":1e400}'],
    [exact('a'), '{"a":"1,000.50"}'],
    [exact('a'), '{"a":1e-9}'],
  ])('%j cannot read %s: null and named, never zero', (spec, json) => {
    expect(readOne(spec, json)).toEqual({ value: null, unreadable: true });
  });
});

test('kept text is bounded, well-formed and without NUL', () => {
  expect(keptText('ab😀', 3)).toBe('ab\ufffd');
  expect(keptText('\ud800a\0', 10)).toBe('\ufffda\ufffd');
  expect(readOne(text('a'), JSON.stringify({ a: 'x'.repeat(5_000) })).value).toBe('x'.repeat(1_000));
});

test('a value is shown with all its digits, and null is not zero', () => {
  expect([null, 'x', parseAmount('1.5')].map(showValue)).toEqual([null, 'x', '1.50']);
});

test.each(RECORD_KINDS)('no %s field is both a fact and a detail', (kind) => {
  const { facts, details } = RECORD_FIELDS[kind];
  expect(Object.keys(facts).filter((name) => name in details)).toEqual([]);
});

test('one text of a payload is read as a field is; null without one', () => {
  const parsed = parseBody(Buffer.from('{"a":{"b":"x","n":7},"list":["x"]}'));
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('not an object');
  const body = parsed.value;
  expect(
    [['a', 'b'], ['a', 'n'], ['a', 'c'], ['c'], ['list'], ['list', '0'], ['a']].map((path) => readText(body, path)),
  ).toEqual(['x', '7', null, null, null, null, null]);
});

test('a path through null or a number leads nowhere', () => {
  expect(readOne(text('a', 'b'), '{"a":null}')).toEqual({ value: null, unreadable: false });
  expect(readOne(text('a', 'source'), '{"a":7}')).toEqual({ value: null, unreadable: false });
});
