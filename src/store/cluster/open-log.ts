import type { ClusterOptions, SharedLogOrder } from '../cluster-options.ts';
import type { KnownLog, LogUser, SharedLog, SharedLogUpkeep } from './shared-log.ts';

/** What a module of a log exports. */
export interface LogModule {
  openLog(options: unknown, user: LogUser): Promise<SharedLog>;
  openUpkeep(options: unknown): Promise<SharedLogUpkeep>;
}

/** The log of this machine, for this thread: closed at the end of its block. `known`: what its database knows of it (`cluster-state`). */
export async function openLog(
  { log: order, node: name }: ClusterOptions,
  known: KnownLog | null,
  { evenLeft = false }: Partial<Pick<LogUser, 'evenLeft'>> = {},
): Promise<Closing<SharedLog>> {
  const user = { name, known, evenLeft };
  if (order.kind === 'postgres') return closing((await import('./postgres/log.ts')).openPostgresLog(order, user));
  const module: LogModule = await import(order.module);
  return closing(await module.openLog(order.options, user));
}

/** Opens what persons do with the log as a whole: closed at the end of its block. */
export async function openUpkeep(order: SharedLogOrder): Promise<Closing<SharedLogUpkeep>> {
  if (order.kind === 'postgres') return closing((await import('./postgres/upkeep.ts')).openPostgresUpkeep(order));
  const module: LogModule = await import(order.module);
  return closing(await module.openUpkeep(order.options));
}

/** What `await using` closes. */
export type Closing<Open> = Open & AsyncDisposable;

export function closing<Open extends { close(): Promise<void> }>(open: Open): Closing<Open> {
  return { ...open, [Symbol.asyncDispose]: () => open.close() };
}
