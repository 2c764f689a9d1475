import { parentPort, workerData } from 'node:worker_threads';
import type { AlertMessage } from '../alert/message.ts';
import { withSecrets } from '../config/plain.ts';
import { Breaker, STANDARD_BREAKER } from '../confirm/breaker.ts';
import { clusterView } from '../confirm/cluster-problems.ts';
import { look } from '../confirm/look.ts';
import type { CheckedRecord } from '../confirm/parts.ts';
import { sweepOrderOf } from '../confirm/settings.ts';
import type { KeyPair } from '../domain/environment.ts';
import { TallyhookError } from '../domain/error.ts';
import { AckMemory } from '../receive/ack-memory.ts';
import { storeOf } from '../store/configured-store.ts';
import { StoreError } from '../store/error.ts';
import { operationsOf } from '../store/operations-channel.ts';
import { systemClock } from '../time/clock.ts';
import { AlertWatches } from './alert-watches.ts';
import { checkAlerts } from './alerts.ts';
import { plannedJobs, runStoppable, runsHere } from './catalogue.ts';
import { EarlyAlerts } from './early-alerts.ts';
import { EarlySweep } from './early-sweep.ts';
import { JOB_LEASE_MS, type JobsConfig } from './job.ts';
import type { FromJobs, JobsData, Looked, ToJobs } from './messages.ts';
import { type RunnableJob, Schedule } from './schedule.ts';
import { wakeEveryMinute } from './wake.ts';

/** Longest time of alerts that are told from memory: the next minute tells again. */
const TELL_TIMEOUT_MS = 50_000;

/**
 * The jobs' thread of `serve`: runs the scheduled jobs and calls the service. Every write goes to the thread of the database; this
 * thread opens no database to write.
 */
function start(
  { config: plainConfig, holder, port, traced, ...data }: JobsData,
  post: (message: FromJobs) => void,
): void {
  let config = withSecrets<JobsConfig>(plainConfig);
  let { report } = data;
  const { operations, close } = operationsOf(port);
  const planned = plannedJobs(config);
  const onFault = (error: unknown, doing: string) => {
    const message = error instanceof Error ? error.message : String(error);
    post({ type: 'fault', doing, message, hint: error instanceof TallyhookError ? error.hint : undefined });
  };
  const onWarning = (text: string) => post({ type: 'warning', text });
  const breaker = new Breaker(sweepOrderOf(config).breaker ?? STANDARD_BREAKER);
  const watches = new AlertWatches();
  const acks = new AckMemory(data.acks);
  const onAlert = (message: AlertMessage) => post({ type: 'alert', message });
  const onChecked = traced ? (checked: CheckedRecord) => post({ type: 'checked', checked }) : undefined;
  /** What the running jobs did so far. */
  const present = new Map<string, Readonly<Record<string, number>>>();
  const here = planned.filter(({ job }) => runsHere(job, config));
  const jobs = here.map(({ job }): [string, RunnableJob] => [
    job,
    // Reads `config` at each run, because the keys may have been reloaded.
    (signal, cutOff) => {
      const serve = () => report;
      const onCounts = (counts: Readonly<Record<string, number>>) => void present.set(job, counts);
      const calls = { onWarning, onAlert, onChecked, onCounts };
      const own = { clock: systemClock, signal, cutOff, breaker, watches, serve, acks, ...calls };
      return runStoppable(job, { config, operations, ...own });
    },
  ]);
  /** Alerts are told from memory while the store takes no write, not even the lease of their job. */
  const isTelling = planned.some(({ job }) => job === 'alerts');
  let telling: Promise<unknown> | null = null;
  const tellFromMemory = (error: unknown) => {
    if (!isTelling || telling !== null) return;
    const unwritable =
      error instanceof StoreError ? error : new StoreError('busy', 'The database took no write in time.');
    const signal = AbortSignal.timeout(TELL_TIMEOUT_MS);
    const own = {
      config,
      operations,
      clock: systemClock,
      signal,
      onWarning,
      watches,
      serve: report,
      onAlert,
      unwritable,
    };
    telling = checkAlerts(own)
      .catch((error) => onFault(error, 'telling alerts from memory'))
      .finally(() => {
        telling = null;
      });
  };

  const schedule = new Schedule({
    jobs: operations.jobs,
    clock: systemClock,
    holder,
    leaseMs: JOB_LEASE_MS,
    runnable: new Map(jobs),
    onRan(ran) {
      present.delete(ran.run.job);
      post({ type: 'ran', ran, isEarly: early.ran(ran) });
      postStates();
      if (ran.run.job === 'alerts') setImmediate(() => alerts.ran()); // after it is no longer running
    },
    onFault,
    onUnleased: tellFromMemory,
  });

  const alerts = new EarlyAlerts(schedule);
  const early = new EarlySweep({
    checks: operations.checks,
    schedule,
    environments: () => [...new Set(config.keyPairs.map(({ environment }) => environment))],
    onFault,
  });
  const postStates = async () => {
    try {
      post({ type: 'states', states: await operations.jobs.states() });
    } catch (error) {
      onFault(error, 'reading the states of the jobs');
    }
  };
  let isPlanned = false;
  const runDue = async () => {
    try {
      // Repeated until it succeeds once; then the plan is in the store.
      if (!isPlanned) await operations.jobs.plan({ jobs: planned });
      if (!isPlanned && planned.some(({ job }) => job === 'sweep')) early.start();
      isPlanned = true;
    } catch (error) {
      onFault(error, 'writing the plan');
      tellFromMemory(error);
      return;
    }
    await schedule.tick();
    await postStates();
  };

  const lookOnce = async (): Promise<Looked | null> => {
    for (const [job, counts] of present) post({ type: 'counts', job, counts });
    try {
      const store = storeOf(config);
      const cluster = await clusterView(store.cluster);
      const archive = await store.archive();
      const order = { nowMs: systemClock.nowMs(), config, serve: report, cluster };
      const { system, problems, targets } = await look(archive, order).finally(() => archive.close());
      const codes = problems.map(({ code }) => ({ code }));
      // While the store takes no write, the alerts that were told are in memory alone.
      const alerts = watches.memory.isEmpty ? system.alerts : watches.memory.counts();
      return {
        system: { ...system, alerts },
        problems: codes,
        targets,
        clockOffsetMs: watches.clock.offsetMs,
        cluster,
      };
    } catch (error) {
      onFault(error, 'looking how everything stands');
      return null;
    }
  };

  const wake = wakeEveryMinute(runDue, systemClock);
  const stop = async (graceMs: number) => {
    wake.stop();
    early.stop();
    await schedule.stop(graceMs);
    close();
    process.exit(0);
  };
  parentPort?.on('message', (message: ToJobs) => {
    if (message.type === 'stop') stop(message.graceMs);
    else if (message.type === 'report') {
      report = message.report;
      if (isPlanned) alerts.reported(report);
    } else if (message.type === 'look') lookOnce().then((looked) => post({ type: 'looked', looked }));
    else {
      config = { ...config, keyPairs: withSecrets<readonly KeyPair[]>(message.keyPairs) };
      runDue();
    }
  });
  runDue();
}

if (parentPort !== null) {
  const port = parentPort;
  start(workerData, (message) => port.postMessage(message));
}
