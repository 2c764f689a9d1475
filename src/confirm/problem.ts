import type { AlertCause } from '../domain/alerts/alert-cause.ts';
import type { DiskSpace, Shortage } from '../domain/alerts/disk.ts';
import type { Outage } from '../domain/alerts/outage.ts';
import type { Environment } from '../domain/environment.ts';
import type { FindingCode } from '../domain/findings/finding.ts';
import type { RefusedRun } from '../domain/refusals/refused-run.ts';
import type { Unsafe } from '../store/cluster-port.ts';
import type { LockHolder } from '../store/inbox.ts';
import type { JobState } from '../store/jobs.ts';
import type { ReceiverProcess, ServiceFailing } from '../store/system-state.ts';
import type { ChannelHealth, ChannelProblem } from './health.ts';

/* What may not be well; `judgement.ts` finds it, and each place that shows it has its own words. */

/** What may need a person, the most urgent first. */
export const PROBLEM_CODES = [
  'not_kept',
  'damaged',
  'serve_not_running',
  'disk_low',
  'cluster_unreachable',
  'cluster_unsafe',
  'diverged',
  'acts_lost',
  'behind',
  'aside',
  'deliveries_refused',
  'keys_missing',
  'key_refused',
  'service_down',
  'silent',
  'sweep_share',
  'target_disabled',
  'dead_letter',
  'job_failed',
  'job_overdue',
  'backup_old',
  'checks_overdue',
  'forwarding_behind',
  'forwarding_late',
  'stuck',
  'findings',
  'audit_key_lost',
  'key_expires',
  'log_large',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** Codes that are causes of alerts under the same name. */
type EclipsedCode = ProblemCode & AlertCause;

/**
 * What is not judged while a problem holds: it would only be a consequence, and the one cause is enough. An alert of such a code stays as
 * it is.
 */
export const ECLIPSED_BY: Readonly<Partial<Record<ProblemCode, readonly EclipsedCode[]>>> = {
  // Nothing can be written.
  not_kept: [
    ...(['disk_low', 'behind', 'job_failed', 'job_overdue', 'backup_old', 'checks_overdue'] as const),
    ...(['forwarding_behind', 'forwarding_late', 'log_large'] as const),
  ],
  service_down: ['checks_overdue'],
  // Without `serve` everything is late.
  serve_not_running: ['behind', 'job_overdue', 'backup_old', 'checks_overdue', 'forwarding_behind', 'forwarding_late'],
};

/** The problems of `tallyhook health`: webhooks do not arrive, or cannot be trusted to be kept. */
export const RECEIVING_PROBLEMS: readonly ProblemCode[] = [
  'not_kept',
  'damaged',
  'serve_not_running',
  'disk_low',
  'cluster_unreachable',
  'deliveries_refused',
  'keys_missing',
  'silent',
  'sweep_share',
];

export type Problem =
  | { readonly code: 'not_kept'; readonly outage: Outage }
  | { readonly code: 'damaged'; readonly damage: readonly string[] }
  | { readonly code: 'serve_not_running'; readonly last: ReceiverProcess }
  | { readonly code: 'disk_low'; readonly disk: DiskSpace; readonly shortage: Shortage }
  /** `fault`: of the database, why `serve` cannot carry them out; null: it says none. `holder`: the other process that holds the lock. */
  /** The log that several machines share does not answer, or refuses this machine. */
  | { readonly code: 'cluster_unreachable'; readonly reason: string; readonly next: string }
  | ({ readonly code: 'cluster_unsafe'; readonly server: string } & Unsafe)
  /** This node has other rows than most, or, as of two, than others. */
  | {
      readonly code: 'diverged';
      readonly node: string;
      readonly reason: string | null;
      readonly text: string;
      readonly next: string;
    }
  /** A failover lost what this machine had carried out: `file` lists the acts of persons and jobs. */
  | { readonly code: 'acts_lost'; readonly file: string }
  /** `node`: of a cluster, which counts entries; null: this machine's own log. */
  | {
      readonly code: 'behind';
      readonly node: string | null;
      readonly deliveries: number;
      readonly sinceMs: number;
      readonly fault: string | null;
      readonly holder: LockHolder | null;
    }
  /** What could not be carried out. */
  | { readonly code: 'aside'; readonly deliveries: number; readonly sinceMs: number }
  | { readonly code: 'deliveries_refused'; readonly environment: Environment; readonly run: RefusedRun }
  /** Null: neither environment has a key pair. */
  | { readonly code: 'keys_missing'; readonly environment: Environment | null }
  | { readonly code: 'key_refused'; readonly environment: Environment; readonly records: number }
  | ({ readonly code: 'service_down' } & ServiceFailing)
  | { readonly code: ChannelProblem; readonly environment: Environment; readonly channel: ChannelHealth }
  /** It answered 410; `waiting` rows do not leave. */
  | { readonly code: 'target_disabled'; readonly target: string; readonly sinceMs: number; readonly waiting: number }
  | { readonly code: 'dead_letter'; readonly target: string; readonly rows: number }
  /** `sinceMs`: when its oldest open news was written. */
  | { readonly code: 'forwarding_late'; readonly target: string; readonly rows: number; readonly sinceMs: number }
  /** It answers, and more comes than it takes. */
  | {
      readonly code: 'forwarding_behind';
      readonly target: string;
      readonly rows: number;
      readonly sinceMs: number;
      readonly comePerSecond: number;
      readonly takenPerSecond: number;
    }
  | { readonly code: 'job_failed'; readonly job: JobState }
  | { readonly code: 'job_overdue'; readonly job: JobState; readonly lateMs: number }
  /** `missedAtMs`: when the next backup was planned. */
  | { readonly code: 'backup_old'; readonly doneAtMs: number; readonly missedAtMs: number }
  | {
      readonly code: 'checks_overdue';
      readonly environment: Environment;
      readonly records: number;
      readonly oldestDueAtMs: number;
      /** A sweep is under way, and does not keep up. */
      readonly isSwept: boolean;
    }
  | { readonly code: 'stuck'; readonly records: number; readonly atLeast: boolean }
  | { readonly code: 'findings'; readonly open: number; readonly codes: ReadonlyMap<FindingCode, number> }
  | { readonly code: 'key_expires'; readonly environment: Environment; readonly keyId: string; readonly atMs: number }
  | { readonly code: 'audit_key_lost'; readonly file: string }
  | { readonly code: 'log_large'; readonly logBytes: number };
