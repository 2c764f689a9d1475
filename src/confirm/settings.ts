import type { Config } from '../config/load.ts';
import type { CheckRules } from '../domain/checks/next-check.ts';
import { ENVIRONMENTS } from '../domain/environment.ts';
import { RECORD_KINDS } from '../domain/records/lifecycle.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../time/clock.ts';
import type { BackfillOrder } from './backfill-order.ts';
import { STANDARD_BREAKER } from './breaker.ts';
import type { SweepOrder } from './sweep.ts';

// The settings of the configuration as the orders and rules of confirm/.

export function checkRulesOf({ confirm }: Pick<Config, 'confirm'>): CheckRules {
  return {
    unsettledMs: confirm.unsettledMinutes.map((minutes) => minutes * MINUTE_MS),
    awaitingSettlementMs: confirm.awaitingSettlementMinutes * MINUTE_MS,
    watchMs: confirm.watchDays.map((days) => days * DAY_MS),
    unprovenMs: confirm.unprovenMinutes * MINUTE_MS,
    attempts: confirm.attempts,
    awaitingSettlementAttempts: confirm.awaitingSettlementAttempts,
    jitter: confirm.jitterPercent / 100,
  };
}

/** A sweep of every due record. */
export function sweepOrderOf({ confirm }: Pick<Config, 'confirm'>): SweepOrder {
  return {
    filter: { kinds: RECORD_KINDS, environments: ENVIRONMENTS },
    limit: null,
    concurrency: confirm.concurrency,
    perSecond: confirm.perSecond,
    leaseMs: confirm.leaseSeconds * SECOND_MS,
    breaker: { ...STANDARD_BREAKER, failures: confirm.breakerFailures },
    giveUpMs: confirm.giveUpSeconds * SECOND_MS,
  };
}

/** A walk of the lists of all environments. */
export function backfillOrderOf({ backfill, confirm }: Pick<Config, 'backfill' | 'confirm'>): BackfillOrder {
  return {
    environments: ENVIRONMENTS,
    sinceMs: null,
    overlapMs: backfill.overlapHours * 60 * MINUTE_MS,
    maxPages: backfill.maxPages,
    maxRows: backfill.maxRows,
    maxMs: backfill.maxMinutes * MINUTE_MS,
    perSecond: confirm.perSecond,
    giveUpMs: confirm.giveUpSeconds * SECOND_MS,
    dryRun: false,
  };
}
