import type { AlertMessage } from '../alert/message.ts';
import type { Plain } from '../config/plain.ts';
import type { ClusterView } from '../confirm/cluster-problems.ts';
import type { SeenProblem } from '../confirm/look.ts';
import type { CheckedRecord } from '../confirm/parts.ts';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { KeyPair } from '../domain/environment.ts';
import type { JobState } from '../store/jobs.ts';
import type { OperationsChannel } from '../store/operations-channel.ts';
import type { KnownTarget } from '../store/outbox.ts';
import type { SystemState } from '../store/system-state.ts';
import type { JobsConfig } from './job.ts';
import type { RanJob } from './schedule.ts';

// Messages between the main thread and the jobs' thread.

/** The worker data of the jobs' thread. */
export interface JobsData {
  readonly config: Plain<JobsConfig>;
  /** Names this process, for people. */
  readonly holder: string;
  /** Whether to tell of each status check, for the log. */
  readonly traced: boolean;
  readonly port: OperationsChannel;
  readonly report: ServeReport;
  /** How long acknowledgements took, in memory that the main thread counts in. */
  readonly acks: SharedArrayBuffer;
}

/** How everything stood when the thread looked. */
export interface Looked {
  readonly system: SystemState;
  readonly problems: readonly SeenProblem[];
  readonly targets: readonly KnownTarget[];
  /** By the latest answer of the service; null while it is not known. */
  readonly clockOffsetMs: number | null;
  /** The log that several machines share; null for a machine alone. */
  readonly cluster: ClusterView | null;
}

export type ToJobs =
  /** What `serve` knows of itself changed. */
  | { readonly type: 'report'; readonly report: ServeReport }
  /** Look how everything stands; answered by `looked`. */
  | { readonly type: 'look' }
  | { readonly type: 'keys'; readonly keyPairs: Plain<readonly KeyPair[]> }
  /** End the running jobs, release them, and exit. */
  | { readonly type: 'stop'; readonly graceMs: number };

export type FromJobs =
  | { readonly type: 'checked'; readonly checked: CheckedRecord }
  /** A notice for the log. */
  | { readonly type: 'alert'; readonly message: AlertMessage }
  /** What a job that is running did so far. */
  | { readonly type: 'counts'; readonly job: string; readonly counts: Readonly<Record<string, number>> }
  /** `isEarly`: a sweep that began because a record was due, before its planned time. */
  | { readonly type: 'ran'; readonly ran: RanJob; readonly isEarly: boolean }
  /** The states of all jobs, including jobs that another process runs. */
  | { readonly type: 'states'; readonly states: readonly JobState[] }
  /** A failed step of the schedule, which goes on. */
  | { readonly type: 'fault'; readonly doing: string; readonly message: string; readonly hint: string | undefined }
  | { readonly type: 'warning'; readonly text: string }
  /** Null when the database could not be read. */
  | { readonly type: 'looked'; readonly looked: Looked | null };
