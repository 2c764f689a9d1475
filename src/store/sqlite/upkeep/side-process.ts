import { fork } from 'node:child_process';
import { once } from 'node:events';
import { TallyhookError } from '../../../domain/error.ts';
import { sourceFile } from '../../../package-root.ts';
import { errorOf, type Failure, failureOf } from '../../error.ts';
import { storeError } from '../engine/failure.ts';

// One engine call over the whole database cannot be interrupted; a process can be ended by a stop, however large the file.

/** The one message of a side process. */
type Answer<Result> = { readonly result: Result } | { readonly failure: Failure };

export interface SideProcess {
  /** The module of the process, which calls `answerOrder`. */
  readonly module: string;
  /** The message of the error when `signal` ends the process. */
  readonly cutShort: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Gives an order to a side process and returns its result.
 *
 * @throws StoreError when the order fails, TallyhookError when `signal` cuts it short
 */
export async function runInSideProcess<Result>(
  { module, cutShort, env }: SideProcess,
  order: object,
  signal: AbortSignal,
): Promise<Result> {
  const child = fork(sourceFile(module), [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(env !== undefined && { env }),
  });
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let answer: Answer<Result> | undefined;
  child.once('message', (message: Answer<Result>) => {
    answer = message;
  });
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (answer === undefined) throw new TallyhookError(cutShort, { kind: 'failed' });
  if ('failure' in answer) throw errorOf(answer.failure);
  return answer.result;
}

/** The other half, in the side process: carries out the order of the command line, answers, and ends. */
export function answerOrder<Order extends { readonly path: string }>(work: (order: Order) => unknown): void {
  process.on('disconnect', () => process.exit(1));
  // A signal to the whole process group also reaches the parent, which ends this process in order.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const order: Order = JSON.parse(process.argv[2] ?? '');
  process.send?.(answerOf(work, order), () => process.exit(0));
}

function answerOf<Order extends { readonly path: string }>(
  work: (order: Order) => unknown,
  order: Order,
): Answer<unknown> {
  try {
    return { result: work(order) };
  } catch (error) {
    return { failure: failureOf(storeError(error, order.path)) };
  }
}
