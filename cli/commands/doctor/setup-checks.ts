import type { Config } from '../../../src/config/load.ts';
import { EXPIRES_SOON_MS } from '../../../src/confirm/judgement.ts';
import { ENVIRONMENTS, type KeyPair } from '../../../src/domain/environment.ts';
import { type Examined, failed, ok, skipped, warning } from '../../../src/store/examination.ts';
import { duration } from '../../show/text.ts';

const NODE_MAJOR = 24;

export function checkNode(): Examined {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= NODE_MAJOR) return ok('node', process.version);
  return failed('node', process.version, `Install Node ${NODE_MAJOR} or newer.`);
}

/** Checks that there are keys, which environments have some, and the expiry of each pair. The loader has checked their form. */
export function checkKeys(config: Config, nowMs: number): Examined[] {
  if (config.keyPairs.length === 0)
    return [failed('keys', 'no key pair in any environment: serve does not start', 'Run: tallyhook init')];
  const checks = ENVIRONMENTS.map((environment) => {
    const ids = config.keyPairs.filter((pair) => pair.environment === environment).map(({ id }) => id);
    if (ids.length > 0) return ok(`${environment} keys`, ids.join(', '));
    return skipped(`${environment} keys`, `none: deliveries to /webhooks/${environment} are refused`);
  });
  return [...checks, ...config.keyPairs.flatMap((pair) => checkExpiry(pair, config.keyPairs, nowMs))];
}

function checkExpiry({ id, environment, notAfter }: KeyPair, pairs: readonly KeyPair[], nowMs: number): Examined[] {
  if (notAfter === null) return [];
  const leftMs = Date.parse(notAfter) - nowMs;
  if (leftMs > EXPIRES_SOON_MS) return [ok(`key ${id}`, `until ${notAfter}`)];
  const later = pairs.some((other) => other.environment === environment && endOf(other) > endOf({ notAfter }));
  const add = `Add the next pair under keys.${environment}, then reload serve (SIGHUP): it is the last one.`;
  if (leftMs < 0) {
    return [warning(`key ${id}`, `expired ${notAfter}`, later ? 'Remove the pair: it verifies nothing.' : add)];
  }
  const hint = later ? 'Check that the service signs with the new key: tallyhook events list --json shows keyId.' : add;
  return [warning(`key ${id}`, `expires in ${duration(leftMs)}`, hint)];
}

function endOf({ notAfter }: Pick<KeyPair, 'notAfter'>): number {
  return notAfter === null ? Number.POSITIVE_INFINITY : Date.parse(notAfter);
}

/** Checks the HTTP limits that keep slow clients from using every connection. The schema refuses zero. */
export function checkLimits({ receiver }: Config): Examined {
  const { requestTimeoutMs, headersTimeoutMs, maxConnections } = receiver;
  const seen = `request ${requestTimeoutMs} ms, headers ${headersTimeoutMs} ms, ${maxConnections} connections`;
  if (requestTimeoutMs > 0 && headersTimeoutMs > 0 && maxConnections > 0) return ok('http limits', seen);
  return failed('http limits', seen, 'Set receiver.requestTimeoutMs, headersTimeoutMs and maxConnections above zero.');
}
