import type { Config } from '../config/load.ts';
import { ENVIRONMENTS } from '../domain/environment.ts';
import { RECORD_KINDS } from '../domain/records/lifecycle.ts';
import { MINUTE_MS, SECOND_MS } from '../time/clock.ts';
import type { BackfillOrder } from './backfill-order.ts';
import { STANDARD_BREAKER } from './breaker.ts';
import type { SweepOrder } from './sweep.ts';

// The settings of the configuration as the orders of confirm/.

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
