import type { Environment } from '../../../src/domain/environment.ts';
import { publicKeyProblem, secretKeyProblem } from '../../../src/domain/secrets/key-text.ts';
import { Secret } from '../../../src/domain/secrets/secret.ts';
import { UsageError } from '../../options/options.ts';
import { note } from '../../show/output.ts';

export type KeyName = 'testPublicKey' | 'testSecretKey' | 'livePublicKey' | 'liveSecretKey';

/** The given keys; a pair is complete or absent. */
export type InitKeys = Partial<Record<KeyName, string | undefined>>;

export const KEY_PROMPTS = [
  { name: 'testPublicKey', environment: 'test', secret: false, variable: 'TALLYHOOK_TEST_PUBLIC_KEY' },
  { name: 'testSecretKey', environment: 'test', secret: true, variable: 'TALLYHOOK_TEST_SECRET_KEY' },
  { name: 'livePublicKey', environment: 'live', secret: false, variable: 'TALLYHOOK_LIVE_PUBLIC_KEY' },
  { name: 'liveSecretKey', environment: 'live', secret: true, variable: 'TALLYHOOK_LIVE_SECRET_KEY' },
] as const satisfies readonly KeyPrompt[];

interface KeyPrompt {
  readonly name: KeyName;
  readonly environment: Environment;
  readonly secret: boolean;
  readonly variable: string;
}

/** Attempts to type one key. */
const MOST_ATTEMPTS = 5;

/**
 * The keys from options, else variables, else the terminal.
 *
 * @throws UsageError when a given key is wrong or only half of a pair is there
 */
export async function collectKeys(options: InitKeys, { interactive }: { interactive: boolean }): Promise<InitKeys> {
  const keys: InitKeys = {};
  const problems: string[] = [];
  for (const prompt of KEY_PROMPTS) {
    const text = options[prompt.name] ?? process.env[prompt.variable];
    if (text === undefined) continue;
    keys[prompt.name] = text;
    const problem = keyProblem(prompt, text);
    if (problem !== null) problems.push(`the ${label(prompt)}, ${new Secret(text)}, ${problem.replace('?', '')}`);
  }
  if (problems.length > 0)
    throw new UsageError(`Wrong keys: ${problems.join('; ')}.`, 'Copy them again from the service.');
  if (interactive) await promptMissing(keys);
  refuseHalves(keys);
  return keys;
}

async function promptMissing(keys: InitKeys): Promise<void> {
  note('Keys of the payment service. Leave a public key empty to skip that environment.');
  for (const wanted of KEY_PROMPTS) {
    if (keys[wanted.name] !== undefined) continue;
    if (wanted.secret && !(`${wanted.environment}PublicKey` in keys)) continue;
    const key = await promptFor(wanted);
    if (key !== '') keys[wanted.name] = key;
  }
}

async function promptFor(wanted: KeyPrompt): Promise<string> {
  const { prompt } = await import('../../context/terminal.ts');
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const key = (await prompt(label(wanted), { hidden: wanted.secret, stopped: 'nothing was written' })).trim();
    if (key === '' && !wanted.secret) return key;
    const problem = keyProblem(wanted, key);
    if (problem === null) return key;
    note(`  It ${problem.replace(/[?]$/, '')}. Try again.`);
  }
  throw new UsageError(`No usable ${label(wanted)} after ${MOST_ATTEMPTS} attempts.`);
}

function refuseHalves(keys: InitKeys): void {
  for (const prompt of KEY_PROMPTS) {
    const sibling = KEY_PROMPTS.find(
      (other) => other.environment === prompt.environment && other.secret !== prompt.secret,
    );
    if (sibling !== undefined && keys[prompt.name] === undefined && keys[sibling.name] !== undefined) {
      throw new UsageError(`The ${label(prompt)} is missing: a key pair needs both.`, `Give it as ${prompt.variable}.`);
    }
  }
}

function keyProblem({ environment, secret }: KeyPrompt, text: string): string | null {
  return secret ? secretKeyProblem(text, environment) : publicKeyProblem(text, environment);
}

function label({ environment, secret }: KeyPrompt): string {
  return `${environment} ${secret ? 'secret' : 'public'} key`;
}
