import { expect, test } from 'vitest';
import { createCheckout, createClient, STANDARD_LIMITS } from '../../../src/service/index.ts';
import { callLimits } from '../../../src/service/options.ts';

test('limits that are left out are the standard ones', () => {
  expect(callLimits({ retries: 0 })).toEqual({ ...STANDARD_LIMITS, retries: 0 });
});

test.each([
  ['retries', 1.5],
  ['retries', -1],
  ['timeoutMs', 0],
  ['timeoutMs', Number.POSITIVE_INFINITY],
  ['timeoutMs', 2 ** 31],
  ['idleTimeoutMs', Number.NaN],
  ['responseLimitBytes', 0],
  ['maxRetryAfterMs', '30' as unknown as number],
])('%s of %s is refused before anything is sent', (name, value) => {
  const options = { baseUrl: 'http://127.0.0.1:1', [name]: value };
  const refusal = expect.objectContaining({
    name: 'TallyhookError',
    kind: 'configuration',
    message: expect.any(String),
  });
  expect(() => createClient({ ...options, secretKey: 'sk_test_0123456789abcdef' })).toThrow(refusal);
  expect(() => createCheckout({ ...options, publicKey: 'pk_test_0123456789abcdef' })).toThrow(refusal);
});
