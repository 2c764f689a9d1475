import { expect, test } from 'vitest';
import { masked, maskedBody, maskedValue, maskOf } from '../../../../src/domain/text/privacy.ts';
import { processorMsOf } from '../../../support/processor-time.ts';

test.each([
  ['account_number', true],
  ['accountNumber', true],
  ['account-no', true],
  ['customerEmail', true],
  ['e_mail', true],
  ['phone', true],
  ['phoneNumber', true],
  ['msisdn', true],
  ['IBAN', true],
  ['account_name', true],
  ['accountName', true],
  ['customerName', true],
  ['full_name', true],
  ['counterparty', true],
  ['counterparty_bank', false],
  ['bank_name', false],
  ['file_name', false],
  ['accountType', false],
  ['reference', false],
  ['amount', false],
  ['bank_code', false],
])('the values of %s are masked: %s', (name, sensitive) => {
  expect(maskOf(name) !== null).toBe(sensitive);
});

test('a value is masked by its name, or because it is an address', () => {
  expect(maskedValue('accountNumber', '0123456789')).toBe('••••••6789');
  expect(maskedValue('narration', 'for ada@example.com')).toBe('for a•••@example.com');
  expect(maskedValue('reference', '0123456789')).toBe('0123456789');
  expect(maskedValue('accountName', 'Adébáyọ̀ van Obi')).toBe('A••• v••• O•••');
});

test.each([
  ['a member', '{"account_number" : "0123456789","amount":1.50}', '{"account_number" : "••••••6789","amount":1.50}'],
  ['a number', '{"phone":2348031234567}', '{"phone":"•••••••••4567"}'],
  [
    'a name',
    '{"account_name":"Ada Obi","bank_name":"First Bank"}',
    '{"account_name":"A••• O•••","bank_name":"First Bank"}',
  ],
  ['null stays null', '{"phone":null,"email":true}', '{"phone":null,"email":true}'],
  [
    'what lies deeper',
    '{"account":{"id":"0123456789","x":["98765432"]},"y":"0123456789"}',
    '{"account":{"id":"••••••6789","x":["••••5432"]},"y":"0123456789"}',
  ],
  ['an escaped name', '{"\\u0070hone":"08031234567"}', '{"\\u0070hone":"•••••••4567"}'],
  ['an escaped value', '{"email":"ada\\u0040example.com"}', '{"email":"a•••@example.com"}'],
  ['an address anywhere', '["to ada@example.com", "x"]', '["to a•••@example.com", "x"]'],
  [
    'the member after it',
    '{"phone":"08031234567","note":"08031234567"}',
    '{"phone":"•••••••4567","note":"08031234567"}',
  ],
  ['a list of objects', '[{"phone":"08031234567"},{"n":1}]', '[{"phone":"•••••••4567"},{"n":1}]'],
  ['text that is no JSON', 'phone 08031234567, ada@example.com', 'phone •••••••4567, a•••@example.com'],
  ['JSON that is cut off', '{"phone":"08031234567', '{"phone":"•••••••4567'],
  ['nothing to mask', '{ "a" : [1, 2.50, "\\/"] }\n', '{ "a" : [1, 2.50, "\\/"] }\n'],
])('in a body: %s', (_what, body, expected) => {
  expect(maskedBody(body)).toBe(expected);
});

test.each([
  ['quotes that never close', `"${'\\"'.repeat(500_000)}`],
  ['a long word', 'a'.repeat(1_000_000)],
  ['a long string', JSON.stringify({ x: `${'a.'.repeat(500_000)}@` })],
])('a mebibyte of %s takes no quadratic time', (_what, body) => {
  expect(processorMsOf(() => maskedBody(body))).toBeLessThan(5_000);
});

test.each([
  ['0123456789', '••••••6789'],
  ['12345', '•••45'],
  ['1234', '••••'],
  ['', ''],
  ['jane.doe@example.com', 'j•••@example.com'],
  ['+2348012345678', '••••••••••5678'],
])('masked: %s → %s', (input, output) => {
  expect(masked(input)).toBe(output);
});
