import { parentPort, workerData } from 'node:worker_threads';
import { Breaker, STANDARD_BREAKER } from '../confirm/breaker.ts';
import { sweepOrderOf } from '../confirm/settings.ts';
import type { KeyPair } from '../domain/environment.ts';
import { TallyhookError } from '../domain/error.ts';
import { operationsOverPort } from '../store/operations-port.ts';
import { systemClock } from '../time/clock.ts';
import { plannedJobs, runJob } from './catalogue.ts';
import { JOB_LEASE_MS, type JobsConfig } from './job.ts';
import { type FromJobs, type JobsData, type ToJobs, withSecrets } from './messages.ts';
import { type RunnableJob, Schedule } from './schedule.ts';
import { wakeEveryMinute } from './wake.ts';

/**
 * The jobs' thread of `serve`: runs what the schedule says, asks the service, and leaves every write to the writer
 * thread. It opens no database of its own.
 */
function start({ config: plainConfig, holder, port }: JobsData, tell: (message: FromJobs) => void): void {
  let config = withSecrets<JobsConfig>(plainConfig);
  const { operations, close } = operationsOverPort(port);
  const planned = plannedJobs(config);
  const onFault = (error: unknown, doing: string) => {
    const message = error instanceof Error ? error.message : String(error);
    tell({ type: 'fault', doing, message, hint: error instanceof TallyhookError ? error.hint : undefined });
  };
  const onWarning = (text: string) => tell({ type: 'warning', text });
  const breaker = new Breaker(sweepOrderOf(config).breaker ?? STANDARD_BREAKER);
  const jobs = planned.map(({ job }): [string, RunnableJob] => [
    job,
    // Whatever keys and proven endpoints there are by now.
    (signal, cutOff) => runJob(job, { config, operations, clock: systemClock, signal, cutOff, onWarning, breaker }),
  ]);
  const schedule = new Schedule({
    jobs: operations.jobs,
    clock: systemClock,
    holder,
    leaseMs: JOB_LEASE_MS,
    runnable: new Map(jobs),
    onRan(ran) {
      tell({ type: 'ran', ran });
      tellStates();
    },
    onFault,
  });

  const tellStates = async () => {
    try {
      tell({ type: 'states', states: await operations.jobs.states({ nowMs: systemClock.nowMs() }) });
    } catch (error) {
      onFault(error, 'reading how the jobs stand');
    }
  };
  let isPlanned = false;
  const look = async () => {
    try {
      // Until it has worked once; from then on the plan is in the store.
      if (!isPlanned) await operations.jobs.plan({ jobs: planned, nowMs: systemClock.nowMs() });
      isPlanned = true;
    } catch (error) {
      onFault(error, 'planning');
      return;
    }
    await schedule.tick();
    await tellStates();
  };

  const wake = wakeEveryMinute(look, systemClock);
  const stop = async (graceMs: number) => {
    wake.stop();
    await schedule.stop(graceMs);
    close();
    process.exit(0);
  };
  parentPort?.on('message', (message: ToJobs) => {
    if (message.type === 'stop') stop(message.graceMs);
    else {
      config = { ...config, keyPairs: withSecrets<readonly KeyPair[]>(message.keyPairs) };
      look();
    }
  });
  look();
}

if (parentPort !== null) {
  const port = parentPort;
  start(workerData, (message) => port.postMessage(message));
}
