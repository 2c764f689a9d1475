import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JobResult } from '../../../src/jobs/schedule.ts';
import { StoreError } from '../../../src/store/error.ts';
import { DONE, HeldWork, LEASE_MS, Scheduling } from '../../support/scheduling.ts';

const MINUTE_MS = 60_000;
const sweep = { job: 'sweep', schedule: '* * * * *', zone: 'UTC' };
const backup = { job: 'backup', schedule: '30 2 * * *', zone: 'UTC' };

let world: Scheduling;
beforeEach(() => {
  world = new Scheduling();
});
afterEach(() => world.close());

test('a due job runs, and its result is recorded', async () => {
  await world.plan(sweep);
  const schedule = world.schedule({
    sweep: async () => ({ outcome: 'found', detail: 'checked 3', counts: { checked: 3 } }),
  });
  expect(await schedule.tick()).toEqual([]);
  world.clock.ms += MINUTE_MS;
  expect(await schedule.tick()).toMatchObject([{ job: 'sweep', cause: 'schedule', plannedAtMs: world.clock.ms }]);
  await schedule.idle();
  expect(world.runs()).toEqual([
    { run: 1, job: 'sweep', cause: 'schedule', holder: 'process 2', outcome: 'found', detail: 'checked 3' },
  ]);
  expect(world.ran).toMatchObject([{ outcome: 'found', counts: { checked: 3 }, accepted: true }]);
  expect(world.renewing).toBe(0);
});

test('a job that throws is recorded as failed and reported, and the others go on', async () => {
  await world.plan(sweep, { ...backup, schedule: '* * * * *' });
  const schedule = world.schedule({
    backup: async () => {
      throw new StoreError('disk_full', 'The disk is full.');
    },
    sweep: async () => DONE,
  });
  world.clock.ms += MINUTE_MS;
  await schedule.tick();
  await schedule.idle();
  const ended = world.ran.map(({ run, outcome, detail }) => [run.job, outcome, detail]).sort();
  expect(ended).toEqual([
    ['backup', 'failed', 'The disk is full.'],
    ['sweep', 'done', 'did it'],
  ]);
  expect(world.faults).toMatchObject([{ doing: 'backup', error: { fault: 'disk_full' } }]);
});

test('a long detail is cut', async () => {
  await world.plan(sweep);
  const schedule = world.schedule({ sweep: async () => ({ outcome: 'done', detail: 'x'.repeat(10_000) }) });
  world.clock.ms += MINUTE_MS;
  await schedule.tick();
  await schedule.idle();
  expect(world.runs()).toMatchObject([{ detail: 'x'.repeat(500) }]);
});

test('two schedules on one database: each due run begins once, in any order and number of ticks', async () => {
  await world.plan(sweep);
  const began: string[] = [];
  const schedules = ['one', 'other'].map((name) =>
    world.schedule({
      sweep: async (): Promise<JobResult> => {
        began.push(`${name} ${(world.clock.ms / MINUTE_MS) % 1_440}`);
        return DONE;
      },
    }),
  );
  for (let minute = 1; minute <= 50; minute++) {
    world.clock.ms += MINUTE_MS;
    const order = minute % 2 === 0 ? schedules : schedules.toReversed();
    await Promise.all([...order, ...order].map((schedule) => schedule.tick()));
    await Promise.all(schedules.map((schedule) => schedule.idle()));
  }
  expect(new Set(began.map((text) => text.split(' ')[1])).size).toBe(50);
  expect(began).toHaveLength(50);
  expect(new Set(began.map((text) => text.split(' ')[0])).size).toBe(2);
});

test('a run that renews its lease is not taken over, however long it lasts, and does not overlap with itself', async () => {
  await world.plan(sweep);
  const held = new HeldWork();
  const [one, other] = [world.schedule({ sweep: held.work }), world.schedule({ sweep: held.work })];
  world.clock.ms += MINUTE_MS;
  await one.tick();
  for (let renewal = 0; renewal < 40; renewal++) {
    world.clock.ms += LEASE_MS / 4;
    await world.renew();
    expect([...(await one.tick()), ...(await other.tick())]).toEqual([]);
  }
  held.end();
  await one.idle();
  expect([await other.tick(), held.began]).toMatchObject([[{ run: 2 }], 2]);
  await other.stop(0);
});

test('a run that does not renew its lease is taken over and aborted, and its result is not recorded', async () => {
  await world.plan(sweep);
  const zombie = new HeldWork();
  const [one, other] = [world.schedule({ sweep: zombie.work }), world.schedule({ sweep: async () => DONE })];
  world.clock.ms += MINUTE_MS;
  await one.tick();
  world.clock.ms += LEASE_MS;
  await other.tick();
  await other.idle();
  await world.renew();
  await one.idle();
  expect(zombie.aborted).toBe(1);
  expect(world.ran.map(({ run, outcome, accepted }) => [run.run, outcome, accepted])).toEqual([
    [2, 'done', true],
    [1, 'stopped', false],
  ]);
  expect(world.runs()).toMatchObject([
    { run: 1, outcome: 'lost' },
    { run: 2, outcome: 'done' },
  ]);
});

