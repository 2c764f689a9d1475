import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JOB_OUTCOMES } from '../../../../src/domain/jobs/job.ts';
import {
  afterRun,
  dueJob,
  isHeld,
  type JobFacts,
  scheduled,
  withoutLostRun,
} from '../../../../src/domain/jobs/job-turn.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 10.5 * HOUR_MS;
/** The next whole hour; the schedule and the zone do not matter here. */
const nextRun = (_schedule: string, _zone: string, afterMs: number) => (Math.floor(afterMs / HOUR_MS) + 1) * HOUR_MS;
const HOURLY = { schedule: '0 * * * *', zone: 'UTC' };
const planned: JobFacts = {
  name: 'sweep',
  ...HOURLY,
  plannedFromMs: 9.5 * HOUR_MS,
  nextRunAtMs: 10 * HOUR_MS,
  run: 4,
  leasedUntilMs: null,
  runPlannedAtMs: null,
};
const UNPLANNED = { schedule: null, zone: null, plannedFromMs: null, nextRunAtMs: null };
/** Run 4, planned for 9:00, holds the job until 11:00; the next one is planned for 10:00. */
const held = { ...planned, leasedUntilMs: 11 * HOUR_MS, runPlannedAtMs: 9 * HOUR_MS };

test.each([
  ['without a lease', null, false],
  ['under a lease', NOW_MS + 1, true],
  ['when the lease is over', NOW_MS, false],
  ['under the longest lease', NOW_MS + 24 * HOUR_MS, true],
  ['not by a lease that only a wrong clock could give', NOW_MS + 24 * HOUR_MS + 1, false],
])('a job is held: %s', (_, leasedUntilMs, expected) => {
  expect(isHeld({ leasedUntilMs }, NOW_MS)).toBe(expected);
});

describe('the plan', () => {
  test('stays while schedule and zone do', () => {
    expect(scheduled(planned, HOURLY, NOW_MS, nextRun)).toBe(planned);
  });

  test.each([{ schedule: '5 * * * *' }, { zone: 'Africa/Lagos' }])('begins again with %o', (over) => {
    const again = { ...planned, ...over, plannedFromMs: NOW_MS, nextRunAtMs: 11 * HOUR_MS };
    expect(scheduled(planned, { ...HOURLY, ...over }, NOW_MS, nextRun)).toEqual(again);
  });

  test('ends when the configuration does not name the job, whose run goes on', () => {
    const unplanned = { ...held, ...UNPLANNED };
    expect(scheduled(held, null, NOW_MS, nextRun)).toEqual(unplanned);
    expect(scheduled(unplanned, null, NOW_MS, nextRun)).toBe(unplanned);
  });
});

describe('a due job', () => {
  test('runs for its planned time, and is planned from now: one run covers all missed ones', () => {
    const missed = { ...planned, plannedFromMs: HOUR_MS, nextRunAtMs: 2 * HOUR_MS };
    const next = { ...missed, plannedFromMs: NOW_MS, nextRunAtMs: 11 * HOUR_MS };
    expect(dueJob(missed, NOW_MS, nextRun)).toEqual({ job: next, plannedAtMs: 2 * HOUR_MS });
  });

  test.each([
    ['held', held],
    ['planned for later', { ...planned, plannedFromMs: NOW_MS, nextRunAtMs: NOW_MS + 1 }],
    ['not scheduled', { ...planned, ...UNPLANNED }],
  ])('is not one that is %s', (_, job) => {
    const turn = dueJob(job, NOW_MS, nextRun);
    expect(turn.plannedAtMs).toBeNull();
    expect(turn.job).toBe(job);
  });

  test('a clock that was ahead by an interval or more gave a wrong plan, which is corrected', () => {
    const ahead = { ...planned, plannedFromMs: NOW_MS + HOUR_MS, nextRunAtMs: NOW_MS + 2 * HOUR_MS };
    expect(dueJob(ahead, NOW_MS, nextRun).job).toBe(ahead);
    const { job, plannedAtMs } = dueJob(ahead, NOW_MS - 1, nextRun);
    expect([job.plannedFromMs, job.nextRunAtMs, plannedAtMs]).toEqual([NOW_MS - 1, 11 * HOUR_MS, null]);
  });
});

describe('a run', () => {
  test.each([
    ['of a job that is not known', undefined, 4],
    ['after another took the job over', { ...held, run: 5 }, 4],
    ['that has ended', planned, 4],
  ])('does not count: %s', (_, job, run) => {
    expect(afterRun(job, run, { outcome: 'stopped' })).toBeNull();
    expect(afterRun(job, run, { leasedUntilMs: 12 * HOUR_MS })).toBeNull();
  });

  test('whose lease is over counts until then', () => {
    const over = { ...held, leasedUntilMs: 1 };
    expect(afterRun(over, 4, { leasedUntilMs: 12 * HOUR_MS })).toEqual({ ...held, leasedUntilMs: 12 * HOUR_MS });
    expect(afterRun(over, 4, { outcome: 'done' })).toEqual(planned);
  });

  test.each([
    ['done', held, planned.nextRunAtMs],
    ['found', held, planned.nextRunAtMs],
    ['failed', held, planned.nextRunAtMs],
    ['stopped', held, held.runPlannedAtMs],
    ['lost', held, held.runPlannedAtMs],
    ['stopped', { ...held, runPlannedAtMs: null }, planned.nextRunAtMs],
    ['stopped', { ...held, ...UNPLANNED }, null],
  ] as const)('that ended as %s frees the job, and is repeated when it ended early', (outcome, job, nextRunAtMs) => {
    const freed = afterRun(job, 4, { outcome });
    expect(freed).toMatchObject({ leasedUntilMs: null, runPlannedAtMs: null, nextRunAtMs });
  });

  test('is lost once its lease is over', () => {
    expect(withoutLostRun(held, NOW_MS)).toBe(held);
    expect(withoutLostRun(planned, NOW_MS)).toBe(planned);
    expect(withoutLostRun(held, 11 * HOUR_MS)).toEqual(afterRun(held, 4, { outcome: 'lost' }));
  });
});

test('whatever happens: a stale run changes nothing, no two runs hold a job, and a planned time never gets lost', () => {
  const step = fc.record({
    does: fc.constantFrom('lease', 'renew', 'end'),
    waitMs: fc.integer({ min: 0, max: 3 * HOUR_MS }),
    run: fc.nat(6),
    outcome: fc.constantFrom(...JOB_OUTCOMES),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let nowMs = NOW_MS;
      let job = planned;
      let newest = 0;
      for (const { does, waitMs, run, outcome } of steps) {
        nowMs += waitMs;
        if (does === 'lease') {
          const turn = dueJob(withoutLostRun(job, nowMs), nowMs, nextRun);
          job = turn.job;
          if (turn.plannedAtMs === null) continue;
          expect(isHeld(job, nowMs)).toBe(false);
          newest += 1;
          job = { ...job, run: newest, leasedUntilMs: nowMs + HOUR_MS, runPlannedAtMs: turn.plannedAtMs };
          continue;
        }
        const after = afterRun(job, run, does === 'end' ? { outcome } : { leasedUntilMs: nowMs + HOUR_MS });
        if (run !== newest) expect(after).toBeNull();
        if (after === null) continue;
        const isRepeated = after.leasedUntilMs === null && (outcome === 'stopped' || outcome === 'lost');
        if (isRepeated) expect(after.nextRunAtMs).toBe(job.runPlannedAtMs);
        else expect(after.nextRunAtMs).toBe(job.nextRunAtMs);
        job = after;
      }
    }),
  );
});
