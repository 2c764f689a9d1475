import { hostname } from 'node:os';
import type { Config } from '../config/load.ts';
import type { Breaker } from '../confirm/breaker.ts';
import type { Operations } from '../store/operations.ts';
import type { Clock } from '../time/clock.ts';
import type { JobResult } from './schedule.ts';

/** What a job may know of the configuration; the listeners are none of its business. */
export type JobsConfig = Omit<Config, 'receiver' | 'admin' | 'callback' | 'log' | 'file'>;

/** What every job is handed, in `serve` and on the command line alike. */
export interface JobParts {
  readonly config: JobsConfig;
  readonly operations: Operations;
  readonly clock: Clock;
  /** Aborted when the job is to end early. */
  readonly signal: AbortSignal;
  /** Aborted a while after it: what the service has not answered by then is not waited for. */
  readonly cutOff: AbortSignal;
  readonly onWarning: (text: string) => void;
  /** Kept from one sweep to the next where there is a next one: a rest that the service asked for outlasts a sweep. */
  readonly breaker?: Breaker;
  /** For whoever watches: how far it has come, of how much when that is known. */
  readonly onProgress?: (done: number, total: number | null) => void;
}

/** A job. Rejects when it fails, and when its signal ends it. */
export type Job = (parts: JobParts) => Promise<JobResult>;

/** A run without a sign of life for so long is lost, and the job runs again. */
export const JOB_LEASE_MS = 60_000;

/** Which process this is, for a person. */
export function holderName(command: string): string {
  return `${command} on ${hostname()}, process ${process.pid}`;
}
