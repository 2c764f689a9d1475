import type { Environment } from '../../../src/domain/environment.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { publicKeyProblem, secretKeyProblem } from '../../../src/domain/key-text.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { openTerminal, type Terminal } from '../../context/terminal.ts';
import { UsageError } from '../../options/options.ts';
import { note } from '../../show/output.ts';

export type KeyName = 'testPublicKey' | 'testSecretKey' | 'livePublicKey' | 'liveSecretKey';

/** The keys that were given; a pair is complete or absent. */
export type InitKeys = Partial<Record<KeyName, string | undefined>>;

export const KEY_QUESTIONS = [
  { name: 'testPublicKey', environment: 'test', secret: false, variable: 'TALLYHOOK_TEST_PUBLIC_KEY' },
  { name: 'testSecretKey', environment: 'test', secret: true, variable: 'TALLYHOOK_TEST_SECRET_KEY' },
  { name: 'livePublicKey', environment: 'live', secret: false, variable: 'TALLYHOOK_LIVE_PUBLIC_KEY' },
  { name: 'liveSecretKey', environment: 'live', secret: true, variable: 'TALLYHOOK_LIVE_SECRET_KEY' },
] as const satisfies readonly KeyQuestion[];

interface KeyQuestion {
  readonly name: KeyName;
  readonly environment: Environment;
  readonly secret: boolean;
  readonly variable: string;
}

const MOST_ATTEMPTS = 5;

/**
 * Keys from options, then variables, then the terminal.
 *
 * @throws UsageError when a given key is wrong or only half of a pair is there
 */
export async function collectKeys(options: InitKeys, { interactive }: { interactive: boolean }): Promise<InitKeys> {
  const keys: InitKeys = {};
  const problems: string[] = [];
  for (const question of KEY_QUESTIONS) {
    const text = options[question.name] ?? process.env[question.variable];
    if (text === undefined) continue;
    keys[question.name] = text;
    const problem = keyProblem(question, text);
    if (problem !== null) problems.push(`the ${label(question)}, ${new Secret(text)}, ${problem.replace('?', '')}`);
  }
  if (problems.length > 0)
    throw new UsageError(`Wrong keys: ${problems.join('; ')}.`, 'Copy them again from the service.');
  if (interactive) await askMissing(keys);
  refuseHalves(keys);
  return keys;
}

async function askMissing(keys: InitKeys): Promise<void> {
  const terminal = openTerminal();
  note('Keys of the payment service. Leave a public key empty to skip that environment.');
  try {
    for (const question of KEY_QUESTIONS) {
      if (keys[question.name] !== undefined) continue;
      if (question.secret && !(`${question.environment}PublicKey` in keys)) continue;
      const answer = await promptFor(terminal, question);
      if (answer !== '') keys[question.name] = answer;
    }
  } catch (cause) {
    throw new TallyhookError('Stopped; nothing was written.', { kind: 'failed', cause });
  } finally {
    terminal.close();
  }
}

async function promptFor(terminal: Terminal, question: KeyQuestion): Promise<string> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const answer = (await terminal.ask(`${label(question)}: `, { hidden: question.secret })).trim();
    if (answer === '' && !question.secret) return answer;
    const problem = keyProblem(question, answer);
    if (problem === null) return answer;
    note(`  It ${problem.replace(/[?]$/, '')}. Once more, please.`);
  }
  throw new UsageError(`No usable ${label(question)} after ${MOST_ATTEMPTS} attempts.`);
}

function refuseHalves(keys: InitKeys): void {
  for (const question of KEY_QUESTIONS) {
    const sibling = KEY_QUESTIONS.find(
      (other) => other.environment === question.environment && other.secret !== question.secret,
    );
    if (sibling !== undefined && keys[question.name] === undefined && keys[sibling.name] !== undefined) {
      throw new UsageError(
        `The ${label(question)} is missing: a key pair needs both.`,
        `Give it as ${question.variable}.`,
      );
    }
  }
}

function keyProblem({ environment, secret }: KeyQuestion, text: string): string | null {
  return secret ? secretKeyProblem(text, environment) : publicKeyProblem(text, environment);
}

function label({ environment, secret }: KeyQuestion): string {
  return `${environment} ${secret ? 'secret' : 'public'} key`;
}
