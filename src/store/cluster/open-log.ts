import type { ClusterOptions, SharedLogOrder } from '../cluster-options.ts';
import { type ClusterState, knownLogOf } from './cluster-state.ts';
import type { KnownLog, SharedLog, SharedLogUpkeep } from './shared-log.ts';

/** The machine for which a log is opened. */
export interface LogUser {
  /** Of the entries that it appends. */
  readonly name: string;
  /** What it knows of the log; null before it has joined. */
  readonly known: KnownLog | null;
}

/** What a module of a log exports. */
export interface LogModule {
  openLog(options: unknown, user: LogUser): Promise<SharedLog>;
  openUpkeep(options: unknown): Promise<SharedLogUpkeep>;
}

/** Opens the shared log for this thread. */
export async function openSharedLog(order: SharedLogOrder, user: LogUser): Promise<SharedLog> {
  if (order.kind === 'postgres') return (await import('./postgres/log.ts')).openPostgresLog(order, user);
  const module: LogModule = await import(order.module);
  return module.openLog(order.options, user);
}

/**
 * Opens the log for a machine that may be elsewhere in it than its database says; null: it has none. Another installation is refused, and a
 * server of an earlier timeline: it is the old primary.
 */
export function openLogAnywhere({ log, node }: ClusterOptions, state: ClusterState | null): Promise<SharedLog> {
  return openSharedLog(log, { name: node, known: state && { ...knownLogOf(state), place: null } });
}

/** Opens what persons do with the log as a whole. */
export async function openUpkeep(order: SharedLogOrder): Promise<SharedLogUpkeep> {
  if (order.kind === 'postgres') return (await import('./postgres/upkeep.ts')).openPostgresUpkeep(order);
  const module: LogModule = await import(order.module);
  return module.openUpkeep(order.options);
}
