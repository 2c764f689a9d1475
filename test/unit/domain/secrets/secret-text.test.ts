import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../../src/domain/secrets/secret-text.ts';
import { processorMsOf } from '../../../support/processor-time.ts';

test.each([
  ['a secret key', 'key sk_live_0123456789abcdef refused', 'key sk_live_… refused'],
  ['a public key', '"pk_test_0123456789"', '"pk_test_…"'],
  ['a signing secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_…'],
  ['a log-in in an address', 'GET https://ops:hunter2@chat.example/x', 'GET https://…@chat.example/x'],
  ['an e-mail address', 'to ada.obi@shop.example: refused', 'to a•••@shop.example: refused'],
  ['an id of a key pair', 'live-1, sk_live', 'live-1, sk_live'],
  ['words', 'task_test_case of the risk_live', 'task_test_case of the risk_live'],
  ['nothing', '{"level":"info","msg":"serving"}', '{"level":"info","msg":"serving"}'],
])('%s', (_, text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

test('a megabyte of letters and signs takes no quadratic time', () => {
  for (const text of ['a'.repeat(1_000_000), `${'a.'.repeat(500_000)}@`, 'sk_live_'.repeat(120_000)])
    expect(processorMsOf(() => withoutSecrets(text))).toBeLessThan(5_000);
});
