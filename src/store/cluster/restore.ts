import { StoreError } from '../error.ts';
import { openDatabase, writing } from '../sqlite/engine/database.ts';
import { migrate } from '../sqlite/engine/migrate.ts';
import { planRestore, restore } from '../sqlite/upkeep/restore.ts';
import type { CopyProgress, RestorePlan, Watch } from '../upkeep.ts';
import { clusterState, drawnId, knownAnywhere } from './cluster-state.ts';
import { newEntry, packWrite, readableWrite } from './entry.ts';
import { readableState, stateOf } from './join.ts';
import type { SharedBooksOrder } from './open-books.ts';
import { openLog, openUpkeep } from './open-log.ts';
import { textOf } from './plain-value.ts';
import { programVersion } from './program-version.ts';
import {
  CHAIN_START,
  chainOf,
  type LogHead,
  type LogPlace,
  READ_BYTES,
  type SharedEntry,
  type SharedLog,
} from './shared-log.ts';
import { sharedSettings } from './shared-settings.ts';
import { putSnapshot } from './snapshot.ts';

/*
 * A backup in the place of the books of all machines: a new epoch, and an entry `restored`, at which every machine joins anew from the restored
 * database. What was written behind the backup is gone, but for the deliveries of the log: they are appended again behind that entry. Cut short
 * before the snapshot is in, the machines receive and carry nothing out; run again, it goes on with another such entry.
 */

/** Entries of one append. */
const TOGETHER = 50;

interface RestoreTerms {
  readonly nowMs: number;
  readonly watch?: Watch<CopyProgress> | undefined;
}

/** Returns what `restoreInCluster` would do. Changes nothing. */
export async function planInCluster(
  order: SharedBooksOrder,
  backup: string,
  terms: RestoreTerms,
): Promise<RestorePlan> {
  const present = readableState(order.path);
  if (present === null) throw notOfCluster(order.path);
  const plan = await planRestore(order.path, backup, { ...terms, prepare: async () => {} });
  await using log = await openLog(order.cluster, knownAnywhere(present ?? null));
  expectFit(plan.backup, await log.head());
  let deliveries = 0;
  const { begin, missing, carriedFrom } = await behind(plan.backup, log);
  for await (const lost of deliveriesBehind(begin, log)) for (const one of lost) deliveries += one.deliveries;
  return { ...plan, log: { deliveries, discarded: false, missing, carriedFrom } };
}

/**
 * Puts a backup in the place of the database, and lets every other machine join anew from it.
 *
 * @throws StoreError while another machine lives, or a process has the database open
 */
export async function restoreInCluster(
  order: SharedBooksOrder,
  backup: string,
  terms: RestoreTerms,
): Promise<RestorePlan> {
  const present = readableState(order.path) ?? null; // a damaged one is restored, too
  const node = present?.node ?? drawnId();
  const about = await planInCluster(order, backup, terms);
  const prepare = async (incoming: string) => {
    await using upkeep = await openUpkeep(order.cluster.log);
    await upkeep.raiseEpoch(node);
    await using log = await openLog(order.cluster, knownAnywhere(present));
    await placeAt(incoming, await appendRestored(about.backup, log), { order, node });
  };
  const plan = await restore(order.path, backup, { ...terms, prepare });
  await putSnapshot(order);
  return { ...plan, log: about.log };
}

/** Appends `restored`, and behind it the deliveries that the backup does not have. Returns the head as it is at `restored`. */
async function appendRestored(backup: string, log: SharedLog): Promise<LogHead> {
  const before = await log.head();
  const { entries } = await log.append([newEntry(packWrite({ kind: 'restored' }))]);
  const { seq, atMs } = entries[0] ?? before;
  const chain = await log.chainAt(seq);
  if (chain === null) throw new StoreError('cluster_unreachable', `The log no longer has entry ${seq}; run it again.`);
  // As new entries: the log has the former ones by their ids.
  const { begin } = await behind(backup, log);
  for await (const lost of deliveriesBehind(begin, log, seq))
    for (let from = 0; from < lost.length; from += TOGETHER)
      await log.append(lost.slice(from, from + TOGETHER).map(({ bytes }) => newEntry(bytes)));
  return { ...before, seq, atMs, chain };
}

