import { expect } from 'vitest';
import type { CarriedOut } from './command-process.ts';
import { CommandRunner, endedOf } from './command-runner.ts';
import { startFor } from './processes.ts';
import type { Ended, RunOptions } from './tallyhook.ts';

export interface CommandOptions extends Pick<RunOptions, 'cwd' | 'env' | 'under'> {
  /** What stdout and stderr report as the width of a terminal; without it they are files. */
  readonly columns?: number;
  /** Where its clock stands; without it, it goes as that of the machine. */
  readonly nowMs?: number | undefined;
}

/**
 * Runs one command in a process that carries out all those of a worker of the tests, one after the other: a tenth of the time of
 * `tallyhook`. `under` a program there is a process for all those of a file. For what a command reads, does and prints. What concerns
 * the start, the end, signals, streams or two processes at a time is a matter of `tallyhook`.
 * `test/integration/command-process.test.ts` compares the two.
 */
export async function command(args: readonly string[], options: CommandOptions): Promise<Ended> {
  return endedOf(await carryOut(args, options));
}

/** As `command`, with what both streams got in its order. */
export function carryOut(
  args: readonly string[],
  { cwd, env = {}, under = [], columns, nowMs }: CommandOptions,
): Promise<CarriedOut> {
  const order = { args, cwd, env: { PATH: process.env.PATH ?? '', ...env }, columns };
  return runnerOf(under, env).carryOut(order, nowMs);
}

interface Running {
  readonly runner: CommandRunner;
  /** The test file that used it last. */
  readonly testPath: string | undefined;
}
/** By what runs them. */
const running = new Map<string, Running>();

function runnerOf(under: readonly string[], env: Readonly<Record<string, string>>): CommandRunner {
  const { testPath } = expect.getState();
  const key = JSON.stringify(under);
  const used = running.get(key);
  if (used?.testPath === testPath && used?.runner.hasEnded === false) return used.runner;
  // A test that ran into its time limit leaves its command behind: the next file does not wait for it.
  const isForWorker = under.length === 0;
  if (used !== undefined && (used.runner.orders > 0 || !isForWorker)) used.runner.kill();
  const isLeft = used !== undefined && !used.runner.hasEnded;
  const runner = isLeft
    ? used.runner
    : startFor(isForWorker ? 'worker' : 'file', () => new CommandRunner(isForWorker ? {} : { under, env }));
  running.set(key, { runner, testPath });
  return runner;
}
