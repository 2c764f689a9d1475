import { fork } from 'node:child_process';
import { once } from 'node:events';
import { TallyhookError } from '../../../domain/error.ts';
import { sourceFile } from '../../../package-root.ts';
import { errorOf, type Failure, failureOf } from '../../error.ts';
import { storeError } from '../engine/failure.ts';

// One engine call over the whole database cannot be interrupted; a process can be ended by a stop, however large the file.

/** The last message of a side process. */
type Answer<Result> = { readonly result: Result } | { readonly failure: Failure };
type Message<Result, Progress> = Answer<Result> | { readonly progress: Progress };

export interface SideProcess {
  /** The module of the process, which calls `answerOrder`. */
  readonly module: string;
  /** The message of the error when `signal` ends the process, or another cause; a function looks afterwards. */
  readonly cutShort: string | (() => string);
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Gives an order to a side process and returns its result; `onProgress` gets what it reports.
 *
 * @throws StoreError when the order fails, TallyhookError when `signal` cuts it short
 */
export async function runInSideProcess<Result, Progress = never>(
  { module, cutShort, env }: SideProcess,
  order: object,
  signal: AbortSignal,
  onProgress?: (progress: Progress) => void,
): Promise<Result> {
  const child = fork(sourceFile(module), [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced', // a value of the database may be a bigint, or bytes
    ...(env !== undefined && { env }),
  });
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let answer: Answer<Result> | undefined;
  child.on('message', (message: Message<Result, Progress>) => {
    if ('progress' in message) onProgress?.(message.progress);
    else answer = message;
  });
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (answer === undefined) {
    throw new TallyhookError(typeof cutShort === 'string' ? cutShort : cutShort(), { kind: 'failed' });
  }
  if ('failure' in answer) throw errorOf(answer.failure);
  return answer.result;
}

/** The other half, in the side process: carries out the order of the command line, answers, and ends. */
export function answerOrder<Order extends { readonly path: string }, Progress = never>(
  work: (order: Order, report: (progress: Progress) => void) => unknown,
): void {
  process.on('disconnect', () => process.exit(1));
  // A signal to the whole process group also reaches the parent, which ends this process in order.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const order: Order = JSON.parse(process.argv[2] ?? '');
  const report = (progress: Progress) => void process.send?.({ progress });
  process.send?.(
    answerOf(() => work(order, report), order.path),
    () => process.exit(0),
  );
}

function answerOf(work: () => unknown, path: string): Answer<unknown> {
  try {
    return { result: work() };
  } catch (error) {
    return { failure: failureOf(storeError(error, path)) };
  }
}
