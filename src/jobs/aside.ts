import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AsideAnswer, AsideOrder, Asides } from '../aside.ts';
import { TallyhookError } from '../domain/error.ts';
import { sourceFile } from '../package-root.ts';
import { errorOf } from '../store/sqlite/writer/messages.ts';

/** Has something done in a process of its own: see src/aside.ts. Rejects when it fails, and when the signal ends it. */
export async function aside<Name extends keyof Asides>(
  asked: AsideOrder<Name>,
  signal: AbortSignal,
): Promise<Asides[Name]['result']> {
  const child = fork(sourceFile('aside'), [JSON.stringify(asked)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let answer: AsideAnswer<Name> | undefined;
  child.once('message', (message: AsideAnswer<Name>) => {
    answer = message;
  });
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (answer === undefined) throw new TallyhookError(`The ${asked.name} was cut short.`, { kind: 'failed' });
  if ('failure' in answer) throw errorOf(answer.failure);
  return answer.result;
}
