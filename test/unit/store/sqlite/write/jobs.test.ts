import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jobWrites } from '../../../../../src/store/sqlite/write/jobs.ts';
import { nextRun } from '../../../../../src/time/cron.ts';
import { runsByLooking } from '../../../../support/minute-by-minute.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

const at = (text: string) => Date.parse(`2026-11-20T${text}Z`);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LEASE_MS = 60_000;
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

const lease = (time: string | number, names = ['backfill', 'backup', 'sweep'], holder = 'here') =>
  jobs.leaseDue({ jobs: names, holder, leaseMs: LEASE_MS, nowMs: typeof time === 'string' ? at(time) : time });
const only = <One>(list: readonly One[]): One => {
  expect(list).toHaveLength(1);
  return list[0] as One;
};
const end = (run: { run: number; job: string }, time: string, outcome: 'done' | 'failed' | 'stopped' = 'done') =>
  jobs.finish({ run: run.run, job: run.job, outcome, detail: `${outcome} it`, nowMs: at(time) });
const state = (job: string, time: string) => jobs.states({ nowMs: at(time) }).find((one) => one.job === job);
const nextOf = (job: string) => {
  const next = state(job, '00:00')?.nextRunAtMs ?? null;
  return next === null ? null : new Date(next).toISOString();
};

describe('the plan', () => {
  test('comes from the schedule and the zone, and stays when they do', () => {
    jobs.plan({ jobs: [hourly, daily], nowMs: at('10:20') });
    expect([nextOf('backfill'), nextOf('backup')]).toEqual(['2026-11-20T11:00:00.000Z', '2026-11-21T01:30:00.000Z']);
    jobs.plan({ jobs: [hourly, daily], nowMs: at('11:20') });
    expect(nextOf('backfill')).toBe('2026-11-20T11:00:00.000Z'); // missed meanwhile, so it is due
  });

  test.each([
    [{ ...hourly, schedule: '15 * * * *' }, '2026-11-20T11:15:00.000Z'],
    [{ ...hourly, zone: 'Asia/Kathmandu' }, '2026-11-20T11:15:00.000Z'],
  ])('is computed again when the schedule or the zone is another one: %o', (changed, next) => {
    jobs.plan({ jobs: [hourly], nowMs: at('08:20') });
    jobs.plan({ jobs: [changed], nowMs: at('10:20') });
    expect(nextOf('backfill')).toBe(next);
  });

  test('forgets what the configuration no longer names', () => {
    jobs.plan({ jobs: [hourly, daily], nowMs: at('10:20') });
    jobs.plan({ jobs: [daily], nowMs: at('10:30') });
    expect(state('backfill', '12:00')).toMatchObject({ schedule: null, nextRunAtMs: null });
    expect(lease('12:00')).toEqual([]);
  });
});

describe('leasing', () => {
  beforeEach(() => jobs.plan({ jobs: [hourly], nowMs: at('10:20') }));

  test('takes what is due, once, and plans the next run', () => {
    expect(lease('10:59:59.999')).toEqual([]);
    expect(lease('11:00')).toEqual([
      { run: 1, job: 'backfill', cause: 'schedule', plannedAtMs: at('11:00'), leasedUntilMs: at('11:01') },
    ]);
    expect(lease('11:00')).toEqual([]);
    expect(nextOf('backfill')).toBe('2026-11-20T12:00:00.000Z');
    expect(state('backfill', '11:00:30')?.held).toMatchObject({ run: 1, holder: 'here', sinceMs: at('11:00') });
  });

  test('takes only the named jobs', () => {
    expect(lease('11:00', ['sweep'])).toEqual([]);
    expect(lease('11:00', ['backfill'])).toHaveLength(1);
  });

  test('runs once for all that were missed', () => {
    const run = only(lease('18:40'));
    expect(run.plannedAtMs).toBe(at('11:00'));
    end(run, '18:41');
    expect(lease('18:59')).toEqual([]);
    expect(only(lease('19:00')).plannedAtMs).toBe(at('19:00'));
  });

  test('waits for the run that is under way, and then runs once', () => {
    const run = only(lease('11:00'));
    for (let minute = 1; minute < 180; minute++) {
      const nowMs = at('11:00') + minute * MINUTE_MS - 1;
      expect(jobs.renew({ run: run.run, job: 'backfill', leaseMs: LEASE_MS, nowMs })).toBe(true);
      expect(lease(nowMs)).toEqual([]);
    }
    end(run, '13:59:59');
    end(only(lease('14:00')), '14:00:10');
    expect(lease('14:00:20')).toEqual([]);
  });
});

