import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { FLAGS_OF_KEPT_CODE } from '../../cli/runtime.js';
import { packageFile } from '../../src/package-root.ts';
import type { CommandOrder } from './command-process.ts';
import { fork, forThisWorker, killGroup } from './processes.ts';
import type { Ended, RunOptions } from './tallyhook.ts';

export interface CommandOptions extends Pick<RunOptions, 'cwd' | 'env'> {
  /** What stdout and stderr report as the width of a terminal; without it they are files. */
  readonly columns?: number;
}

/**
 * Runs one command in a process that carries out all those of a worker of the tests, one after the other: a tenth of the time of
 * `tallyhook`. For what a command reads, does and prints. What concerns the start, the end, signals, streams or two processes at
 * a time is a matter of `tallyhook`. `test/integration/command-process.test.ts` compares the two.
 */
export function command(args: readonly string[], { cwd, env = {}, columns }: CommandOptions): Promise<Ended> {
  const { testPath } = expect.getState();
  // A test that ran into its time limit leaves its command behind: the next file does not wait for it.
  if (theProcess !== undefined && theProcess.testPath !== testPath && theProcess.orders > 0) theProcess.kill();
  theProcess ??= new CommandProcess();
  theProcess.testPath = testPath;
  return theProcess.carryOut({ args, cwd, env: { PATH: process.env.PATH ?? '', ...env }, columns });
}

let theProcess: CommandProcess | undefined;

class CommandProcess {
  /** The test file that used it last. */
  testPath: string | undefined;
  /** How many commands it has not answered. */
  orders = 0;
  readonly #child: ChildProcess;
  #last: Promise<unknown>;

  constructor() {
    this.#child = forThisWorker(() => fork(packageFile('test/support/command-process.ts'), [], START));
    this.#child.unref();
    this.#child.channel?.unref();
    this.#last = this.#answer();
    this.#last.catch(() => {}); // the first command reports it
  }

  carryOut(order: CommandOrder): Promise<Ended> {
    this.orders += 1;
    const ended = this.#last.then(async () => {
      this.#child.send(order);
      return (await this.#answer()) as Ended;
    });
    this.#last = ended;
    return ended
      .catch((error) => {
        this.kill();
        throw new Error(`The process of the commands failed: ${order.args.join(' ')}`, { cause: error });
      })
      .finally(() => {
        this.orders -= 1;
      });
  }

  kill(): void {
    killGroup(this.#child);
    if (theProcess === this) theProcess = undefined;
  }

  /** Its next message; rejects when it ends before. */
  async #answer(): Promise<unknown> {
    const hasEnded = new AbortController();
    const end = (code: number | null) => hasEnded.abort(new Error(`it ended with ${code}`));
    this.#child.once('exit', end);
    try {
      const [message] = await once(this.#child, 'message', { signal: hasEnded.signal });
      return message;
    } finally {
      this.#child.off('exit', end);
    }
  }
}

const START: Parameters<typeof fork>[2] = {
  execArgv: FLAGS_OF_KEPT_CODE,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
};
