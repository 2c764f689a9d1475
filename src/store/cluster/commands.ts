import { setTimeout as pause } from 'node:timers/promises';
import { asRole } from '../../domain/cluster/server-address.ts';
import type { Clock } from '../../time/clock.ts';
import type { SharedLogOrder } from '../cluster-options.ts';
import type { ClusterHead, ClusterNode, ClusterPort, ClusterStatus } from '../cluster-port.ts';
import { StoreError } from '../error.ts';
import { LOCAL_TABLES } from '../sqlite/engine/local-tables.ts';
import type { Store } from '../store.ts';
import { knownAnywhere } from './cluster-state.ts';
import { askForSums, digestVerdict, keepThisNode } from './divergence.ts';
import { readableState, rebuildFromSnapshot, stateOf } from './join.ts';
import { leaveCluster, noteBegun, prepareBeginning } from './life.ts';
import { lostFiles } from './offer-lost.ts';
import type { SharedBooksOrder } from './open-books.ts';
import { openLog, openUpkeep } from './open-log.ts';
import { CATCHING_UP, type LogHead, type LogStatus, type NodeDigest, type SharedLogUpkeep } from './shared-log.ts';
import { upgradeCluster } from './upgrade.ts';

/** Time between two looks how far this machine has carried out the log. */
const REACHED_LOOK_MS = 50;

/** What persons do with the log of several machines. Each call opens and closes what it needs. `alone`: the database by itself. */
export function clusterPort(alone: Store, order: () => SharedBooksOrder, clock: Clock): ClusterPort {
  const upkeep = async <Result>(
    work: (log: SharedLogUpkeep) => Promise<Result>,
    log: SharedLogOrder = order().cluster.log,
  ): Promise<Result> => {
    await using open = await openUpkeep(log);
    return await work(open);
  };
  return {
    async begin({ owner, again }) {
      if (alone.identity() === null) await (await alone.operations({ create: true })).close(); // it begins with an empty one
      const { path, auditKey, cluster } = order();
      const { leftAt, ...beginning } = prepareBeginning({ path, auditKey });
      if (again && leftAt === null) throw hasNotLeft(path);
      const { log } = cluster;
      const asOwner =
        owner === null || log.kind !== 'postgres'
          ? log
          : { ...log, url: asRole(log.url, owner.role), password: owner.password };
      const { head, did } = await upkeep((one) => one.begin({ ...beginning, again: again ? leftAt : null }), asOwner);
      noteBegun(path, head);
      return { ...shortOf(head), did };
    },
    async status() {
      const { path, cluster } = order();
      await using log = await openLog(cluster, knownAnywhere(readableState(path) ?? null), { evenLeft: true });
      return { ...statusOf(await log.status()), lost: lostFiles(path) };
    },
    upgrade: () => upgradeCluster(order()),
    leave: () => leaveCluster(order(), async (id) => void (await upkeep((log) => log.leave(id)))),
    adopt: async () => shortOf(await upkeep((log) => log.adopt())),
    reached: (seq, withinMs) => reached(order().path, seq, withinMs),
    rebuild: () => rebuildFromSnapshot(order(), clock.nowMs()),
    compare: () => askForSums(order()),
    keep: () => keepThisNode(order()),
  };
}

/** Waits until the database of this machine, which another process may carry on, has the entry. */
async function reached(path: string, seq: number, withinMs: number): Promise<void> {
  for (const untilMs = performance.now() + withinMs; ; ) {
    const carriedOut = stateOf(path)?.seq ?? 0;
    if (carriedOut >= seq) return;
    if (performance.now() >= untilMs) {
      const text = `This machine has carried out entry ${carriedOut} of the log; entry ${seq} did not come within ${withinMs / 1_000} s.`;
      throw new StoreError('busy', text, {
        hint: 'Does serve run here, and is the log that long? See: tallyhook cluster status',
      });
    }
    await pause(REACHED_LOOK_MS);
  }
}

function hasNotLeft(path: string): StoreError {
  return new StoreError('cluster_refused', `The database ${path} has left no log: none is begun again with it.`, {
    hint: 'Run it where `tallyhook cluster leave` ran. A log that was never left is taken up without --again.',
  });
}

function shortOf({ installation, epoch, seq }: LogHead): ClusterHead {
  return { installation, epoch, seq };
}

function statusOf({ head, nodes, digests, server, nowMs }: LogStatus): Omit<ClusterStatus, 'lost'> {
  const { installation, epoch, chain, ...about } = head;
  const working = nodes.filter(({ lives, carriedOut }) => lives && carriedOut !== null).map(({ name }) => name);
  const common = lastCommon(digests, working);
  return {
    installation,
    epoch,
    head: { ...about, chain: hexOf(chain) },
    nodes: nodes.map(({ id: _, auditKey: __, stopped, ...node }) => {
      const says = stopped === CATCHING_UP;
      return {
        ...node,
        catchesUp: says && node.lives,
        stopped: says ? null : stopped,
        ...comparedIn(common, node.name),
      };
    }),
    localTables: LOCAL_TABLES,
    server,
    nowMs,
  };
}

/** The digests at the last place that all of these nodes have told of. */
function lastCommon(digests: readonly NodeDigest[], names: readonly string[]): readonly NodeDigest[] {
  for (const seq of [...new Set(digests.map((one) => one.seq))].sort((one, other) => other - one)) {
    const there = digests.filter((one) => one.seq === seq);
    if (names.length > 0 && names.every((name) => there.some(({ node }) => node === name))) return there;
  }
  return [];
}

/** What a node had written, as these digests have it. */
function comparedIn(common: readonly NodeDigest[], name: string): Pick<ClusterNode, 'digest' | 'hasDiverged'> {
  const own = common.find(({ node }) => node === name);
  if (own === undefined) return { digest: null, hasDiverged: false };
  return { digest: { seq: own.seq, value: hexOf(own.digest) }, hasDiverged: digestVerdict(own, common).diverged };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
