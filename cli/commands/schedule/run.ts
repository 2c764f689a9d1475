import type { Config } from '../../../src/config/load.ts';
import { ConfigurationError, ENVIRONMENT_ALONE, type Problem } from '../../../src/config/problems.ts';
import { requireBaseUrl, requireKeyPairs } from '../../../src/config/required-keys.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { CALLS_THE_SERVICE, JOB_NAMES, type JobName } from '../../../src/domain/jobs/job.ts';
import type { RanJob } from '../../../src/jobs/schedule.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import type { HeldJob } from '../../../src/store/jobs.ts';
import type { OpenOperations } from '../../../src/store/store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { stopSignal } from '../../context/stop-signal.ts';
import type { Cli } from '../../options/options.ts';
import { heldJson } from '../../show/job.ts';
import { answeredNo, differencesFound, note, print, printJson } from '../../show/output.ts';
import { type Progress, progressBar } from '../../show/progress.ts';
import { duration, time } from '../../show/text.ts';

/** Time after Ctrl-C in which a job may end, 60 s; then its lease is released anyway. */
const STOP_MS = 60_000;

/** `tallyhook schedule run JOB`: runs a job now, under the same lease as `serve`. */
export function addScheduleRunCommand(cli: Cli): Cli {
  return cli.command(
    'run <job>',
    'Run a job now, unless another process is running it',
    (command) =>
      command
        .positional('job', { choices: JOB_NAMES, demandOption: true, describe: 'The job' })
        .example('$0 schedule run sweep', 'From cron, or a systemd timer, also beside a running serve')
        .epilogue('Exit code 3: it found something to look at; 1: it failed, was cut short, or is running elsewhere.'),
    async (argv) => {
      const config = await configFrom(argv);
      requireSettings(argv.job, config);
      // The first statements may come before the first delivery.
      const operations = await storeOf(config).operations({ create: argv.job === 'reconcile' });
      try {
        const ran = await runHere(argv.job, config, operations);
        if ('held' in ran) printHeld(argv.job, ran.held, argv);
        else printRun(ran, argv);
      } finally {
        await operations.close();
      }
    },
  );
}

function requireSettings(job: JobName, config: Config): void {
  if (CALLS_THE_SERVICE[job]) {
    requireBaseUrl(config);
    requireKeyPairs(config);
  }
  const missing = MISSING[job]?.(config) ?? null;
  if (missing !== null) throw new ConfigurationError(config.file ?? ENVIRONMENT_ALONE, [missing]);
}

const MISSING: Partial<Record<JobName, (config: Config) => Problem | null>> = {
  backup: ({ schedule }) =>
    schedule.backupFolder !== null
      ? null
      : { path: 'schedule.backupFolder', rule: 'is not set: set it, or use tallyhook backup FILE' },
  report: ({ reports }) =>
    reports.folder !== null || reports.mail !== null
      ? null
      : { path: 'reports.folder', rule: 'is not set: set it or reports.mail, or use tallyhook report month PERIOD' },
  prune: ({ prune }) =>
    Object.values(prune).some((age) => age !== null)
      ? null
      : { path: 'prune.afterDays', rule: 'is not set: set it, or use tallyhook prune --older 400d' },
};

async function runHere(
  job: JobName,
  config: Config,
  operations: OpenOperations,
): Promise<RanJob | { readonly held: HeldJob }> {
  const { runStoppable } = await import('../../../src/jobs/catalogue.ts');
  const { holderName, JOB_LEASE_MS } = await import('../../../src/jobs/job.ts');
  const { Schedule } = await import('../../../src/jobs/schedule.ts');
  const stop = stopSignal(`${job} ends early and its lease is released`);
  let progress: Progress | undefined;
  const onProgress = (done: number, total: number | null) => {
    progress ??= progressBar(total, 'done');
    progress.step(done);
  };
  const schedule = new Schedule({
    jobs: operations.jobs,
    clock: systemClock,
    holder: holderName('schedule run'),
    leaseMs: JOB_LEASE_MS,
    runnable: new Map([
      [
        job,
        (signal) =>
          runStoppable(job, {
            config,
            operations,
            clock: systemClock,
            signal,
            cutOff: stop.cutOff,
            onWarning: note,
            onAlert: ({ text }) => note(text),
            onProgress,
          }),
      ],
    ]),
    onRan: () => progress?.end(),
    onFault(error) {
      if (error instanceof TallyhookError && error.hint !== undefined) note(error.hint);
    },
  });
  stop.signal.addEventListener('abort', () => schedule.stop(STOP_MS));
  try {
    return await schedule.runNow(job);
  } finally {
    stop.dispose();
  }
}

interface Shown {
  readonly json: boolean | undefined;
}

function printHeld(job: JobName, held: HeldJob, { json }: Shown): void {
  if (json) printJson({ job, run: null, outcome: null, detail: null, tookMs: null, held: heldJson(held) });
  else note(`tallyhook: ${job} is running already: ${held.holder}, since ${time(held.sinceMs)}`);
  answeredNo();
}

function printRun({ run, outcome, detail, tookMs, accepted }: RanJob, { json }: Shown): void {
  const { job } = run;
  if (json) printJson({ job, run: run.run, outcome, detail, tookMs: Math.round(tookMs), held: null });
  else print(`${job} ${outcome} in ${duration(tookMs)}: ${detail}`);
  if (!accepted) note(`tallyhook: another process has taken over ${job}, so this run was not recorded`);
  if (!accepted || outcome === 'failed' || outcome === 'stopped') answeredNo();
  else if (outcome === 'found') differencesFound();
}
