import { TallyhookError } from '../domain/error.ts';
import { type ClusterNode, type ClusterPort, type ClusterStatus, LEFT_LOG_HINT } from '../store/cluster-port.ts';
import { DAY_MS, MINUTE_MS } from '../time/clock.ts';
import type { Problem } from './problem.ts';

/** The log that several machines share, as it is now; or why it cannot be asked. */
export type ClusterView =
  | { readonly status: ClusterStatus }
  | { readonly status: null; readonly message: string; readonly hint: string | undefined };

/** A node that is behind for this long is not well. */
const NODE_BEHIND_MS = MINUTE_MS;
/** One that was not seen for this long has been retired: what it lacks is no news any more. */
const NODE_RETIRED_MS = 7 * DAY_MS;

/** Whether a node will come back by itself, as far as can be told: it was not stopped by intent, and not retired. */
export function isExpected({ hasSignedOff, seenAtMs }: ClusterNode, nowMs: number): boolean {
  return !hasSignedOff && nowMs - seenAtMs < NODE_RETIRED_MS;
}

/** Whether a node should have come further. */
export function isBehind(
  node: ClusterNode,
  nowMs: number,
): node is ClusterNode & { readonly behind: NonNullable<ClusterNode['behind']> } {
  const { behind } = node;
  return behind !== null && behind.ms >= NODE_BEHIND_MS && isExpected(node, nowMs);
}

/** What a node with other rows is said to have, and its next step; where no rows are those of most nodes, a person chooses. */
export function divergedText(
  name: string,
  nodes: readonly ClusterNode[],
): { readonly text: string; readonly next: string } {
  const next = `On ${name}, with its serve stopped: tallyhook cluster rebuild --yes`;
  if (nodes.some(({ digest, hasDiverged }) => digest !== null && !hasDiverged))
    return { text: 'has other rows than most nodes', next };
  const choose = 'On the node that is right: tallyhook cluster rebuild --keep --yes. Then on each other one';
  const text = 'has other rows than others, and no rows are those of most nodes';
  return { text, next: `${choose}, with its serve stopped: tallyhook cluster rebuild --yes` };
}

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
  const { head, server, nodes, lost, nowMs } = cluster.status;
  if (head.hasLeft) return [{ code: 'cluster_unreachable', reason: 'The machines left the log.', next: LEFT_LOG_HINT }];
  return [
    ...server.unsafe.map((unsafe): Problem => ({ code: 'cluster_unsafe', ...unsafe, server: server.name })),
    ...nodes.flatMap(({ name, hasDiverged, stopped }): Problem[] =>
      hasDiverged ? [{ code: 'diverged', node: name, reason: stopped, ...divergedText(name, nodes) }] : [],
    ),
    ...lost.map((file): Problem => ({ code: 'acts_lost', file })),
    ...nodes.flatMap((node): Problem[] => {
      const { name, behind, hasDiverged, lives, stopped, catchesUp } = node;
      const fault = lives && !hasDiverged ? stopped : null; // it says itself why it will not catch up
      if (behind === null || catchesUp || (!isBehind(node, nowMs) && fault === null)) return [];
      const sinceMs = nowMs - behind.ms;
      return [{ code: 'behind', node: name, deliveries: behind.entries, sinceMs, fault, holder: null }];
    }),
  ];
}
