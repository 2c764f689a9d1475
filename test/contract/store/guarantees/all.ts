import type { Guarantee } from '../world.ts';
import { ACCESS } from './access.ts';
import { ALERTS } from './alerts.ts';
import { ARRIVALS } from './arrivals.ts';
import { BACKFILLS } from './backfills.ts';
import { CHECKS } from './checks.ts';
import { CONCURRENCY } from './concurrency.ts';
import { FORWARDING } from './forwarding.ts';
import { IMPORTS } from './imports.ts';
import { INBOX } from './inbox.ts';
import { INTAKE } from './intake.ts';
import { JOBS } from './jobs.ts';
import { KEPT_BREAKS } from './kept-breaks.ts';
import { KEPT_MATCHES } from './kept-matches.ts';
import { KEPT_RUNS } from './kept-runs.ts';
import { LEASES } from './leases.ts';
import { LINE_SETS } from './line-sets.ts';
import { MATCH_DECISIONS } from './match-decisions.ts';
import { MONEY } from './money.ts';
import { OUTBOX } from './outbox.ts';
import { OUTBOX_CHANGES } from './outbox-changes.ts';
import { OVERDUE } from './overdue.ts';
import { PRUNING } from './pruning.ts';
import { RECEIPT } from './receipt.ts';
import { RECONCILIATION } from './reconciliation.ts';
import { RECORDS } from './records.ts';
import { REQUESTS } from './requests.ts';
import { RUNS } from './runs.ts';
import { STATEMENTS } from './statements.ts';
import { SYSTEM_STATE } from './system-state.ts';
import { TRACKING } from './tracking.ts';
import { UPKEEP } from './upkeep.ts';
import { WALKS } from './walks.ts';

/** Everything that an engine guarantees, by the part of the port. */
export const GUARANTEES: Readonly<Record<string, readonly Guarantee[]>> = {
  inbox: [...INBOX, ...RECEIPT],
  walks: [...WALKS, ...ARRIVALS],
  leases: LEASES,
  checks: CHECKS,
  records: [...RECORDS, ...MONEY, ...CONCURRENCY],
  reconciliation: RECONCILIATION,
  backfills: BACKFILLS,
  tracking: [...TRACKING, ...OVERDUE],
  jobs: [...JOBS, ...RUNS],
  alerts: ALERTS,
  requests: REQUESTS,
  pruning: PRUNING,
  systemState: SYSTEM_STATE,
  statements: [...IMPORTS, ...STATEMENTS, ...LINE_SETS, ...INTAKE],
  matching: [...KEPT_RUNS, ...KEPT_MATCHES, ...KEPT_BREAKS, ...MATCH_DECISIONS],
  upkeep: UPKEEP,
  access: ACCESS,
  outbox: [...OUTBOX, ...FORWARDING, ...OUTBOX_CHANGES],
};
