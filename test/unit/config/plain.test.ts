import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { plain, withSecrets } from '../../../src/config/plain.ts';
import { Secret } from '../../../src/domain/secrets/secret.ts';

test('a configuration reaches a thread with its secrets, which become Secrets again and are never shown', () => {
  const config = {
    ...loadConfig({ env: {}, cwd: '/tmp' }),
    keyPairs: [
      {
        id: 'test-1',
        environment: 'test',
        publicKey: 'pk_test_x',
        secretKey: new Secret('sk_test_hidden'),
        notAfter: null,
      },
    ],
  };
  const travelled = withSecrets<typeof config>(structuredClone(plain(config)));
  expect(travelled.keyPairs[0]?.secretKey).toBeInstanceOf(Secret);
  expect(travelled.keyPairs[0]?.secretKey.reveal()).toBe('sk_test_hidden');
  expect(jsonText(travelled)).not.toContain('hidden');
  expect(jsonText(travelled)).toBe(jsonText(config));
});

/** Limits of reason codes are bigints. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? `${one}n` : one));
}