/** The entries of deliveries behind a place, or from an entry on, up to `last`: their bytes, and how many deliveries they hold. */
async function* deliveriesBehind(begin: Behind['begin'], log: SharedLog, last = Number.POSITIVE_INFINITY) {
  let place: LogPlace | null = begin;
  let entries = begin !== null && 'bytes' in begin ? [begin] : null;
  while (place !== null && place.seq < last) {
    entries ??= (await log.read(place, READ_BYTES)).filter(({ seq }) => seq < last);
    yield entries.flatMap(({ bytes }) => {
      const write = readableWrite(bytes);
      return write?.kind === 'deliveries' ? [{ bytes, deliveries: write.deliveries.length }] : [];
    });
    place = entries.at(-1) ?? null;
    entries = null;
  }
}

interface Behind extends Pick<RestorePlan['log'], 'missing' | 'carriedFrom'> {
  /** The place of the backup; or the oldest entry, which is taken with it: the chain before it is gone. Null: the log has no entry. */
  readonly begin: LogPlace | SharedEntry | null;
}

/** From where on the log has what came behind the backup, which of one from before the cluster is all of it. */
async function behind(backup: string, log: SharedLog): Promise<Behind> {
  const { seq, chain } = stateOf(backup) ?? { seq: 0, chain: CHAIN_START };
  const oldest = await log.oldest();
  if (oldest === null) return { begin: null, missing: null, carriedFrom: null };
  if (oldest.seq > seq + 1) return { begin: oldest, missing: { from: seq + 1, to: oldest.seq - 1 }, carriedFrom: null };
  const isNext = oldest.seq === seq + 1;
  const [has, expected] = isNext ? [oldest.chain, chainOf(chain, oldest)] : [await log.chainAt(seq), chain];
  if (has !== null && Buffer.compare(has, expected) === 0)
    return { begin: { seq, chain }, missing: null, carriedFrom: null };
  // A failover lost the entries of the backup, and no place says which is the last one that both have: what both have is a duplicate.
  return { begin: oldest, missing: null, carriedFrom: oldest.seq };
}

interface Placing {
  readonly order: SharedBooksOrder;
  readonly node: string;
}

/** Makes the copy of the backup a database that has carried out the log up to there. */
async function placeAt(incoming: string, head: LogHead, { order, node }: Placing): Promise<void> {
  const settings = textOf(sharedSettings(order));
  const database = openDatabase(incoming);
  try {
    migrate(database, head.atMs);
    const states = clusterState(database);
    const { installation, epoch, timeline, seq, chain, atMs, version } = head;
    const about = { installation, epoch, timeline, seq, chain, atMs, version, settings, node };
    writing(database, () => states.restore(about))();
    database.pragma('journal_mode = DELETE'); // the file alone is the whole copy
  } finally {
    database.close();
  }
}

/** What is restored gets the schema and the rules of this program: the cluster must have them. And the backup is of it, or from before it. */
function expectFit(backup: string, { version, installation }: LogHead): void {
  const found = stateOf(backup)?.installation ?? installation;
  if (found !== installation) throw ofAnother(found);
  if (version === programVersion()) return;
  throw new StoreError('cluster_refused', `The cluster has ${version}; this is ${programVersion()}.`, {
    hint: 'Restore with the program of the cluster, or run first: tallyhook cluster upgrade',
  });
}

function ofAnother(installation: string): StoreError {
  return new StoreError('cluster_refused', `The backup is of another cluster, of installation ${installation}.`);
}

/** A rehearsal with the configuration of a machine must not take the place of the books of all. */
function notOfCluster(path: string): StoreError {
  return new StoreError('cluster_refused', `There is no database of the cluster at ${path}; nothing was changed.`, {
    hint: 'To rehearse a restore, use a configuration without cluster.url. To restore, start serve here once, so that it joins.',
  });
}
