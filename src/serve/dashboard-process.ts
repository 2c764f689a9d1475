import type { Config } from '../config/load.ts';
import { withSecrets } from '../config/plain.ts';
import { look } from '../confirm/look.ts';
import type { Credential } from '../domain/access/proof.ts';
import { mayAct } from '../domain/access/roles.ts';
import { TallyhookError } from '../domain/error.ts';
import { storeOf } from '../store/configured-store.ts';
import { StoreError } from '../store/error.ts';
import type { Operations } from '../store/operations.ts';
import { systemClock } from '../time/clock.ts';
import type { Answer, AsideTools, Context, FetchedWorks } from '../web/dashboard/route.ts';
import { routesAt } from '../web/dashboard/routes.ts';
import type { FromWork, ToWork, WorkOrder } from '../web/dashboard/work-messages.ts';

/*
 * The process of a route of the dashboard that is `aside`: answers the one order that it is sent, and ends. It ends with the dashboard that
 * started it. It lies here because it runs jobs, too, which pages may not import.
 */

/** A route that is computed aside begins no other one. */
const NONE: FetchedWorks = {
  fetch: () => ({ to: '/' }),
  file: () => ({ to: '/' }),
  stop: () => ({ to: '/' }),
};
/** Time in which a job that was stopped may release what it holds; its process is killed a little later. */
const JOB_STOP_MS = 4_000;

const stopping = new AbortController();
/** Proves the acts of the visitor. Each call of the operations reads it, so a fresh proof counts for those that follow. */
const credential: { -readonly [Name in keyof Credential]: Credential[Name] } = { kind: 'session', digest: '' };
process.on('disconnect', () => process.exit(1));
// A signal to the whole process group also reaches the parent, which ends this process in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('message', async (message: ToWork) => {
  if (message.type === 'stop') stopping.abort();
  else if (message.type === 'proved') credential.digest = message.digest;
  else post(await messageOf(message.order), () => process.exit(0));
});

function post(message: FromWork, whenSent?: () => void): void {
  process.send?.(message, undefined, undefined, whenSent);
}

async function messageOf(order: WorkOrder): Promise<FromWork> {
  try {
    return { type: 'answer', answer: await answerOf(order) };
  } catch (error) {
    if (error instanceof TallyhookError) {
      const fault = error instanceof StoreError ? error.fault : null;
      return { type: 'failed', kind: error.kind, fault, message: error.message, hint: error.hint };
    }
    process.stderr.write(`dashboard: ${order.route.path} failed: ${error instanceof Error ? error.stack : error}\n`);
    return {
      type: 'failed',
      ...{ kind: 'failed', fault: null },
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
  Object.assign(credential, visitor.credential);
  const route = (await routesAt(path)).find((one) => one.method === method && one.path === path);
  if (route === undefined || route.act === 'login') throw new Error(`There is no route ${method} ${path}.`);
  const config = withSecrets<Config>(plainConfig);
  const store = storeOf(config, { clock: systemClock });
  const archive = await store.archive();
  const operations = await store.operations();
  const progress: Context['progress'] = (done, total) => post({ type: 'progress', done, total });
  try {
    return await route.handle({
      ...{ ...order, visitor, config, archive, operations: operations.as(credential), clock: systemClock },
      ...{ query: new URLSearchParams(query), form: new URLSearchParams(form), nowMs: systemClock.nowMs() },
      may: (act) => mayAct(visitor.roles, act),
      look: () => look(archive, { nowMs: systemClock.nowMs(), config, serve: null, cluster: null }),
      serve: () => null,
      works: NONE,
      progress,
      aside: {
        runJob: jobRunner({ config, operations, progress, asked: `the dashboard, for ${visitor.name}` }),
        auditVerdict: () => store.auditVerdict({ noted: null, onProgress: progress }),
      },
      signal: stopping.signal,
    });
  } finally {
    await operations.close();
    await archive.close();
  }
}

interface Running {
  readonly config: Config;
  /** Without a credential: jobs go as themselves. */
  readonly operations: Operations;
  readonly progress: Context['progress'];
  readonly asked: string;
}

/** Loads the jobs only when one is run. */
function jobRunner({ progress, ...own }: Running): AsideTools['runJob'] {
  return async (job) => {
    const { runJobNow } = await import('../jobs/run-now.ts');
    return runJobNow(job, {
      ...{ ...own, clock: systemClock, signal: stopping.signal, stopMs: JOB_STOP_MS, onProgress: progress },
      // What a run has to say is in its result, and in the alerts.
      ...{ onWarning: () => {}, onFault: () => {} },
    });
  };
}
