import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { plannedJobs, runsHere, unscheduled } from '../../../src/jobs/catalogue.ts';

const { schedule, ...config } = loadConfig({ env: {}, cwd: '/tmp' });
const planned = (over: Partial<typeof schedule>, baseUrl: string | null = 'https://service.example') =>
  plannedJobs({ ...config, baseUrl, schedule: { ...schedule, ...over } }).map(({ job }) => job);

test('a job with an expression is planned, in the zone of the schedule', () => {
  expect(planned({})).toContain('sweep');
  expect(planned({ sweep: null })).not.toContain('sweep');
  const jobs = plannedJobs({ baseUrl: null, schedule: { ...schedule, backup: '30 2 * * *', timeZone: 'Asia/Tokyo' } });
  expect(jobs).toContainEqual({ job: 'backup', schedule: '30 2 * * *', zone: 'Asia/Tokyo' });
});

test('a job that calls the service is planned only with a baseUrl', () => {
  expect(planned({ backup: '30 2 * * *' })).toEqual(['sweep', 'backfill', 'health', 'alerts', 'backup']);
  expect(planned({ backup: '30 2 * * *' }, null)).toEqual(['health', 'alerts', 'backup']);
});

test('of several machines, those without the files run no job that needs them', () => {
  const url = 'postgres://node@db/tallyhook';
  const jobs = ['sweep', 'alerts', 'prune', 'backup', 'reconcile', 'report'] as const;
  const here = (over: Partial<typeof config.cluster>) =>
    jobs.filter((job) => runsHere(job, { cluster: { ...config.cluster, ...over } }));
  expect(here({ files: false })).toEqual(jobs); // a machine alone
  expect(here({ url })).toEqual(jobs);
  expect(here({ url, files: false })).toEqual(['sweep', 'alerts', 'prune']);
});

test('unscheduled settings plan nothing', () => {
  expect(planned(unscheduled({ ...schedule, backup: '30 2 * * *' }))).toEqual([]);
});
