import { expect, test } from 'vitest';
import { type AskedRecord, answerFault, otherRecordFault } from '../../../../src/domain/checks/answer-fault.ts';
import type { JsonObject } from '../../../../src/domain/events/json.ts';

const asked: AskedRecord = { kind: 'payout', environment: 'test', reference: 'P1', currency: 'NGN' };
const record = { reference: 'P1', currency: 'NGN', status: 'success' };
const ENVIRONMENT = {
  code: 'other_environment',
  detail: 'a key of test asked, and it is about the other environment',
};
const NONE = { code: 'no_reference', detail: 'it names no payout' };
const OTHER = { code: 'other_reference', detail: 'it is about another payout' };
const ENVELOPE = { code: 'other_reference', detail: 'the envelope names another reference: "P2"' };
const CURRENCY = { code: 'other_currency', detail: 'it states USD, and the payout is in NGN' };

const TWO = { code: 'other_currency', detail: 'it states EUR and NGN' };
const STATUSES = { code: 'contradiction', detail: 'it states two statuses of the payout' };
const NO_TEXT = { code: 'other_currency', detail: 'its currency is not a text' };

test.each<[string, Partial<AskedRecord>, JsonObject, JsonObject | null, object | null]>([
  ['names the record', {}, { data: record }, record, null],
  ['names it in a wrapper', {}, { data: { payout: record } }, record, null],
  ['states no currency', {}, { data: record }, { reference: 'P1' }, null],
  ['states the currency in small letters', {}, { data: record }, { ...record, currency: 'ngn' }, null],
  ['states another currency', {}, { data: record }, { ...record, currency: 'usd' }, CURRENCY],
  ['states a currency in a list', {}, { data: record }, { ...record, currency: ['NGN'] }, NO_TEXT],
  ['states one that is `true`, and none is known', { currency: null }, {}, { ...record, currency: true }, NO_TEXT],
  ['states a currency that none is known for', { currency: null }, {}, { ...record, currency: 'USD' }, null],
  ['states two currencies, and none is known', { currency: null }, { currency: 'EUR', data: record }, record, TWO],
  ['states another currency beside the record', {}, { currency: 'usd', data: record }, record, CURRENCY],
  ['states another `Currency`', {}, {}, { ...record, Currency: 'USD' }, CURRENCY],
  ['lists currencies beside the record', {}, { currency: ['USD'], data: record }, record, null],
  ['has a wallet in another currency', {}, { wallet: { currency: 'USD' }, data: record }, record, null],
  ['states two statuses', {}, { data: { ...record, payout: { ...record, status: 'failed' } } }, record, STATUSES],
  [
    'states one status in two letter cases',
    {},
    { data: { ...record, payout: { ...record, status: 'SUCCESS' } } },
    record,
    null,
  ],
  ['has a status of the envelope', {}, { ...record, status: 'failed', data: record }, record, null],
  ['has no record', {}, { data: null }, null, NONE],
  ['names none', {}, { data: {} }, {}, NONE],
  ['names none in the record, but around it', {}, { reference: 'P1', data: {} }, {}, NONE],
  ['names another', {}, {}, { ...record, reference: 'P2' }, OTHER],
  ['names another around the record', {}, { data: { reference: 'P2', payout: record } }, record, ENVELOPE],
  ['names another at the root', {}, { reference: 'P2', data: record }, record, ENVELOPE],
  ['names another at the root, and none in the record', {}, { reference: 'P2', data: {} }, {}, ENVELOPE],
  ['names another of another letter case', {}, {}, { ...record, reference: 'p1' }, OTHER],
  ['is of the other environment', {}, {}, { ...record, domain: 'live' }, ENVIRONMENT],
  ['is of the other environment around the record', {}, { data: { domain: 'live' } }, record, ENVIRONMENT],
  ['is of the other environment, without a record', {}, { domain: 'live' }, null, ENVIRONMENT],
  ['is of the other environment before all else', {}, { domain: 'live' }, { reference: 'P2' }, ENVIRONMENT],
  ['is of this environment', {}, { domain: 'test' }, { ...record, domain: 'sandbox' }, null],
])('an answer that %s', (_, over, root, data, fault) => {
  expect(answerFault({ ...asked, ...over }, root, data)).toEqual(fault);
});

test('the reference of an envelope is quoted up to 80 characters, as well-formed text', () => {
  const quoted = (reference: string) => answerFault(asked, { reference, data: record }, record)?.detail;
  expect(quoted('x'.repeat(80))).toBe(`the envelope names another reference: "${'x'.repeat(80)}"`);
  expect(quoted('x'.repeat(81))).toBe(`the envelope names another reference: "${'x'.repeat(80)}"`);
  expect(quoted(`${'x'.repeat(79)}😀`)).toBe(`the envelope names another reference: "${'x'.repeat(79)}\ufffd"`);
});

test.each<[string, JsonObject, JsonObject | null, object | null]>([
  ['one reference everywhere', { reference: 'R', data: { reference: 'R' } }, { reference: 'R' }, null],
  [
    'another reference around the record',
    { reference: 'R', data: {} },
    { reference: 'Q' },
    { code: 'other_reference', detail: 'the envelope names another reference: "R"' },
  ],
  [
    'two references, and no record',
    { reference: 'R', data: { reference: 'Q' } },
    null,
    { code: 'other_reference', detail: 'the envelope names another reference: "Q"' },
  ],
  ['one reference, and no record', { reference: 'R', data: {} }, null, null],
  ['no reference', { data: {} }, {}, null],
])('where no reference was asked for, an answer with %s', (_case, root, data, fault) => {
  expect(otherRecordFault({ ...asked, reference: null }, root, data)).toEqual(fault);
});

test('an empty currency is another one in the record, and none in its envelope', () => {
  const empty = { ...record, currency: '' };
  expect(answerFault(asked, {}, empty)).toEqual({
    code: 'other_currency',
    detail: 'its currency is empty, and the payout is in NGN',
  });
  expect(answerFault(asked, { currency: '', data: record }, record)).toBeNull();
});
