import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/load.ts';
import { askNow } from '../../confirm/check-now.ts';
import { askingClients } from '../../confirm/clients.ts';
import type { KeyPair } from '../../domain/environment.ts';
import type { Work } from '../../store/operations.ts';
import type { Clock } from '../../time/clock.ts';
import type { Metrics } from '../../web/metrics.ts';
import type { CallbackOptions } from './routes.ts';

export interface LandingParts {
  readonly work: Work;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface LandingPlace {
  readonly options: CallbackOptions;
  /** The service is asked with these from now on. */
  reloadKeys(keyPairs: readonly KeyPair[]): void;
  /** Once nobody comes any more: what is still being asked is given back. */
  close(): Promise<void>;
}

/** Beyond what the client takes at most, for writing the answer down. */
const LEASE_SLACK_MS = 10_000;

/** Where customers come back to (decision 67), asking through the writer thread; null when no page is configured. */
export function landingPlace(config: Config, { work, clock, log, metrics }: LandingParts): LandingPlace | null {
  const { page, secret, ...limits } = config.callback;
  if (page === null || secret === null) return null;
  const nowMs = () => clock.nowMs();
  const onWarning = (warning: string) => log.warn(warning);
  const cutOff = new AbortController();
  let { keyPairs } = config;
  let clients: ReturnType<typeof askingClients> | null = null;
  const current = () => {
    clients ??= askingClients({ ...config, keyPairs }, work.confirmations, { nowMs, onWarning, cutOff: cutOff.signal });
    clients.catch(() => {
      clients = null; // the next visitor tries again
    });
    return clients;
  };
  const { look, ask, idle } = askNow({
    confirmations: work.confirmations,
    clients: current,
    clock,
    zone: config.timeZone,
    leaseMs: 2 * config.service.timeoutMs + LEASE_SLACK_MS,
    patienceMs: limits.timeoutMs,
    sleep: (ms) => delay(ms, undefined, { ref: false, signal: cutOff.signal }),
  });
  return {
    options: {
      ...limits,
      page,
      secret,
      clock,
      look,
      ask,
      onLanded: (verdict) => metrics.callbacks.inc({ verdict }),
      onOverBudget: () => metrics.callbacksOverBudget.inc(),
      onFailed: (error) => log.error({ err: error }, 'a returning customer was told pending'),
    },
    reloadKeys(fresh) {
      keyPairs = fresh;
      clients = null;
    },
    async close() {
      cutOff.abort();
      await idle();
    },
  };
}
