import { describe, expect, test } from 'vitest';
import { publicKeyProblem, SHORTEST_SECRET_LENGTH, secretKeyProblem } from '../../../../src/domain/secrets/key-text.ts';

const ASCII_ONLY = 'must not contain spaces, line breaks or other than ASCII characters';
const PUBLIC_AS_SECRET = 'is a public key where the secret key belongs: are the two swapped?';
const SECRET_AS_PUBLIC = 'is a secret key where the public key belongs: are the two swapped?';

describe('a secret key', () => {
  test.each([
    ['of test', 'sk_test_12345678', 'test', null],
    ['of live', 'sk_live_12345678', 'live', null],
    ['one character too short', 'sk_test_1234567', 'test', 'must have at least 16 characters'],
    ['that is only a prefix', 'sk_live_', 'live', 'must have at least 16 characters'],
    ['that is empty', '', 'test', 'must start with sk_test_'],
    ['without an environment', 'sk_123456789012345', 'live', 'must start with sk_live_'],
    ['in capitals', 'SK_TEST_123456789', 'test', 'must start with sk_test_'],
    ['of the other environment', 'sk_live_12345678', 'test', 'is a live key under test'],
    ['of the other environment, the other way', 'sk_test_12345678', 'live', 'is a test key under live'],
    ['swapped with the public one', 'pk_test_12345678', 'test', PUBLIC_AS_SECRET],
    ['with a space', 'sk_test_1234 5678', 'test', ASCII_ONLY],
    ['with a line break behind it', 'sk_test_12345678\n', 'test', ASCII_ONLY],
    ['with a letter beyond ASCII', 'sk_test_1234567é', 'test', ASCII_ONLY],
    ['with the first and last printable characters', 'sk_test_!~123456', 'test', null],
    ['with a control character', 'sk_test_12345678\x7f', 'test', ASCII_ONLY],
  ] as const)('%s', (_, text, environment, problem) => {
    expect(secretKeyProblem(text, environment)).toBe(problem);
  });

  test('has at least 16 characters', () => {
    expect(SHORTEST_SECRET_LENGTH).toBe(16);
  });
});

describe('a public key', () => {
  test.each([
    ['of test', 'pk_test_1', 'test', null],
    ['of live', 'pk_live_1', 'live', null],
    ['without an environment, as the service also gives it', 'pk_1234567', 'test', null],
    ['that is only a prefix', 'pk_test_', 'test', 'is only a prefix: the rest of the key is missing'],
    ['that is empty', '', 'test', 'must start with pk_ (pk_test_…)'],
    ['of another form', 'key_live_1', 'live', 'must start with pk_ (pk_live_…)'],
    ['of the other environment', 'pk_live_12345678', 'test', 'is a live key under test'],
    ['of the other environment, the other way', 'pk_test_12345678', 'live', 'is a test key under live'],
    ['swapped with the secret one', 'sk_live_12345678', 'live', SECRET_AS_PUBLIC],
    ['with a tab', 'pk_test_1234\t5678', 'test', ASCII_ONLY],
  ] as const)('%s', (_, text, environment, problem) => {
    expect(publicKeyProblem(text, environment)).toBe(problem);
  });
});
