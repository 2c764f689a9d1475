import { KEY_VARIABLES, type Variables } from '../../../src/config/variables.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { announceConnection, callSandbox, DEFAULT_URL, runningSandboxes } from '../sandbox/connection.ts';

/** Whose keys verify the webhooks, and which service confirms them. */
export interface KeySource {
  /** Stand for settings of the receiver: keys, and the address of the service where it is known. */
  readonly variables: Variables;
  readonly kind: 'environment' | 'running sandbox' | 'own sandbox';
  /** Where a sandbox that runs already sends its webhooks; null: not known, or nowhere. */
  readonly webhooksGoTo: string | null;
  /** Tells a sandbox that was started here where its webhooks go. */
  readonly sendWebhooksTo: (url: string) => void;
  readonly close: () => Promise<void>;
}

/** The same keys at each start, so that an application keeps its settings. */
const SEED = 1;
const SANDBOX_PORT = 4602;

/** Returns the keys of the environment, else of a sandbox that runs on this machine, else of one that is started here. */
export async function keySource(env: Variables): Promise<KeySource> {
  const given = KEY_VARIABLES.some(({ publicKey, secretKey }) => (env[publicKey] ?? env[secretKey]) !== undefined);
  const leftAlone = { webhooksGoTo: null, sendWebhooksTo() {}, close: async () => {} };
  if (given) return { ...leftAlone, variables: env, kind: 'environment' };
  const others = runningSandboxes();
  const running = others.find(({ url }) => url === DEFAULT_URL) ?? others[0];
  if (running !== undefined) {
    const { merchants } = await callSandbox<Merchants>(running, 'GET', '/merchants');
    const [{ keys, webhookUrls } = none(running.url)] = merchants;
    const variables = variablesOf(running.url, keys.test);
    return { ...leftAlone, variables, kind: 'running sandbox', webhooksGoTo: webhookUrls.test };
  }
  const sandbox = await startOwn();
  const forget = announceConnection({ url: sandbox.url, token: sandbox.controlToken });
  return {
    variables: variablesOf(sandbox.url, sandbox.keys.test),
    kind: 'own sandbox',
    webhooksGoTo: null,
    sendWebhooksTo: (url) => sandbox.setWebhookUrl(url),
    async close() {
      forget();
      await sandbox.close();
    },
  };
}

interface Pair {
  readonly publicKey: string;
  readonly secretKey: string;
}

interface Merchants {
  readonly merchants: readonly {
    readonly keys: { readonly test: Pair };
    readonly webhookUrls: { readonly test: string | null };
  }[];
}

function none(url: string): never {
  throw new TallyhookError(`The sandbox at ${url} has no merchant.`, { kind: 'failed', hint: 'Start it again.' });
}

function variablesOf(baseUrl: string, { publicKey, secretKey }: Pair): Variables {
  return {
    TALLYHOOK_BASE_URL: baseUrl,
    TALLYHOOK_TEST_PUBLIC_KEY: publicKey,
    TALLYHOOK_TEST_SECRET_KEY: secretKey,
  };
}

/** At the usual port, where `tallyhook sandbox …` finds it, or at a free one. */
async function startOwn() {
  try {
    return await startSandbox({ seed: SEED, port: SANDBOX_PORT });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return startSandbox({ seed: SEED, port: 0 });
  }
}
