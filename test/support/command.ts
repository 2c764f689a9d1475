import type { ChildProcess, fork as nodeFork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { FLAGS_OF_KEPT_CODE } from '../../cli/runtime.js';
import { packageFile } from '../../src/package-root.ts';
import type { CommandOrder } from './command-process.ts';
import { fork, forThisFile } from './processes.ts';
import type { Ended, RunOptions } from './tallyhook.ts';

export interface CommandOptions extends Pick<RunOptions, 'cwd' | 'env'> {
  /** What stdout and stderr report as the width of a terminal; without it they are files. */
  readonly columns?: number;
}

/**
 * Runs one command in a process that carries out all those of a test file, one after the other: a tenth of the time of
 * `tallyhook`. For what a command reads, does and prints. What concerns the start, the end, signals, streams or two processes at
 * a time is a matter of `tallyhook`. `test/integration/command-process.test.ts` compares the two.
 */
export function command(args: readonly string[], { cwd, env = {}, columns }: CommandOptions): Promise<Ended> {
  const order: CommandOrder = { args, cwd, env: { PATH: process.env.PATH ?? '', ...env }, columns };
  const ended = last.then(
    () => carryOut(order),
    () => carryOut(order),
  );
  last = ended;
  return ended;
}

let last: Promise<unknown> = Promise.resolve();
let ofFile: { readonly path: string | undefined; readonly child: ChildProcess } | undefined;

async function carryOut(order: CommandOrder): Promise<Ended> {
  try {
    const child = await processOfFile();
    child.send(order);
    return (await answerOf(child)) as Ended;
  } catch (error) {
    ofFile = undefined;
    throw new Error(`The process of the commands failed: ${order.args.join(' ')}`, { cause: error });
  }
}

async function processOfFile(): Promise<ChildProcess> {
  const path = expect.getState().testPath;
  if (ofFile !== undefined && ofFile.path === path) return ofFile.child;
  const child = await forThisFile(async () => fork(packageFile('test/support/command-process.ts'), [], START));
  ofFile = { path, child };
  await answerOf(child);
  return child;
}

/** Its next message; rejects when it ends before. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const hasEnded = new AbortController();
  const end = (code: number | null) => hasEnded.abort(new Error(`it ended with ${code}`));
  child.once('exit', end);
  try {
    const [message] = await once(child, 'message', { signal: hasEnded.signal });
    return message;
  } finally {
    child.off('exit', end);
  }
}

const START: Parameters<typeof nodeFork>[2] = {
  execArgv: FLAGS_OF_KEPT_CODE,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
};
