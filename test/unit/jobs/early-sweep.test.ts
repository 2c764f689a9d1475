import { afterEach, beforeEach, expect, test } from 'vitest';
import { EarlySweep } from '../../../src/jobs/early-sweep.ts';
import type { JobResult } from '../../../src/jobs/schedule.ts';
import { DONE, HeldWork, Scheduling } from '../../support/scheduling.ts';
import { refund } from '../../support/test-database.ts';

const MINUTE_MS = 60_000;
const hourly = { job: 'sweep', schedule: '0 * * * *', zone: 'UTC' };

let world: Scheduling;
beforeEach(() => {
  world = new Scheduling();
});
afterEach(() => world.close());

function earlySweep(work: () => Promise<JobResult>, environments: readonly ('test' | 'live')[] = ['test']) {
  const ended: boolean[] = [];
  const schedule = world.schedule(
    { sweep: work },
    {
      onRan(ran) {
        world.ran.push(ran);
        ended.push(early.ran(ran));
      },
    },
  );
  const { checks } = world.open();
  const onFault = (error: unknown, doing: string) => world.faults.push({ error, doing });
  const early = new EarlySweep({ checks, schedule, environments: () => environments, onFault });
  const look = async () => {
    await early.look();
    await schedule.idle();
  };
  return { early, schedule, look, ended };
}
const report = (reference: string) => world.db.keepAndApply(refund(reference, 'success'));

test('a due record starts the sweep before its planned time, which stays; without one nothing begins', async () => {
  await world.plan(hourly);
  const plannedMs = (await world.open().jobs.states())[0]?.nextRunAtMs;
  const { look, ended } = earlySweep(async () => DONE);
  await look();
  expect(world.runs()).toEqual([]);
  report('R1');
  await look();
  expect(world.runs()).toMatchObject([{ job: 'sweep', cause: 'schedule', outcome: 'done' }]);
  expect(ended).toEqual([true]);
  expect((await world.open().jobs.states())[0]?.nextRunAtMs).toBe(plannedMs);
});

test('records of an environment without a key, and a job that is not scheduled, start nothing', async () => {
  report('R1');
  await earlySweep(async () => DONE).look();
  await world.plan(hourly);
  await earlySweep(async () => DONE, ['live']).look();
  expect(world.runs()).toEqual([]);
});

test('it begins one sweep at a time, also of two processes', async () => {
  await world.plan(hourly);
  report('R1');
  const held = new HeldWork();
  const [here, there] = [
    earlySweep(() => held.work(new AbortController().signal, new AbortController().signal)),
    earlySweep(async () => DONE),
  ];
  await here.early.look();
  await Promise.all([here.early.look(), there.look()]);
  expect([held.began, world.runs().length]).toEqual([1, 1]);
  held.end();
  await here.schedule.idle();
});

test('after a sweep that failed it waits for one of the schedule that does not', async () => {
  await world.plan({ ...hourly, schedule: '* * * * *' });
  report('R1');
  const results: JobResult['outcome'][] = ['failed', 'found', 'done'];
  const { look, schedule, ended } = earlySweep(async () => ({ ...DONE, outcome: results.shift() ?? 'done' }));
  await look();
  await look();
  expect(world.ran.map(({ outcome }) => outcome)).toEqual(['failed']);
  world.clock.ms += MINUTE_MS;
  await schedule.tick();
  await schedule.idle();
  await look();
  expect(world.ran.map(({ outcome }) => outcome)).toEqual(['failed', 'found', 'done']);
  expect(ended).toEqual([true, false, true]);
});
