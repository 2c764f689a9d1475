import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../error.ts';
import { openDatabase, writing } from '../sqlite/engine/database.ts';
import { storeError } from '../sqlite/engine/failure.ts';
import { schemaVersion } from '../sqlite/engine/migrate.ts';
import { makeFile } from '../sqlite/engine/owner.ts';
import { clusterState, knownLogOf } from './cluster-state.ts';
import type { SharedBooksOrder } from './open-books.ts';
import { openLog } from './open-log.ts';
import { MOST_PART_BYTES, type SharedLog, type Snapshot } from './shared-log.ts';

/*
 * A machine's database in the log: a machine that joins, or one whose place the log no longer has, begins as its copy. The copy is made
 * with the engine's online backup, in one step, so that it is of one state while others write.
 */

/** Of one step of a backup: more than a file has. */
const ALL_PAGES = 2 ** 31 - 1;

/** What tables of one machine hold (engine/local-tables) a copy begins without; `carried_out` says where it goes on. */
const FORGET = `DELETE FROM receivers; DELETE FROM answers;
  UPDATE soundness SET place = NULL, damage = '[]', started_at = NULL, finished_at = NULL`;

/** Puts a copy of the database into the log, which must have what the copy carried out. */
export async function putSnapshot({ path, cluster }: Pick<SharedBooksOrder, 'path' | 'cluster'>): Promise<Snapshot> {
  const copy = `${path}.snapshot`;
  rmSync(copy, { force: true });
  const source = openDatabase(path, { readonly: true });
  try {
    makeFile(copy);
    await source.backup(copy, { progress: () => ALL_PAGES });
    const taken = openDatabase(copy);
    const state = clusterState(taken).get();
    const { seq, chain, epoch, version } = state;
    const schema = schemaVersion(taken);
    taken.pragma('journal_mode = DELETE'); // the file alone is the whole copy
    taken.close();
    await using log = await openLog(cluster, knownLogOf(state));
    await log.read(state, 1); // a history that the log lost is refused
    return await log.putSnapshot({ seq, chain, epoch, node: cluster.node, version, schema }, partsOf(copy));
  } catch (error) {
    throw storeError(error, path);
  } finally {
    source.close();
    rmSync(copy, { force: true });
  }
}

function* partsOf(file: string): Generator<Uint8Array> {
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const part = Buffer.alloc(MOST_PART_BYTES);
      const bytes = readSync(descriptor, part);
      if (bytes === 0) return;
      yield part.subarray(0, bytes);
    }
  } finally {
    closeSync(descriptor);
  }
}

interface Loading {
  /** The id that the database had before, which it keeps. */
  readonly node?: string | undefined;
  /** The first entry that the snapshot must have. */
  readonly from?: number;
  /** A node whose snapshots are left out. */
  readonly notOf?: string | undefined;
  /** Puts the copy in the place of the database; else its content is replaced, for those that use it. */
  readonly put?: (copy: string) => void;
}

/** A snapshot that was loaded; where it is not the newest one, why: the text says that nothing is kept from going on by it. */
export interface Loaded {
  readonly snapshot: Snapshot;
  readonly unfit: StoreError | null;
}

/**
 * Loads the newest snapshot into the place of the database, which may be there, and in use: its readers see the old rows until all are there. In
 * the place of a damaged one the one before it is loaded: the log has what came after that, too.
 *
 * @throws StoreError `fell_behind` when the log has none
 */
export async function loadSnapshot(
  path: string,
  log: SharedLog,
  { node, from = 0, notOf, put }: Loading = {},
): Promise<Loaded> {
  const copy = `${path}.joining`;
  let failed: StoreError | null = null;
  try {
    for (let before: Snapshot | undefined; ; ) {
      const snapshot = await log.newestSnapshot(before);
      if (snapshot === null) throw failed ?? noSnapshot();
      if (snapshot.seq < from) throw failed ?? notPutIn(from);
      before = snapshot;
      if (snapshot.node === notOf) continue;
      try {
        await download(copy, snapshot, log);
        await makeOwn(copy, snapshot, log, node);
      } catch (error) {
        if (!(error instanceof StoreError && error.fault === 'cluster_refused')) throw error;
        failed ??= error;
        continue;
      }
      if (put !== undefined) put(copy);
      else if (existsSync(path)) await replaceContent(path, copy);
      else {
        renameSync(copy, path);
        syncFolder(path);
      }
      return { snapshot, unfit: failed && olderLoaded(failed, snapshot) };
    }
  } catch (error) {
    throw storeError(error, path);
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Makes a downloaded copy the database of this machine. @throws StoreError `cluster_refused` when it is not what the log says */
async function makeOwn(copy: string, { seq }: Snapshot, log: SharedLog, node: string | undefined): Promise<void> {
  const { epoch, timeline, installation } = await log.head();
  const database = openDatabase(copy);
  try {
    const states = clusterState(database);
    const found = states.get();
    if (found.installation !== installation || found.seq !== seq)
      throw new StoreError('cluster_refused', `The snapshot of entry ${seq} is of another installation or place.`);
    writing(database, () => {
      database.exec(FORGET);
      states.adopt({ epoch, timeline }, node);
    })();
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

async function download(copy: string, snapshot: Snapshot, log: SharedLog): Promise<void> {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  rmSync(copy, { force: true });
  makeFile(copy);
  const descriptor = openSync(copy, 'r+');
  try {
    for await (const part of log.snapshotParts(snapshot)) writeSync(descriptor, part);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** As one transaction on the file that is there: those who have it open go on with it. */
async function replaceContent(path: string, copy: string): Promise<void> {
  const source = openDatabase(copy, { readonly: true });
  try {
    await source.backup(path, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(dirname(path), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function noSnapshot(): StoreError {
  return new StoreError('fell_behind', 'The log has no snapshot of the database yet.', {
    hint: 'Start the node that ran `tallyhook cluster begin`: it puts the first snapshot in.',
  });
}

function notPutIn(from: number): StoreError {
  return new StoreError('fell_behind', `A backup was restored at entry ${from}, and is not in the log yet.`, {
    hint: 'On the machine where it was restored, finish it: tallyhook restore FILE --yes',
  });
}

function olderLoaded({ message }: StoreError, { seq, node }: Snapshot): StoreError {
  return new StoreError('other', `${message} The one before it was loaded, which ${node} put in at entry ${seq}.`, {
    hint: 'Nothing is to be done: this machine puts a new one in within a minute. Is the disk of PostgreSQL well?',
  });
}
