import { type Config, requireKeyPairs } from '../src/config/load.ts';
import { ConfigurationError } from '../src/config/problems.ts';
import { ENVIRONMENTS, type Environment, type KeyPair } from '../src/domain/environment.ts';
import { type OpenJournal, openRequestJournal } from '../src/requests.ts';
import { type Checkout, createCheckout, type PublicKey } from '../src/service/checkout.ts';
import { type Client, createClient } from '../src/service/client.ts';
import { aesCbcCodec } from '../src/service/payload-codec.ts';
import { configFrom } from './config-from.ts';
import { note } from './output.ts';

/** Whose keys call the service: an option of every command that calls it. */
export const ENVIRONMENT_OPTION = {
  environment: { choices: ENVIRONMENTS, default: 'test' as const, describe: 'Whose keys call the service' },
} as const;

interface ServiceArguments {
  readonly config: string | undefined;
  readonly environment: Environment;
}

/** Runs `work` with a client of the configuration whose requests are kept in its database. */
export async function withService<Result>(
  argv: ServiceArguments,
  work: (client: Client, journal: OpenJournal) => Promise<Result>,
): Promise<Result> {
  const config = configFrom(argv);
  const baseUrl = requireBaseUrl(config);
  const { secretKey } = currentPair(config, argv.environment);
  const { encryption, collectionPath, payoutPath, collectionVersion, payoutAmount, ...limits } = config.service;
  const journal = openRequestJournal({ path: config.database, zone: config.timeZone });
  try {
    const client = createClient({
      ...limits,
      baseUrl,
      secretKey,
      journal,
      collectionVersion,
      payoutAmount,
      paths: { collection: collectionPath, payout: payoutPath },
      codec: encryption === null ? null : aesCbcCodec({ keyHex: encryption.key, ivHex: encryption.iv }),
      proven: journal.proven(argv.environment),
      onProven: (endpoint) => journal.prove(argv.environment, endpoint),
      onWarning: note,
    });
    return await work(client, journal);
  } finally {
    journal.close();
  }
}

/** Inline checkout of the configuration: the public key alone. */
export async function withCheckout<Result>(
  argv: ServiceArguments,
  work: (checkout: Checkout, journal: OpenJournal) => Promise<Result>,
): Promise<Result> {
  const config = configFrom(argv);
  const baseUrl = requireBaseUrl(config);
  const publicKey = currentPair(config, argv.environment).publicKey as PublicKey;
  const journal = openRequestJournal({ path: config.database, zone: config.timeZone });
  try {
    const { timeoutMs, idleTimeoutMs, responseLimitBytes } = config.service;
    const limits = { timeoutMs, idleTimeoutMs, responseLimitBytes };
    return await work(createCheckout({ ...limits, baseUrl, publicKey, onWarning: note }), journal);
  } finally {
    journal.close();
  }
}

/** The pair in use: the one that no `notAfter` retires, else the first. */
function currentPair(config: Config, environment: Environment): KeyPair {
  const pairs = requireKeyPairs(config, environment);
  return (pairs.find(({ notAfter }) => notAfter === null) ?? pairs[0]) as KeyPair;
}

function requireBaseUrl({ baseUrl, file }: Config): string {
  if (baseUrl !== null) return baseUrl;
  const rule = 'is not set, and this command calls the service: set it, or TALLYHOOK_BASE_URL';
  throw new ConfigurationError(file ?? 'environment variables', [{ path: 'baseUrl', rule }]);
}
