import type { Config } from '../../config/load.ts';
import { withSecrets } from '../../config/plain.ts';
import { look } from '../../confirm/look.ts';
import { mayAct } from '../../domain/access/roles.ts';
import { TallyhookError } from '../../domain/error.ts';
import { storeOf } from '../../store/configured-store.ts';
import { systemClock } from '../../time/clock.ts';
import type { Answer, FetchedWorks } from './route.ts';
import { routes } from './routes.ts';
import type { FromWork, WorkOrder } from './work.ts';

/** A route that is computed aside begins no other one. */
const NONE: FetchedWorks = {
  fetch: () => ({ to: '/' }),
  stop: () => ({ to: '/' }),
};

/*
 * The process of a route that is `aside`: answers the one order that it is sent, and ends. It ends with the dashboard that started it.
 */

process.on('disconnect', () => process.exit(1));
// A signal to the whole process group also reaches the parent, which ends this process in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('message', async (order: WorkOrder) => post(await messageOf(order), () => process.exit(0)));

function post(message: FromWork, whenSent?: () => void): void {
  process.send?.(message, undefined, undefined, whenSent);
}

async function messageOf(order: WorkOrder): Promise<FromWork> {
  try {
    return { type: 'answer', answer: await answerOf(order) };
  } catch (error) {
    if (error instanceof TallyhookError)
      return { type: 'failed', kind: error.kind, message: error.message, hint: error.hint };
    process.stderr.write(`dashboard: ${order.route.path} failed: ${error instanceof Error ? error.stack : error}\n`);
    return {
      type: 'failed',
      kind: 'failed',
      message: 'The dashboard has a defect here.',
      hint: 'The log names the cause.',
    };
  }
}

async function answerOf({
  route: { method, path },
  visitor,
  query,
  form,
  config: plainConfig,
  ...order
}: WorkOrder): Promise<Answer> {
  const route = routes().find((one) => one.method === method && one.path === path);
  if (route === undefined || route.act === 'login') throw new Error(`There is no route ${method} ${path}.`);
  const config = withSecrets<Config>(plainConfig);
  const store = storeOf(config, { clock: systemClock });
  const archive = await store.archive();
  const operations = await store.operations();
  try {
    return await route.handle({
      ...{ ...order, visitor, config, archive, operations: operations.as(visitor.credential), clock: systemClock },
      ...{ query: new URLSearchParams(query), form: new URLSearchParams(form), nowMs: systemClock.nowMs() },
      may: (act) => mayAct(visitor.roles, act),
      look: () => look(archive, { nowMs: systemClock.nowMs(), config, serve: null, cluster: null }),
      serve: () => null,
      works: NONE,
      progress: (done, total) => post({ type: 'progress', done, total }),
      signal: new AbortController().signal,
    });
  } finally {
    await operations.close();
    await archive.close();
  }
}
