import { withSecrets } from '../config/plain.ts';
import { TallyhookError } from '../domain/error.ts';
import { tryFile } from '../reconcile/folder/try.ts';
import { readProfile } from '../reconcile/profile/load.ts';
import { storeOf } from '../store/configured-store.ts';
import type { OpenOperations } from '../store/store.ts';
import { systemClock } from '../time/clock.ts';
import type { JobsConfig } from './job.ts';
import type { FromReading, ToReading } from './reading.ts';

/*
 * The process that reads the files of the statements folder: imports each file that it is told, and answers. It ends with the process
 * that started it.
 */

const stopping = new AbortController();
let operations: Promise<OpenOperations> | undefined;

process.on('disconnect', () => process.exit(0));
// A signal to the whole process group also reaches the parent, which ends this process in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('message', async (message: ToReading) => {
  if (message.type === 'stop') stopping.abort();
  else post(await answerOf(message));
});

function post(message: FromReading): void {
  process.send?.(message);
}

async function answerOf({ config, file, profile, known }: ToReading & { type: 'try' }): Promise<FromReading> {
  try {
    operations ??= storeOf(withSecrets<JobsConfig>(config), { clock: systemClock }).operations();
    const { statements } = await operations;
    const answer = await tryFile(file, readProfile(profile.text, profile.path), known, {
      statements: {
        ...statements,
        async begin(order) {
          const begun = await statements.begin(order);
          if (begun.outcome === 'begun') post({ type: 'begun', statement: begun.statement });
          return begun;
        },
      },
      signal: stopping.signal,
      onProgress: () => post({ type: 'progress' }),
    });
    return { type: 'tried', answer };
  } catch (error) {
    if (error instanceof TallyhookError) {
      const { kind, message, hint } = error;
      return { type: 'failed', kind, message, hint };
    }
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { type: 'failed', kind: 'failed', message, hint: undefined };
  }
}
