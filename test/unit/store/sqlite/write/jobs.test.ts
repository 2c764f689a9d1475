import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jobWrites } from '../../../../../src/store/sqlite/write/jobs.ts';
import { nextRun } from '../../../../../src/time/cron.ts';
import { runsByLooking } from '../../../../support/minute-by-minute.ts';
import { randomRuns } from '../../../../support/random-runs.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

const at = (text: string) => Date.parse(`2026-11-20T${text}Z`);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LEASE_MS = 60_000;
const caller = { machine: 'here', pid: 1, isGone: () => false };
const hourly = { job: 'backfill', schedule: '0 * * * *', zone: 'UTC' };
const daily = { job: 'backup', schedule: '30 2 * * *', zone: 'Africa/Lagos' };
const minutely = { job: 'sweep', schedule: '* * * * *', zone: 'UTC' };

let db: TestDatabase;
let jobs: ReturnType<typeof jobWrites>;
beforeEach(() => {
  db = new TestDatabase();
  jobs = jobWrites(db.database, nextRun);
});
afterEach(() => db.remove());

const lease = (time: string | number, names = ['backfill', 'backup', 'sweep']) =>
  jobs.leaseDue({
    jobs: names,
    holder: 'here',
    leaseMs: LEASE_MS,
    nowMs: typeof time === 'string' ? at(time) : time,
    caller,
  });
const only = <One>(list: readonly One[]): One => {
  expect(list).toHaveLength(1);
  return list[0] as One;
};
const end = ({ run, job }: { run: number; job: string }, time: string) =>
  jobs.finish({ run, job, outcome: 'done', detail: 'done it', nowMs: at(time) });

describe('when the clock jumps', () => {
  const runs = (planned: typeof hourly, times: readonly number[]): string[] => {
    jobs.plan({ jobs: [planned], nowMs: times[0] ?? 0 });
    const runAll = db.database.transaction(() =>
      times.flatMap((nowMs) =>
        lease(nowMs).map((run) => {
          jobs.finish({ run: run.run, job: run.job, outcome: 'done', detail: '', nowMs });
          return new Date(nowMs).toISOString().slice(0, 16);
        }),
      ),
    );
    return runAll();
  };
  const minutes = (from: number, count: number) => Array.from({ length: count }, (_, one) => from + one * MINUTE_MS);

  test('an hour ahead: what was skipped runs once', () => {
    const times = [...minutes(at('01:00'), 10), ...minutes(at('02:10'), 60)];
    expect(runs(daily, times)).toEqual(['2026-11-20T02:10']);
  });

  test('an hour ahead: what runs every minute goes on every minute', () => {
    const times = [...minutes(at('01:00'), 10), ...minutes(at('02:10'), 10)];
    expect(runs(minutely, times)).toHaveLength(19);
  });

  test('an hour back: what ran already does not run twice', () => {
    const times = [...minutes(at('01:00'), 40), ...minutes(at('00:40'), 120)];
    expect(runs(daily, times)).toEqual(['2026-11-20T01:30']);
  });

  test('an hour back: an hourly job pauses once, and is not doubled', () => {
    const times = [...minutes(at('01:30'), 40), ...minutes(at('01:10'), 180)];
    expect(runs(hourly, times)).toEqual(['2026-11-20T02:00', '2026-11-20T03:00', '2026-11-20T04:00']);
  });

  test('an hour back: what runs every minute does not pause for an hour', () => {
    const times = [...minutes(at('01:00'), 10), ...minutes(at('00:10'), 10)];
    expect(runs(minutely, times)).toHaveLength(18);
  });

  test.each([
    ['daily', daily, 24 * HOUR_MS],
    ['hourly', hourly, HOUR_MS],
    ['every minute', minutely, MINUTE_MS],
  ])('400 days ahead and back again: what is %s runs once then, and goes on as planned', (_name, planned, periodMs) => {
    const startMs = at('00:00:30');
    const farMs = startMs + 400 * 24 * HOUR_MS;
    const times = [startMs, ...minutes(farMs, 1), ...minutes(startMs + MINUTE_MS, 25 * 60)];
    const ran = runs(planned, times);
    expect(ran[0]).toBe(new Date(farMs).toISOString().slice(0, 16));
    const missed = Math.abs(ran.length - 1 - (25 * HOUR_MS) / periodMs);
    expect(missed).toBeLessThanOrEqual(1);
  });

  test('a lease given by a clock that was 400 days ahead delays no run', () => {
    jobs.plan({ jobs: [hourly], nowMs: at('10:20') });
    only(lease(at('11:00') + 400 * 24 * HOUR_MS));
    end(only(lease('11:00')), '11:01'); // its run is lost, so it is repeated
    expect(lease('11:59')).toEqual([]);
    expect(lease('12:00')).toHaveLength(1);
  });
});

test('at any time, a job runs when a planned time has passed since it last ran, and not otherwise', () => {
  let count = 0;
  const change = fc.constantFrom(
    { zone: 'Europe/London', atMs: Date.parse('2026-10-25T01:00Z') },
    { zone: 'America/New_York', atMs: Date.parse('2026-03-08T07:00Z') },
    { zone: 'Australia/Lord_Howe', atMs: Date.parse('2026-04-04T15:00Z') },
  );
  const schedules = fc.constantFrom(
    '* * * * *',
    '*/7 * * * *',
    '30 1 * * *',
    '15 2 * * *',
    '0 */3 * * *',
    '0 0-6 * * *',
  );
  const steps = fc.array(fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 900 })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(change, schedules, steps, ({ zone, atMs }, schedule, minutes) => {
      const job = `job ${++count}`;
      let [lastMs, nowMs] = [atMs - 12 * HOUR_MS, atMs - 12 * HOUR_MS];
      jobs.plan({ jobs: [{ job, schedule, zone }], nowMs });
      for (const step of minutes) {
        nowMs += step * MINUTE_MS;
        const planned = runsByLooking(schedule, zone, lastMs, nowMs);
        const ran = lease(nowMs, [job]);
        expect(ran.map(({ plannedAtMs }) => plannedAtMs)).toEqual(planned.slice(0, 1));
        for (const run of ran) jobs.finish({ run: run.run, job, outcome: 'done', detail: '', nowMs });
        if (ran.length > 0) lastMs = nowMs;
      }
    }),
    { numRuns: randomRuns(40) },
  );
});

test('a thousand runs of each job are kept', () => {
  jobs.plan({ jobs: [minutely, hourly], nowMs: at('00:00') });
  end(only(lease(at('00:00') + HOUR_MS, ['backfill'])), '01:00');
  const runAll = db.database.transaction(() => {
    for (let minute = 1; minute <= 1_010; minute++) {
      const nowMs = at('00:00') + minute * MINUTE_MS;
      const run = only(lease(nowMs, ['sweep']));
      jobs.finish({ run: run.run, job: run.job, outcome: 'done', detail: '', nowMs });
    }
  });
  runAll();
  const count = db.database.prepare('SELECT job, count(*) AS runs FROM job_runs GROUP BY job').all();
  expect(count).toEqual([
    { job: 'backfill', runs: 1 },
    { job: 'sweep', runs: 1_000 },
  ]);
});
