import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { FLAGS_OF_KEPT_CODE } from '../../cli/runtime.js';
import { packageFile } from '../../src/package-root.ts';
import type { CarriedOut, CommandOrder, Written } from './command-process.ts';
import { temporaryFolder } from './folder.ts';
import { killGroup, spawn } from './processes.ts';
import { SetClock } from './set-clock.ts';
import type { Ended } from './tallyhook.ts';

export interface RunnerSetup {
  /** A program that runs the process, such as setpriv with its options. */
  readonly under?: readonly string[];
  /** The clock of the process. */
  readonly clock?: SetClock;
  readonly env?: Readonly<Record<string, string>>;
}

/** A process that carries out commands, one after the other: `command-process.ts`. */
export class CommandRunner {
  /** How many commands it has not answered. */
  orders = 0;
  hasEnded = false;
  readonly child: ChildProcess;
  readonly #clock: SetClock;
  #last: Promise<unknown>;

  constructor({ under = [], env = {}, clock = new SetClock(openFolder()) }: RunnerSetup = {}) {
    this.#clock = clock;
    const node = [process.execPath, ...FLAGS_OF_KEPT_CODE, ...clock.node];
    const [program = '', ...words] = [...under, ...node, packageFile('test/support/command-process.ts')];
    this.child = spawn(program, words, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...env, ...clock.env },
    });
    this.child.once('exit', () => {
      this.hasEnded = true;
    });
    this.child.unref();
    this.child.channel?.unref();
    this.#last = this.#answer();
    this.#last.catch(() => {}); // the first command reports it
  }

  /** Resolves when the process takes commands. */
  async ready(): Promise<this> {
    await this.#last;
    return this;
  }

  /** `nowMs`: where the clock stands meanwhile. Without it the clock is as its owner sets it. */
  carryOut(order: CommandOrder, nowMs?: number): Promise<CarriedOut> {
    this.orders += 1;
    const ended = this.#last.then(async () => {
      if (nowMs !== undefined) this.#clock.stopAt(nowMs);
      this.child.send(order);
      const answer = (await this.#answer()) as CarriedOut;
      if (nowMs !== undefined) this.#clock.reset();
      return answer;
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
    this.hasEnded = true;
    killGroup(this.child);
  }

  /** Its next message; rejects when it ends before. */
  async #answer(): Promise<unknown> {
    const hasEnded = new AbortController();
    const end = (code: number | null) => hasEnded.abort(new Error(`it ended with ${code}`));
    this.child.once('exit', end);
    try {
      const [message] = await once(this.child, 'message', { signal: hasEnded.signal });
      return message;
    } finally {
      this.child.off('exit', end);
    }
  }
}

/** A folder that the process of another user can read, too. */
function openFolder(): string {
  const folder = temporaryFolder({ inMemory: true });
  chmodSync(folder, 0o755);
  return folder;
}

/** What a command printed, each stream for itself. */
export function endedOf({ code, written }: CarriedOut): Ended {
  const on = (stream: Written['stream']) => written.flatMap((one) => (one.stream === stream ? one.text : [])).join('');
  return { code, stdout: on('stdout'), stderr: on('stderr') };
}
