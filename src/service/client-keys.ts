import type { Environment } from '../domain/environment.ts';
import { TallyhookError } from '../domain/error.ts';
import { baseUrlProblem } from '../domain/requests/base-url.ts';
import { publicKeyProblem, secretKeyProblem } from '../domain/secrets/key-text.ts';
import { Secret } from '../domain/secrets/secret.ts';
import { isTimeZone } from '../time/timestamp.ts';
import { kindOf } from './calls/arguments.ts';

/** Returns the base address without its trailing slash. Throws TallyhookError (configuration) for one that keys must not be sent to. */
export function requireBaseUrl(baseUrl: string): string {
  requireText('baseUrl', baseUrl, 'the address of the service: https://…');
  const problem = baseUrlProblem(baseUrl);
  if (problem === null) return baseUrl.replace(/\/+$/, '');
  const shown = baseUrl.replace(/\/\/[^/@]*@/, '//***@');
  throw new TallyhookError(`baseUrl is ${JSON.stringify(shown)}: it ${problem}.`, { kind: 'configuration' });
}

/** Returns a secret key and the environment it selects (interface 5, rule 1). Throws TallyhookError, which never quotes the key. */
export function requireSecretKey(given: string | Secret): { secretKey: Secret; environment: Environment } {
  if (!(given instanceof Secret)) requireText('secretKey', given, 'a secret key: sk_test_… or sk_live_…');
  const secretKey = given instanceof Secret ? given : new Secret(given);
  const environment = secretKey.reveal().startsWith('sk_live_') ? 'live' : 'test';
  const problem = secretKeyProblem(secretKey.reveal(), environment);
  if (problem === null) return { secretKey, environment };
  throw new TallyhookError(`The secret key ${secretKey} ${problem.replace('?', '')}.`, {
    kind: 'configuration',
    hint: 'A secret key starts with sk_test_ or sk_live_; copy it again from the service.',
  });
}

/** Returns the environment of a public key. Throws TallyhookError for any other text, a secret key included. */
export function requirePublicKey(publicKey: string): Environment {
  requireText('publicKey', publicKey, 'a public key: pk_test_… or pk_live_…');
  const environment = publicKey.startsWith('pk_live_') ? 'live' : 'test';
  const problem = publicKeyProblem(publicKey, environment);
  if (problem === null) return environment;
  throw new TallyhookError(`The public key ${new Secret(publicKey)} ${problem.replace('?', '')}.`, {
    kind: 'configuration',
    hint: 'Inline checkout takes the public key, pk_…, and never a secret one.',
  });
}

function requireText(name: string, value: unknown, rule: string): void {
  if (typeof value === 'string') return;
  throw new TallyhookError(`${name} is ${kindOf(value)}: it must be ${rule}`, { kind: 'configuration' });
}

/** Returns an IANA zone name. Throws TallyhookError (configuration) for an unknown one. */
export function requireTimeZone(name: string): string {
  if (isTimeZone(name)) return name;
  throw new TallyhookError(`timeZone is ${JSON.stringify(name)}: it must be an IANA name such as Africa/Lagos.`, {
    kind: 'configuration',
  });
}
