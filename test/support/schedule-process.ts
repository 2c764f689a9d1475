import { type JobResult, Schedule } from '../../src/jobs/schedule.ts';
import { systemClock } from '../../src/time/clock.ts';
import { sleep } from '../../src/time/sleep.ts';
import { FixedClock } from './fixed-clock.ts';
import { openOperations } from './operations.ts';
import { EXACT } from './sweeping.ts';

// A schedule in a process of its own: `schedule-process.ts DATABASE LEASE_MS [FIXED]`. A message makes it look, with FIXED at
// the time of the message, else at the real time; a run lasts until a message or an abort ends it. Tests kill it.

export type ToSchedule = { readonly do: 'tick'; readonly nowMs: number | null } | { readonly do: 'end' };
export type FromSchedule =
  | { readonly did: 'ticked'; readonly runs: readonly number[] }
  | { readonly did: 'ran'; readonly run: number; readonly outcome: string; readonly accepted: boolean };

const [, , database = '', leaseMs = '', fixed] = process.argv;
const fixedClock = fixed === undefined ? null : new FixedClock();
const clock = fixedClock ?? systemClock;
const operations = openOperations(database, EXACT, clock);
const post = (message: FromSchedule) => process.send?.(message);
let end: (result: JobResult) => void = () => {};

const schedule = new Schedule({
  jobs: operations.jobs,
  clock,
  holder: `process ${process.pid}`,
  leaseMs: Number(leaseMs),
  runnable: new Map([
    [
      'sweep',
      (signal) =>
        new Promise<JobResult>((resolve) => {
          end = resolve;
          sleep(600_000, signal).then(() => resolve({ outcome: 'stopped', detail: 'aborted' }));
        }),
    ],
  ]),
  onRan: ({ run, outcome, accepted }) => post({ did: 'ran', run: run.run, outcome, accepted }),
  onFault(error) {
    throw error;
  },
});

process.on('message', async (message: ToSchedule) => {
  if (message.do === 'end') end({ outcome: 'done', detail: 'ended by a message' });
  else {
    if (fixedClock !== null && message.nowMs !== null) fixedClock.ms = message.nowMs;
    const runs = await schedule.tick();
    post({ did: 'ticked', runs: runs.map(({ run }) => run) });
  }
});
process.on('disconnect', () => process.exit(1));
