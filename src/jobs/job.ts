import { hostname } from 'node:os';
import type { AlertMessage } from '../alert/message.ts';
import type { Config } from '../config/load.ts';
import type { Breaker } from '../confirm/breaker.ts';
import type { CheckParts } from '../confirm/parts.ts';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { AckMemory } from '../receive/ack-memory.ts';
import type { Operations } from '../store/operations.ts';
import type { Clock } from '../time/clock.ts';
import type { AlertWatches } from './alert-watches.ts';
import type { JobResult } from './schedule.ts';

/** The configuration for the jobs: all of it but the listeners, the callback and the log. */
export type JobsConfig = Omit<Config, 'receiver' | 'admin' | 'callback' | 'log' | 'file'>;

/** The dependencies of every job, in `serve` and on the command line. */
export interface JobParts {
  readonly config: JobsConfig;
  readonly operations: Operations;
  readonly clock: Clock;
  /** Aborted when the job is to end early. */
  readonly signal: AbortSignal;
  /** Aborted some time after `signal`: calls to the service without an answer end. */
  readonly cutOff: AbortSignal;
  readonly onWarning: (text: string) => void;
  /** Passed from one sweep to the next, so that a pause outlasts a sweep. */
  readonly breaker?: Breaker;
  /** Kept from one judgement of alerts to the next. */
  readonly watches?: AlertWatches;
  /** What `serve` reports now, in a job of its own process; absent elsewhere. */
  readonly serve?: () => ServeReport | null;
  /** How long the acknowledgements of this `serve` took, in a job of its own process; absent elsewhere. */
  readonly acks?: AckMemory;
  /** Told of each status check, for the log. */
  readonly onChecked?: CheckParts['onChecked'];
  /** Writes the notice of an alert to the log of this process. */
  readonly onAlert?: (message: AlertMessage) => void;
  /** Reports progress; `total` is null when it is not known. */
  readonly onProgress?: (done: number, total: number | null) => void;
  /** Reports what this run did so far, by name, as in its result. */
  readonly onCounts?: (counts: Readonly<Record<string, number>>) => void;
  /** Called with the run of the reconciliation when it begins, and with null when it is over. */
  readonly onRun?: (run: number | null) => void;
}

/** A job. Rejects when it fails, and when its signal ends it. */
export type Job = (parts: JobParts) => Promise<JobResult>;

/** Lease of a run, in milliseconds; a run that does not renew it in time is lost, and the job runs again. */
export const JOB_LEASE_MS = 60_000;

/** Names this process, for people. */
export function holderName(command: string): string {
  return `${command} on ${hostname()}, process ${process.pid}`;
}
