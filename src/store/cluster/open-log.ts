import type { ClusterOptions, SharedLogOrder } from '../cluster-options.ts';
import { type ClusterState, knownLogOf } from './cluster-state.ts';
import type { LogUser, SharedLog, SharedLogUpkeep } from './shared-log.ts';

/** What a module of a log exports. */
export interface LogModule {
  openLog(options: unknown, user: LogUser): Promise<SharedLog>;
  openUpkeep(options: unknown): Promise<SharedLogUpkeep>;
}

/** The log of this machine, for this thread: closed at the end of its block. `state`: of its database; null before it has joined. */
export function openLog(
  { log, node }: ClusterOptions,
  state: ClusterState | null,
  { evenLeft = false }: Partial<Pick<LogUser, 'evenLeft'>> = {},
): Promise<Closing<SharedLog>> {
  return openSharedLog(log, { name: node, known: state && knownLogOf(state), evenLeft });
}

/**
 * As `openLog`, for a machine that may be elsewhere in the log than its database says. Another installation is refused, and a server of an
 * earlier timeline: it is the old primary.
 */
export function openLogAnywhere(
  { log, node }: ClusterOptions,
  state: ClusterState | null,
  { evenLeft = false }: Partial<Pick<LogUser, 'evenLeft'>> = {},
) {
  return openSharedLog(log, { name: node, known: state && { ...knownLogOf(state), place: null }, evenLeft });
}

/** Opens what persons do with the log as a whole: closed at the end of its block. */
export async function openUpkeep(order: SharedLogOrder): Promise<Closing<SharedLogUpkeep>> {
  if (order.kind === 'postgres') return closing((await import('./postgres/upkeep.ts')).openPostgresUpkeep(order));
  const module: LogModule = await import(order.module);
  return closing(await module.openUpkeep(order.options));
}

async function openSharedLog(order: SharedLogOrder, user: LogUser): Promise<Closing<SharedLog>> {
  if (order.kind === 'postgres') return closing((await import('./postgres/log.ts')).openPostgresLog(order, user));
  const module: LogModule = await import(order.module);
  return closing(await module.openLog(order.options, user));
}

/** What `await using` closes. */
export type Closing<Open> = Open & AsyncDisposable;

export function closing<Open extends { close(): Promise<void> }>(open: Open): Closing<Open> {
  return { ...open, [Symbol.asyncDispose]: () => open.close() };
}
