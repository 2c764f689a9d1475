import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/load.ts';
import { checkNow } from '../../confirm/check-now.ts';
import { checkClients } from '../../confirm/clients.ts';
import type { KeyPair } from '../../domain/environment.ts';
import { logChecked } from '../../jobs/log-checked.ts';
import type { Operations } from '../../store/operations.ts';
import type { Clock } from '../../time/clock.ts';
import type { Metrics } from '../../web/metrics.ts';
import { Budget } from './budgets.ts';
import type { CallbackOptions } from './routes.ts';

export interface CallbackParts {
  readonly operations: Operations;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface OpenCallback {
  readonly options: CallbackOptions;
  /** Later checks use these. */
  reloadKeys(keyPairs: readonly KeyPair[]): void;
  /** Ends checks under way; called when no more requests can arrive. */
  close(): Promise<void>;
}

/** Lease time beyond the client's longest call, in milliseconds, for writing the answer. */
const LEASE_SLACK_MS = 10_000;

/** The callback of the configuration (decision 67), which writes through the thread of the database; null without a page. */
export function openCallback(config: Config, { operations, clock, log, metrics }: CallbackParts): OpenCallback | null {
  const { page, secret, perMinute, ...limits } = config.callback;
  if (page === null || secret === null) return null;
  const nowMs = () => clock.nowMs();
  const onWarning = (text: string) => log.warn(text);
  const cutOff = new AbortController();
  let { keyPairs } = config;
  let clients: ReturnType<typeof checkClients> | null = null;
  const current = () => {
    clients ??= checkClients({ ...config, keyPairs }, operations.checks, { nowMs, onWarning, cutOff: cutOff.signal });
    clients.catch(() => {
      clients = null; // the next visit tries again
    });
    return clients;
  };
  const budget = new Budget(perMinute, nowMs());
  const onOverBudget = () => metrics.callbacksOverBudget.inc();
  const { look, check, idle } = checkNow({
    checks: operations.checks,
    clients: current,
    clock,
    zone: config.timeZone,
    leaseMs: 2 * config.service.timeoutMs + LEASE_SLACK_MS,
    patienceMs: limits.timeoutMs,
    budget: { take: () => budget.take(nowMs()), giveBack: () => budget.giveBack() },
    onOverBudget,
    onChecked: (checked) => logChecked(log, checked),
    sleep: (ms) => delay(ms, undefined, { ref: false, signal: cutOff.signal }),
  });
  return {
    options: {
      ...limits,
      page,
      secret,
      clock,
      look,
      check,
      onVerdict: (verdict) => metrics.callbacks.inc({ verdict }),
      onOverBudget,
      onFailed: (error) => log.error({ err: error }, 'the callback failed; the customer got the verdict pending'),
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
