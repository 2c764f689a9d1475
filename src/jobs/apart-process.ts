import { withSecrets } from '../config/plain.ts';
import { TallyhookError } from '../domain/error.ts';
import type { JobName } from '../domain/jobs/job.ts';
import { storeOf } from '../store/configured-store.ts';
import { systemClock } from '../time/clock.ts';
import type { FromApart, ToApart } from './apart.ts';
import { runJob } from './catalogue.ts';
import type { JobsConfig } from './job.ts';
import type { JobResult } from './schedule.ts';

/*
 * The process of a job that computes for long: runs the job that its first message names, answers, and ends. It ends with the
 * process that started it.
 */

const stopping = new AbortController();

process.on('disconnect', () => process.exit(1));
// A signal to the whole process group also reaches the parent, which ends this process in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('message', async (message: ToApart) => {
  if (message.type === 'stop') stopping.abort();
  else post(await answerOf(message.job, withSecrets<JobsConfig>(message.config)), () => process.exit(0));
});

function post(message: FromApart, whenSent?: () => void): void {
  process.send?.(message, undefined, undefined, whenSent);
}

async function answerOf(job: JobName, config: JobsConfig): Promise<FromApart> {
  try {
    return { type: 'ended', result: await run(job, config) };
  } catch (error) {
    if (!(error instanceof TallyhookError)) return { type: 'failed', ...unforeseen(error) };
    const { kind, message, hint } = error;
    return { type: 'failed', kind, message, hint };
  }
}

async function run(job: JobName, config: JobsConfig): Promise<JobResult> {
  const operations = await storeOf(config, { clock: systemClock }).operations();
  const { signal } = stopping;
  const told = {
    onWarning: (text: string) => post({ type: 'warning', text }),
    onProgress: (done: number, total: number | null) => post({ type: 'progress', done, total }),
    onRun: (run: number | null) => post({ type: 'run', run }),
  };
  try {
    return await runJob(job, { config, operations, clock: systemClock, signal, cutOff: signal, ...told });
  } finally {
    await operations.close();
  }
}

function unforeseen(error: unknown) {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'failed', message, hint: undefined } as const;
}
