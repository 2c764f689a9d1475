import { expect, test } from 'vitest';
import { CALLS_THE_SERVICE, JOB_NAMES } from '../../../../src/domain/jobs/job.ts';

test('only the sweep and the backfill send requests to the service', () => {
  expect(JOB_NAMES.filter((name) => CALLS_THE_SERVICE[name])).toEqual(['sweep', 'backfill']);
});
