import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { JOB_NAMES, type JobName } from '../../../src/domain/jobs/job.ts';
import { requireJobSettings } from '../../../src/jobs/job-settings.ts';
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
      requireJobSettings(argv.job, config);
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

async function runHere(
  job: JobName,
  config: Config,
  operations: OpenOperations,
): Promise<RanJob | { readonly held: HeldJob }> {
  const { runJobNow } = await import('../../../src/jobs/run-now.ts');
  const stop = stopSignal(`${job} ends early and its lease is released`);
  let progress: Progress | undefined;
  const onProgress = (done: number, total: number | null) => {
    progress ??= progressBar(total, 'done');
    progress.step(done);
  };
  try {
    return await runJobNow(job, {
      ...{ config, operations, clock: systemClock, asked: 'schedule run', stopMs: STOP_MS },
      ...{ signal: stop.signal, cutOff: stop.cutOff, onWarning: note, onProgress },
      onAlert: ({ text }) => note(text),
      onFault(error) {
        if (error instanceof TallyhookError && error.hint !== undefined) note(error.hint);
      },
    });
  } finally {
    progress?.end();
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
