import type { Config } from '../../src/config/load.ts';
import { requireBaseUrl, requireKeyPairs } from '../../src/config/required-keys.ts';
import { ENVIRONMENTS, type Environment, type KeyPair } from '../../src/domain/environment.ts';
import type { Checkout, PublicKey } from '../../src/service/checkout.ts';
import type { Client } from '../../src/service/client.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import type { OpenJournal } from '../../src/store/library.ts';
import { note } from '../show/output.ts';
import { configFrom } from './config.ts';

/** `--environment` of every command that calls the service. */
export const ENVIRONMENT_OPTION = {
  environment: { choices: ENVIRONMENTS, default: 'test' as const, describe: 'Whose keys call the service' },
} as const;

interface ServiceArguments {
  readonly config: string | undefined;
  readonly environment: Environment;
}

/** Runs `work` with a client whose requests are kept in the database of the configuration. */
export function withService<Result>(
  argv: ServiceArguments,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return withJournal(argv, async ({ config, baseUrl, keyPair: { environment, secretKey }, journal }) => {
    const { proofsOf, serviceClient } = await import('../../src/confirm/clients.ts');
    const client = serviceClient(
      config,
      { baseUrl, secretKey },
      {
        journal,
        ...(await proofsOf(journal, environment, note)),
        onWarning: note,
      },
    );
    return work(client);
  });
}

/** Runs `work` with a checkout client, which needs the public key only. */
export function withCheckout<Result>(
  argv: ServiceArguments,
  work: (checkout: Checkout) => Promise<Result>,
): Promise<Result> {
  return withJournal(argv, async ({ config, baseUrl, keyPair, journal }) => {
    const { createCheckout } = await import('../../src/service/checkout.ts');
    const { timeoutMs, idleTimeoutMs, responseLimitBytes } = config.service;
    const limits = { timeoutMs, idleTimeoutMs, responseLimitBytes };
    const publicKey = keyPair.publicKey as PublicKey;
    return work(createCheckout({ ...limits, baseUrl, publicKey, journal, onWarning: note }));
  });
}

type ServiceParts = { config: Config; baseUrl: string; keyPair: KeyPair; journal: OpenJournal };

/** Runs `work` with what every client needs, and closes the journal after it. */
async function withJournal<Result>(
  argv: ServiceArguments,
  work: (parts: ServiceParts) => Promise<Result>,
): Promise<Result> {
  const config = await configFrom(argv);
  const baseUrl = requireBaseUrl(config);
  const keyPair = await requirePair(config, argv.environment);
  const journal = await storeOf(config).requestJournal();
  try {
    return await work({ config, baseUrl, keyPair, journal });
  } finally {
    await journal.close();
  }
}

/** The current key pair of the environment. */
async function requirePair(config: Config, environment: Environment): Promise<KeyPair> {
  requireKeyPairs(config, environment);
  const { currentPair } = await import('../../src/confirm/clients.ts');
  return currentPair(config, environment) as KeyPair;
}
