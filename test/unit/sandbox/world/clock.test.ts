import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Clock } from '../../../../src/sandbox/world/clock.ts';
import { type Job, jobQueue } from '../../../../src/sandbox/world/job.ts';
import { parseDuration } from '../../../../src/sandbox/world/settings.ts';

function manualClock() {
  const clock = new Clock({ mode: 'manual', startMs: 0, speed: 1 });
  const ran: [number, string][] = [];
  clock.connect(
    (job) => ran.push([clock.now(), job.data.name ?? '']),
    () => Promise.resolve(),
  );
  return { clock, ran };
}

describe('the clock', () => {
  it('runs jobs at their own instants, in order, and only those that fall due', async () => {
    const { clock, ran } = manualClock();
    for (const [delay, name] of [
      [30, 'c'],
      [10, 'a'],
      [10, 'b'],
      [99, 'late'],
    ] as const)
      clock.schedule(delay, 'deliver', { name });
    await clock.advance(50);
    expect(ran).toEqual([
      [10, 'a'],
      [10, 'b'],
      [30, 'c'],
    ]);
    expect(clock.now()).toBe(50);
  });

  it('runs what jobs schedule on the way', async () => {
    const { clock } = manualClock();
    const times: number[] = [];
    clock.connect(
      () => {
        times.push(clock.now());
        if (times.length < 4) clock.schedule(10, 'deliver', {});
      },
      () => Promise.resolve(),
    );
    clock.schedule(10, 'deliver', {});
    await clock.advance(35);
    expect(times).toEqual([10, 20, 30]);
  });

  it('takes turns when advanced twice at once', async () => {
    const { clock } = manualClock();
    await Promise.all([clock.advance(10), clock.advance(20)]);
    expect(clock.now()).toBe(30);
  });

  it('follows real time, sped up, while running', async () => {
    const clock = new Clock({ mode: 'running', startMs: 0, speed: 1_000_000 });
    const ran = new Promise<number>((resolve) =>
      clock.connect(
        () => resolve(clock.now()),
        () => Promise.resolve(),
      ),
    );
    clock.schedule(60_000, 'deliver', {});
    expect(await ran).toBeGreaterThanOrEqual(60_000);
    clock.stop();
  });
});

it('the queue returns jobs by time, then by age, and lists them all', () => {
  const times = fc.array(fc.nat(20));
  fc.assert(
    fc.property(times, times, (kept, added) => {
      const jobs = [...kept, ...added].map((dueMs, id): Job => ({ id, dueMs, kind: 'deliver', data: {} }));
      const given = jobs.slice(0, kept.length).toReversed();
      const queue = jobQueue(given);
      for (const job of jobs.slice(kept.length)) queue.push(job);
      expect(queue.data.toSorted((a, b) => a.id - b.id)).toEqual(jobs);
      const out = Array.from({ length: jobs.length }, () => queue.pop());
      expect(out).toEqual(jobs.toSorted((a, b) => a.dueMs - b.dueMs || a.id - b.id));
      expect(queue.pop()).toBeUndefined();
      expect(given).toHaveLength(kept.length);
    }),
  );
});

it.each([
  ['90s', 90_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['250ms', 250],
  [5, 5],
  ['5', 5],
  ['', null],
  ['-1s', null],
  ['1w', null],
  ['401d', null],
  [1.5, null],
])('parses the duration %j as %j', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
