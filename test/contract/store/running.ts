import type { JobRun } from '../../../src/store/jobs.ts';
import { START_MS } from '../../support/fixed-clock.ts';
import type { Handle } from './handle.ts';

export const LEASE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const hourly = { job: 'backfill', schedule: '20 * * * *', zone: 'UTC' };
export const daily = { job: 'backup', schedule: '30 2 * * *', zone: 'Africa/Lagos' };
/** 10:20, when the hourly job is due; the world begins at 10:00. */
export const DUE_MS = START_MS + 20 * 60_000;

export const plan = async (handle: Handle, ...jobs: (typeof hourly)[]) =>
  (await handle.operations()).jobs.plan({ jobs });
export const leaseDue = async (handle: Handle, holder = 'here', jobs = ['backfill', 'backup']): Promise<JobRun[]> =>
  (await handle.operations()).jobs.leaseDue({ jobs, holder, leaseMs: LEASE_MS });
/** Leases a job although its planned time has not come. */
export const leaseEarly = async (handle: Handle, job: string, holder = 'here'): Promise<JobRun[]> =>
  (await handle.operations()).jobs.leaseDue({ jobs: [job], early: [job], holder, leaseMs: LEASE_MS });
export const begin = async (handle: Handle, holder = 'shell') =>
  (await handle.operations()).jobs.begin({ job: 'backup', holder, leaseMs: LEASE_MS });
export const renew = async (handle: Handle, { run, job }: JobRun) =>
  (await handle.operations()).jobs.renew({ run, job, leaseMs: LEASE_MS });
export const end = async (handle: Handle, { run, job }: JobRun, outcome: 'done' | 'failed' | 'stopped' = 'done') =>
  (await handle.operations()).jobs.finish({ run, job, outcome, detail: `${outcome} it` });
export const state = async (handle: Handle, job: string) =>
  (await (await handle.archive()).jobs()).find((one) => one.job === job);
