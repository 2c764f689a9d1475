import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { environmentText } from '../../../../../cli/commands/init/files.ts';
import { collectKeys, type InitKeys, KEY_PROMPTS } from '../../../../../cli/commands/init/keys.ts';
import { UsageError } from '../../../../../cli/options/options.ts';

const collected = (keys: InitKeys) => collectKeys(keys, { interactive: false });
const TEST = { testPublicKey: 'pk_test_12345678', testSecretKey: 'sk_test_12345678' };
const LIVE = { livePublicKey: 'pk_live_12345678', liveSecretKey: 'sk_live_12345678' };

beforeEach(() => {
  for (const { variable } of KEY_PROMPTS) vi.stubEnv(variable, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

test.each([[{}], [TEST], [LIVE], [{ ...TEST, ...LIVE }]])('complete pairs are taken: %j', async (keys) => {
  expect(await collected(keys)).toEqual(keys);
});

test('a key that is no option is taken from its variable, and an option counts before a variable', async () => {
  vi.stubEnv('TALLYHOOK_TEST_PUBLIC_KEY', 'pk_test_of_variable');
  vi.stubEnv('TALLYHOOK_TEST_SECRET_KEY', 'sk_test_of_variable');
  expect(await collected({ testPublicKey: TEST.testPublicKey })).toEqual({
    testPublicKey: TEST.testPublicKey,
    testSecretKey: 'sk_test_of_variable',
  });
});

test.each([
  ['testPublicKey', 'The test secret key is missing', 'TALLYHOOK_TEST_SECRET_KEY'],
  ['testSecretKey', 'The test public key is missing', 'TALLYHOOK_TEST_PUBLIC_KEY'],
  ['livePublicKey', 'The live secret key is missing', 'TALLYHOOK_LIVE_SECRET_KEY'],
  ['liveSecretKey', 'The live public key is missing', 'TALLYHOOK_LIVE_PUBLIC_KEY'],
] as const)('half of a pair is refused: %s alone', async (name, message, variable) => {
  const error = await collected({ [name]: { ...TEST, ...LIVE }[name] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({ message: expect.stringContaining(message), hint: `Give it as ${variable}.` });
});

test('every wrong key is named at once, and none is shown', async () => {
  const swapped = { testPublicKey: TEST.testSecretKey, testSecretKey: TEST.testPublicKey };
  const error = await collected({ ...swapped, liveSecretKey: 'sk_live_short' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  const { message } = error as UsageError;
  expect(message).toContain('the test public key');
  expect(message).toContain('is a secret key where the public key belongs: are the two swapped');
  expect(message).toContain('the test secret key');
  expect(message).toContain('must have at least 16 characters');
  expect(message).not.toMatch(/12345678|short\b/);
});

test('the text of .env says the mode that its file gets', () => {
  expect(environmentText({})).toContain('Readable by its owner alone (mode 0600)');
  expect(environmentText({}, { mode: 0o640 })).toContain('Readable by root and the group of the service (mode 0640)');
});