describe('a run whose process ended', () => {
  beforeEach(() => jobs.plan({ jobs: [hourly], nowMs: at('10:20') }));

  test('is lost when its lease is over, and the job runs again', () => {
    const lost = only(lease('11:00'));
    expect(lease('11:00:59.999')).toEqual([]);
    expect(state('backfill', '11:01')).toMatchObject({ held: null, last: { run: lost.run, outcome: 'lost' } });
    const again = only(lease('11:01', ['backfill'], 'there'));
    expect(again).toMatchObject({ run: 2, plannedAtMs: at('11:00') });
    end(again, '11:02');
    expect(lease('11:59')).toEqual([]);
    expect(state('backfill', '11:59')).toMatchObject({ last: { run: 2, outcome: 'done' }, doneAtMs: at('11:02') });
  });

  test('writes nothing any more once another has taken over', () => {
    const zombie = only(lease('11:00'));
    const again = only(lease('11:01', ['backfill'], 'there'));
    expect(jobs.renew({ ...zombie, leaseMs: LEASE_MS, nowMs: at('11:01') })).toBe(false);
    expect(end(zombie, '11:02', 'failed')).toBe(false);
    expect(state('backfill', '11:01:30')?.held).toMatchObject({ run: again.run, holder: 'there' });
    expect(end(again, '11:03')).toBe(true);
    expect(end(again, '11:04', 'failed')).toBe(false);
    expect(state('backfill', '12:00')?.last).toMatchObject({ run: again.run, outcome: 'done', detail: 'done it' });
  });

  test('goes on when it was only late and no other run has taken over', () => {
    const late = only(lease('11:00'));
    expect(jobs.renew({ ...late, leaseMs: LEASE_MS, nowMs: at('11:30') })).toBe(true);
    expect(lease('11:30:59')).toEqual([]);
    expect(end(late, '11:45')).toBe(true);
  });
});

test('a stopped job is due again at once, for any process', () => {
  jobs.plan({ jobs: [daily], nowMs: at('00:00') });
  const stopped = only(lease('01:30'));
  end(stopped, '01:31', 'stopped');
  expect(state('backup', '01:31')).toMatchObject({
    held: null,
    nextRunAtMs: at('01:30'),
    last: { outcome: 'stopped' },
  });
  expect(only(lease('01:32', ['backup'], 'there')).plannedAtMs).toBe(at('01:30'));
  expect(nextOf('backup')).toBe('2026-11-21T01:30:00.000Z');
});

describe('a command', () => {
  const begin = (time: string, holder = 'shell') =>
    jobs.begin({ job: 'backup', holder, leaseMs: LEASE_MS, nowMs: at(time) });

  test('takes a job at any time and leaves its plan as it is', () => {
    jobs.plan({ jobs: [daily], nowMs: at('00:00') });
    expect(begin('00:10')).toEqual({
      run: { run: 1, job: 'backup', cause: 'command', plannedAtMs: null, leasedUntilMs: at('00:11') },
    });
    expect(end({ run: 1, job: 'backup' }, '00:11')).toBe(true);
    expect(only(lease('01:30')).cause).toBe('schedule');
  });

  test('also one that is not scheduled; after a stop it is still not scheduled', () => {
    expect(begin('00:10')).toHaveProperty('run');
    expect(end({ run: 1, job: 'backup' }, '00:10:30', 'stopped')).toBe(true);
    expect([nextOf('backup'), lease('00:13')]).toEqual([null, []]);
  });

  test('gets the holder of the job, and the schedule waits for the command', () => {
    jobs.plan({ jobs: [daily], nowMs: at('00:00') });
    begin('01:29:30');
    expect(begin('01:30', 'another')).toMatchObject({ held: { run: 1, cause: 'command', holder: 'shell' } });
    expect(lease('01:30')).toEqual([]);
    end({ run: 1, job: 'backup' }, '01:30:10');
    expect(lease('01:30:11')).toHaveLength(1);
  });

  test('whose process ended is lost, and is not repeated', () => {
    jobs.plan({ jobs: [daily], nowMs: at('00:00') });
    begin('00:10');
    expect(lease('00:20')).toEqual([]);
    expect(state('backup', '00:20')?.last?.outcome).toBe('lost');
    expect(nextOf('backup')).toBe('2026-11-20T01:30:00.000Z');
  });
});

describe('when the clock jumps', () => {
  const runs = (planned: typeof hourly, times: readonly number[]): string[] => {
    jobs.plan({ jobs: [planned], nowMs: times[0] ?? 0 });
    return times.flatMap((nowMs) =>
      lease(nowMs).map((run) => {
        jobs.finish({ run: run.run, job: run.job, outcome: 'done', detail: '', nowMs });
        return new Date(nowMs).toISOString().slice(0, 16);
      }),
    );
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
    { numRuns: 40 },
  );
});

test('a thousand runs of each job are kept', () => {
  jobs.plan({ jobs: [minutely, hourly], nowMs: at('00:00') });
  end(only(lease(at('00:00') + HOUR_MS, ['backfill'])), '01:00');
  for (let minute = 1; minute <= 1_010; minute++) {
    const nowMs = at('00:00') + minute * MINUTE_MS;
    const run = only(lease(nowMs, ['sweep']));
    jobs.finish({ run: run.run, job: run.job, outcome: 'done', detail: '', nowMs });
  }
  const count = db.database.prepare('SELECT job, count(*) AS runs FROM job_runs GROUP BY job').all();
  expect(count).toEqual([
    { job: 'backfill', runs: 1 },
    { job: 'sweep', runs: 1_000 },
  ]);
});
