import { type ChannelHealth, channelHealth, type HealthRules } from './confirm/health.ts';
import { storeError } from './store/sqlite/engine/failure.ts';
import { openArchive } from './store/sqlite/read/archive.ts';
import { backUpInSeries, type SeriesOrder, type SeriesResult } from './store/sqlite/upkeep/backup-series.ts';
import { type Failure, failureOf } from './store/sqlite/writer/messages.ts';

/** What can be done aside, by name: what each wants to know, and what it tells. */
export interface Asides {
  readonly backup: { readonly order: SeriesOrder; readonly result: SeriesResult };
  readonly health: {
    readonly order: { readonly path: string; readonly rules: HealthRules };
    readonly result: readonly ChannelHealth[];
  };
}

export interface AsideOrder<Name extends keyof Asides = keyof Asides> {
  readonly name: Name;
  readonly order: Asides[Name]['order'];
}

/** What the process says before it ends. */
export type AsideAnswer<Name extends keyof Asides = keyof Asides> =
  | { readonly result: Asides[Name]['result'] }
  | { readonly failure: Failure };

/**
 * Long calls into the engine that nothing can interrupt, started as `aside ORDER` (JSON). A thread that waited for one
 * could show no sign of life; a process can be killed by a stop, however large the file, and takes its memory along.
 */
process.on('disconnect', () => process.exit(1));
// A signal to the whole group is for whoever started this, and ends it in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
const asked: AsideOrder = JSON.parse(process.argv[2] ?? '');
let answer: AsideAnswer;
try {
  answer = { result: await carryOut(asked) };
} catch (error) {
  answer = { failure: failureOf(storeError(error, asked.order.path)) };
}
process.send?.(answer, () => process.exit(0));

async function carryOut({ name, order }: AsideOrder): Promise<Asides[keyof Asides]['result']> {
  if (name === 'backup') return backUpInSeries(order as SeriesOrder);
  const { path, rules } = order as Asides['health']['order'];
  const archive = openArchive(path);
  try {
    return await channelHealth(archive, rules);
  } finally {
    await archive.close();
  }
}
