import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Plain, plain } from '../config/plain.ts';
import type { ErrorKind } from '../domain/error.ts';
import { TallyhookError } from '../domain/error.ts';
import type { JobName } from '../domain/jobs/job.ts';
import { sourceFile } from '../package-root.ts';
import type { Job, JobsConfig } from './job.ts';
import type { JobResult } from './schedule.ts';

/*
 * Jobs that compute for minutes run in a process of their own: they hold neither the jobs' thread nor memory of `serve`, and a run
 * without memory left ends that process alone. The lease of the run stays with the jobs' thread.
 */

export type ToApart =
  | { readonly type: 'run'; readonly job: JobName; readonly config: Plain<JobsConfig> }
  /** End the job early. */
  | { readonly type: 'stop' };

export type FromApart =
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'progress'; readonly done: number; readonly total: number | null }
  /** The run of the reconciliation that is computed; null: it is over. */
  | { readonly type: 'run'; readonly run: number | null }
  | { readonly type: 'ended'; readonly result: JobResult }
  | { readonly type: 'failed'; readonly kind: ErrorKind; readonly message: string; readonly hint: string | undefined };

/** Time after a stop in which the job may end by itself, 10 s; then its process is killed. `cutOff` kills it earlier. */
const STOP_MS = 10_000;

/**
 * The job of this name in a process of its own, which opens the store itself and ends with this one. A stop kills it at once while it
 * reconciles: it receives no message then, and a run that is not whole shows nowhere. `file`: what the process runs.
 */
export function apart(job: JobName, file = sourceFile('jobs/apart-process')): Job {
  return async ({ config, operations, signal, cutOff, onWarning, onProgress }) => {
    const child = fork(file, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // That the process is gone is seen by its close.
    const send = (message: ToApart) => child.connected && child.send(message, () => {});
    let answer: Extract<FromApart, { type: 'ended' | 'failed' }> | undefined;
    let run: number | null = null;
    const kill = () => child.kill('SIGKILL');
    child.on('message', (message: FromApart) => {
      if (message.type === 'warning') onWarning(message.text);
      else if (message.type === 'progress') onProgress?.(message.done, message.total);
      else if (message.type !== 'run') answer = message;
      else {
        run = message.run;
        if (run !== null && signal.aborted) kill();
      }
    });
    let late: NodeJS.Timeout | undefined;
    const stop = () => {
      if (run !== null) kill();
      else {
        send({ type: 'stop' });
        late = setTimeout(kill, STOP_MS);
      }
    };
    const closed = once(child, 'close');
    send({ type: 'run', job, config: plain(config) });
    const unlisten = [onAbort(signal, stop), onAbort(cutOff, kill)];
    try {
      const [code, ended] = await closed;
      if (answer === undefined && run !== null) {
        await operations.runs.abandonRun({ run });
        if (signal.aborted || cutOff.aborted) return { outcome: 'stopped', detail: 'cut short while it reconciled' };
      }
      if (answer === undefined) throw cutShort(job, ended ?? `code ${code}`);
    } finally {
      clearTimeout(late);
      for (const end of unlisten) end();
    }
    if (answer.type === 'ended') return answer.result;
    const { kind, message, hint } = answer;
    throw new TallyhookError(message, { kind, ...(hint !== undefined && { hint }) });
  };
}

function cutShort(job: JobName, how: string): TallyhookError {
  const hint = `What it had kept whole stays. Run it again: tallyhook schedule run ${job}`;
  return new TallyhookError(`The process of ${job} ended with ${how} before the job had ended.`, {
    kind: 'failed',
    hint,
  });
}

/** Calls `act` when the signal is aborted, or at once; returns what ends that. */
function onAbort(signal: AbortSignal, act: () => void): () => void {
  signal.addEventListener('abort', act, { once: true });
  if (signal.aborted) act();
  return () => signal.removeEventListener('abort', act);
}
