import type { Database } from '../../src/store/sqlite/engine/database.ts';
import type { Serve } from './serve.ts';
import { until } from './wait.ts';

/**
 * Makes a job of `serve` due, and resolves when it runs. A SIGHUP makes the schedule look at once; one that comes while the
 * job still runs, or while the schedule looks, starts nothing, and the job would wait for the next minute. So the signal is
 * repeated until the job runs.
 */
export async function runNow(serve: Serve, database: Database, job: string): Promise<void> {
  const due = database.prepare(
    'UPDATE jobs SET next_run_at = 1, planned_from = 1 WHERE name = ? AND schedule IS NOT NULL',
  );
  await until(() => due.run(job).changes === 1, `${job} is planned`);
  const isDue = database.prepare('SELECT next_run_at = 1 FROM jobs WHERE name = ?').pluck();
  await until(() => {
    if (isDue.get(job) === 0) return true;
    serve.signal('SIGHUP');
    return false;
  }, `${job} runs`);
}
