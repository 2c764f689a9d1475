import { TallyhookError } from '../domain/error.ts';
import type { ClusterPort, ClusterStatus } from '../store/cluster-port.ts';
import { MINUTE_MS } from '../time/clock.ts';
import type { Problem } from './problem.ts';

/** The log that several machines share, as it is now; or why it cannot be asked. */
export type ClusterView =
  | { readonly status: ClusterStatus }
  | { readonly status: null; readonly message: string; readonly hint: string | undefined };

/** A node that is behind for this long is not well. */
export const NODE_BEHIND_MS = MINUTE_MS;

/** Asks the log how everything stands; null for a machine alone. */
export async function clusterView(cluster: Pick<ClusterPort, 'status'> | null): Promise<ClusterView | null> {
  if (cluster === null) return null;
  try {
    return { status: await cluster.status() };
  } catch (error) {
    if (!(error instanceof TallyhookError)) throw error;
    return { status: null, message: error.message, hint: error.hint };
  }
}

/** What of the log, and of the nodes that share it, is not well. */
export function clusterProblems(cluster: ClusterView | null): Problem[] {
  if (cluster === null) return [];
  if (cluster.status === null) {
    const { message, hint } = cluster;
    return [{ code: 'cluster_unreachable', reason: message, next: hint ?? 'tallyhook cluster status' }];
  }
  const { server, nodes, lost, nowMs } = cluster.status;
  return [
    ...server.unsafe.map((unsafe): Problem => ({ code: 'cluster_unsafe', ...unsafe, server: server.name })),
    ...nodes.flatMap(({ name, hasDiverged, stopped }): Problem[] =>
      hasDiverged ? [{ code: 'diverged', node: name, reason: stopped }] : [],
    ),
    ...lost.map((file): Problem => ({ code: 'acts_lost', file })),
    ...nodes.flatMap(({ name, behind, hasDiverged, lives, stopped }): Problem[] => {
      const fault = lives && !hasDiverged ? stopped : null; // it says itself why it will not catch up
      if (behind === null || (behind.ms < NODE_BEHIND_MS && fault === null)) return [];
      const sinceMs = nowMs - behind.ms;
      return [{ code: 'behind', node: name, deliveries: behind.entries, sinceMs, fault, holder: null }];
    }),
  ];
}
