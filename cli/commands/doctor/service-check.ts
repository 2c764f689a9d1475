import type { Config } from '../../../src/config/load.ts';
import { currentPair, serviceClient } from '../../../src/confirm/clients.ts';
import { ENVIRONMENTS, type Environment, type KeyPair } from '../../../src/domain/environment.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import {
  AuthenticationError,
  ListIncompleteError,
  NoAnswerError,
  RefusedError,
  ServiceFailedError,
  ServiceUnreachableError,
} from '../../../src/service/index.ts';
import { type Examined, failed, ok, skipped, warning } from '../../../src/store/examination.ts';
import { connectionFault } from './connection-fault.ts';

/** One attempt: a person waits. */
const TIMEOUT_MS = 10_000;

/**
 * Asks the service, per environment with keys, for the first page of the refunds (interface 4.4). The question changes nothing,
 * and it proves the secret key: that list belongs to one merchant and one environment, while a list of banks is the same
 * for everyone.
 */
export async function checkService(config: Config, { offline }: { offline: boolean }): Promise<Examined[]> {
  const pairs = ENVIRONMENTS.flatMap((environment) => currentPair(config, environment) ?? []);
  const { baseUrl } = config;
  if (offline) return [skipped('service', 'not asked: --offline')];
  if (baseUrl === null) return [skipped('service', 'baseUrl is not set, so the keys cannot be proved')];
  return Promise.all(pairs.map((pair) => checkKey(config, baseUrl, pair)));
}

async function checkKey(config: Config, baseUrl: string, pair: KeyPair): Promise<Examined> {
  const { environment, id, secretKey } = pair;
  const name = `service ${environment}`;
  const timeoutMs = Math.min(TIMEOUT_MS, config.service.timeoutMs);
  const client = serviceClient(config, { baseUrl, secretKey }, { retries: 0, timeoutMs, onWarning: () => {} });
  const refunds = client.refunds.list({ maxPages: 1 });
  const accepted = ok(name, `the service accepts the ${environment} key (${id})`);
  try {
    await refunds.next();
    return accepted;
  } catch (error) {
    if (error instanceof ListIncompleteError) return accepted; // the page came; that its rows are odd is no matter here
    if (!(error instanceof TallyhookError)) throw error;
    return judged(name, baseUrl, environment, id, error);
  } finally {
    await refunds.return();
  }
}

function judged(name: string, baseUrl: string, environment: Environment, id: string, error: TallyhookError): Examined {
  if (error instanceof AuthenticationError) {
    const hint =
      `Put the current ${environment} key pair of the service into the configuration, and send SIGHUP to serve. ` +
      'Until then every delivery signed with the new key is refused, and no status is checked.';
    return failed(name, `the service refuses the ${environment} key (${id}): ${error.message}`, hint);
  }
  if (error instanceof ServiceUnreachableError || error instanceof NoAnswerError) {
    const { what, hint } = connectionFault(error, 'Check baseUrl, the network and the firewalls.');
    return failed(name, `${baseUrl} did not answer: ${what}`, hint);
  }
  const unproved = `it is not known whether the service accepts the ${environment} key (${id}): ${error.message}`;
  if (error instanceof ServiceFailedError) return warning(name, unproved, 'Try again later.');
  if (error instanceof RefusedError) return warning(name, unproved, error.hint ?? 'Check baseUrl.');
  return warning(name, unproved, error.hint ?? 'Check that baseUrl is the address of the service.');
}
