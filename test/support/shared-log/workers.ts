import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { packageFile } from '../../../src/package-root.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { refund } from '../deliveries.ts';
import { fork } from '../processes.ts';
import type { Machine } from '../several-machines.ts';
import { type Held, planWork, takenBy } from './taken-work.ts';

/** A machine that takes work. */
export interface Worker {
  readonly name: string;
  keep(reference: string): Promise<void>;
  /** Takes of each kind of work what there is. `nowMs`: by the clock of the log. */
  take(round: number, nowMs: number): Promise<Held[]>;
  /** Whether the process that took it still runs. */
  holds(held: Held): boolean;
}

/** The machine works in this process. */
export async function workerHere(machine: Machine): Promise<Worker> {
  const { name } = machine;
  const inbox = await machine.serve();
  await planWork(inbox.operations);
  return {
    name,
    keep: (reference) => inbox.keep(refund(reference, 'pending')),
    take: (round, nowMs) => takenBy(inbox.operations, { holder: name, round, nowMs }),
    holds: () => true,
  };
}

type Act =
  | { readonly act: 'keep'; readonly reference: string }
  | { readonly act: 'take'; readonly round: number; readonly nowMs: number }
  | { readonly act: 'end'; readonly number: number };

/** What a process that works is told, with the time of its clock. */
export type WorkerCall = Act & { readonly id: number; readonly clockMs: number };

export interface WorkerAnswer {
  /** 0: it is ready. */
  readonly id: number;
  readonly result:
    | readonly { readonly key: string; readonly untilMs: number; readonly number: number }[]
    | boolean
    | null;
}

/** The process was killed. With `wasTold` it was told to do something before, which may be done. */
export class Killed extends Error {
  readonly wasTold: boolean;

  constructor(name: string, wasTold: boolean) {
    super(`${name} was killed`);
    this.wasTold = wasTold;
  }
}

/** The machine works in a process of its own, which can be killed. */
export class KilledWorker implements Worker {
  readonly name: string;
  readonly #path: string;
  readonly #log: string;
  readonly #clock: Clock;
  readonly #open = new Map<number, PromiseWithResolvers<WorkerAnswer['result']>>();
  readonly #takenBy = new WeakMap<Held, ChildProcess>();
  #child: ChildProcess | null = null;
  #last = 0;

  constructor({ name, path }: Machine, log: string, clock: Clock) {
    this.name = name;
    this.#path = path;
    this.#log = log;
    this.#clock = clock;
  }

  /** Resolves once the process has joined. */
  async start(): Promise<void> {
    const child = fork(
      packageFile('test/support/shared-log/worker-process.ts'),
      [this.name, this.#path, this.#log],
      {},
    );
    this.#child = child;
    child.on('message', ({ id, result }: WorkerAnswer) => {
      this.#open.get(id)?.resolve(result);
      this.#open.delete(id);
    });
    child.once('exit', () => {
      for (const { reject } of this.#open.values()) reject(new Killed(this.name, true));
      this.#open.clear();
    });
    const ready = Promise.withResolvers<WorkerAnswer['result']>();
    this.#open.set(0, ready);
    await ready.promise;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async keep(reference: string): Promise<void> {
    await this.#call({ act: 'keep', reference });
  }

  async take(round: number, nowMs: number): Promise<Held[]> {
    const child = this.#child;
    const taken = (await this.#call({ act: 'take', round, nowMs })) as Exclude<WorkerAnswer['result'], boolean | null>;
    return taken.map(({ key, untilMs, number }) => {
      const end = async () => {
        if (!this.holds(held)) throw new Killed(this.name, false);
        return (await this.#call({ act: 'end', number })) === true;
      };
      const held: Held = { key, untilMs, end };
      if (child !== null) this.#takenBy.set(held, child);
      return held;
    });
  }

  holds(held: Held): boolean {
    return this.#takenBy.get(held) === this.#child;
  }

  #call(act: Act): Promise<WorkerAnswer['result']> {
    const child = this.#child;
    if (child === null) return Promise.reject(new Killed(this.name, false));
    const id = ++this.#last;
    const answered = Promise.withResolvers<WorkerAnswer['result']>();
    this.#open.set(id, answered);
    child.send({ ...act, id, clockMs: this.#clock.nowMs() } satisfies WorkerCall);
    return answered.promise;
  }
}