test('a run whose lease cannot be renewed goes on until the lease is over, and then ends', async () => {
  await world.plan(sweep);
  const held = new HeldWork();
  const busy = () => Promise.reject(new StoreError('busy', 'The database is busy.'));
  const schedule = world.schedule({ sweep: held.work }, { jobs: { ...world.open().jobs, renew: busy } });
  world.clock.ms += MINUTE_MS;
  await schedule.tick();
  world.clock.ms += LEASE_MS - 1;
  await world.renew();
  expect(held.aborted).toBe(0);
  world.clock.ms += 1;
  await world.renew();
  expect([held.aborted, world.faults.length]).toEqual([1, 2]);
  await schedule.idle();
});

test('a clock that jumps 400 days does not start a second run of a job that runs here', async () => {
  await world.plan(sweep);
  const held = new HeldWork();
  const schedule = world.schedule({ sweep: held.work });
  world.clock.ms += MINUTE_MS;
  await schedule.tick();
  world.clock.ms += 400 * 24 * 60 * MINUTE_MS;
  expect(await schedule.tick()).toEqual([]);
  await world.renew();
  expect([held.began, held.aborted]).toEqual([1, 0]);
  held.end();
  await schedule.idle();
  expect(world.ran).toMatchObject([{ outcome: 'done', accepted: true }]);
});

test('a stop aborts the running jobs, waits for them, and releases them', async () => {
  await world.plan(sweep);
  const held = new HeldWork();
  const [one, other] = [world.schedule({ sweep: held.work }), world.schedule({ sweep: async () => DONE })];
  world.clock.ms += MINUTE_MS;
  await one.tick();
  await one.stop(60_000);
  expect(world.runs()).toMatchObject([{ outcome: 'stopped', detail: 'aborted' }]);
  expect(await one.tick()).toEqual([]);
  expect(await other.tick()).toMatchObject([{ run: 2, plannedAtMs: world.clock.ms }]);
  await other.idle();
});

test('a stop waits no longer than its grace time: a job that has not ended is released', async () => {
  await world.plan(sweep);
  const endless = Promise.withResolvers<JobResult>();
  const [one, other] = [world.schedule({ sweep: () => endless.promise }), world.schedule({ sweep: async () => DONE })];
  world.clock.ms += MINUTE_MS;
  await one.tick();
  await one.stop(1);
  expect(world.runs()).toMatchObject([{ outcome: 'stopped' }]);
  expect(await other.tick()).toHaveLength(1);
  await other.idle();
  endless.resolve(DONE);
  await one.idle();
  expect(world.runs()).toMatchObject([{ outcome: 'stopped' }, { outcome: 'done' }]);
});

test('a run that is leased while the stop begins is released without having begun', async () => {
  await world.plan(sweep);
  const held = new HeldWork();
  const schedule = world.schedule({ sweep: held.work });
  world.clock.ms += MINUTE_MS;
  await Promise.all([schedule.tick(), schedule.stop(60_000)]);
  await schedule.idle();
  expect([held.began, world.runs()]).toMatchObject([0, [{ outcome: 'stopped' }]]);
});

test('a command runs a job at once, unless another process runs it', async () => {
  await world.plan(backup);
  const held = new HeldWork();
  const schedule = world.schedule({ backup: held.work });
  const first = schedule.runNow('backup');
  const other = world.schedule({ backup: held.work });
  expect(await other.runNow('backup')).toMatchObject({ held: { cause: 'command', holder: 'process 2' } });
  held.end();
  expect(await first).toMatchObject({ outcome: 'done', accepted: true, run: { cause: 'command' } });
});

test('a store that cannot be reached is reported, and tried again', async () => {
  await world.plan(sweep);
  let isDown = true;
  const { jobs } = world.open();
  const down = () => Promise.reject(new StoreError('busy', 'The database is busy.'));
  const schedule = world.schedule(
    { sweep: async () => DONE },
    { jobs: { ...jobs, leaseDue: (order) => (isDown ? down() : jobs.leaseDue(order)) } },
  );
  world.clock.ms += MINUTE_MS;
  expect(await schedule.tick()).toEqual([]);
  expect(world.faults).toMatchObject([{ doing: 'leasing due jobs' }]);
  isDown = false;
  expect(await schedule.tick()).toHaveLength(1);
  await schedule.idle();
});
