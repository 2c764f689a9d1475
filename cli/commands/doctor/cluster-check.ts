import { clusterView, divergedText } from '../../../src/confirm/cluster-problems.ts';
import { readNodeKey } from '../../../src/domain/cluster/node-key.ts';
import {
  type ClusterNode,
  type ClusterStatus,
  isNodeClockOff,
  LEFT_LOG_HINT,
} from '../../../src/store/cluster-port.ts';
import { type Examined, failed, ok, warning } from '../../../src/store/examination.ts';
import type { Store } from '../../../src/store/store.ts';
import { duration } from '../../show/text.ts';

const NAME = 'cluster';

/**
 * Checks the log that several machines share, and each of its nodes; nothing for a machine alone. `hasUpkeep`: the configuration names a role that
 * deletes old entries.
 */
export async function checkCluster({ cluster }: Pick<Store, 'cluster'>, hasUpkeep: boolean): Promise<Examined[]> {
  const view = await clusterView(cluster);
  if (view === null) return [];
  if (view.status === null) return [failed(NAME, view.message, view.hint ?? 'tallyhook cluster status')];
  return [
    logOf(view.status, hasUpkeep),
    ...unsafe(view.status),
    ...view.status.nodes.map((node, _, nodes) => checkNode(node, nodes)),
  ];
}

function logOf({ server, head, epoch }: ClusterStatus, hasUpkeep: boolean): Examined {
  const where = `entry ${head.seq} at ${server.name}, epoch ${epoch}, timeline ${head.timeline}`;
  if (head.hasLeft) return failed(NAME, `${where}; the machines left this log`, LEFT_LOG_HINT);
  if (head.isCopy) {
    const hint = 'For a test that is right. After a move to this server: tallyhook cluster adopt --yes';
    return warning(NAME, `${where}; it is a copy: nothing leaves for outside`, hint);
  }
  if (!server.isOwner && hasUpkeep) return ok(NAME, where);
  if (!server.isOwner) {
    const hint = 'Name a role that may delete in cluster.upkeep: tallyhook cluster begin --grants prints it.';
    return warning(NAME, `${where}; nothing deletes old entries and snapshots`, hint);
  }
  const hint = 'Use the role of: tallyhook cluster begin --grants';
  return warning(NAME, `${where}; this role may change and delete entries`, hint);
}

function unsafe({ server }: ClusterStatus): Examined[] {
  return server.unsafe.map(({ text, next }) => failed('cluster server', text, `Next: ${next}.`));
}

function checkNode(node: ClusterNode, nodes: readonly ClusterNode[]): Examined {
  const { name, hasDiverged, stopped, behind, lives, version, clockOffsetMs, keys, roles, digest } = node;
  const title = `node ${name}`;
  if (hasDiverged) {
    const { text, next } = divergedText(name, nodes);
    return failed(title, text, next);
  }
  if (stopped !== null) return failed(title, `does not go on: ${stopped}`, 'Read the log of its serve.');
  if (!lives) return warning(title, 'was not seen for 15 seconds', 'Start it, or leave it off: the others go on.');
  if (clockOffsetMs !== null && isNodeClockOff(clockOffsetMs))
    return warning(title, `its clock is ${duration(Math.abs(clockOffsetMs))} off PostgreSQL's`, 'Set it by NTP.');
  const facts = [
    behind === null || behind.entries === 0 ? [] : `${behind.entries} entries (${duration(behind.ms)}) behind`,
    roles.join(' and '),
    `keys ${keys.map((key) => readNodeKey(key).id).join(', ') || 'none'}`,
    clockOffsetMs === null ? [] : `clock ${Math.round(clockOffsetMs)} ms ahead`,
    digest === null ? [] : `digest ${digest.value.slice(0, 8)} at entry ${digest.seq}`,
  ];
  return ok(title, `${version}; ${facts.flat().join('; ')}`);
}
