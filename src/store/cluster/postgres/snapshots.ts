import { createHash } from 'node:crypto';
import { StoreError } from '../../error.ts';
import type { Snapshot, SnapshotFacts } from '../shared-log.ts';
import type { Session } from './session.ts';

/** Snapshots that stay: the newest, and the one before it for nodes that are loading it. */
const KEPT_SNAPSHOTS = 2;
/** Entries that are deleted in one statement. */
const DELETED_AT_ONCE = 5_000;

const COLUMNS = 'id, seq, chain, epoch, node, version, schema, tallyhook.ms(at) AS "atMs", digest, bytes, parts';
const ANNOUNCE = {
  text: `INSERT INTO tallyhook.snapshots (seq, chain, epoch, node, version, schema) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
};
const PUT_PART = {
  name: 'put part',
  text: 'INSERT INTO tallyhook.snapshot_parts (snapshot, part, bytes) VALUES ($1, $2, $3)',
};
const COMPLETE = {
  text: `UPDATE tallyhook.snapshots SET digest = $2, bytes = $3, parts = $4 WHERE id = $1 RETURNING ${COLUMNS}`,
};
/** A failover may have lost what a node had carried out before it put its database in. */
const OF_THIS_LOG = `
    (s.seq = 0 OR EXISTS (SELECT FROM tallyhook.entries AS e WHERE e.seq = s.seq AND e.chain = s.chain))`;
const NEWEST = {
  text: `
    SELECT ${COLUMNS} FROM tallyhook.snapshots AS s
    WHERE digest IS NOT NULL AND ${OF_THIS_LOG} AND ($1::bigint IS NULL OR (seq, id) < ($1, $2))
    ORDER BY seq DESC, id DESC LIMIT 1`,
};
const PART = {
  name: 'part',
  text: 'SELECT bytes FROM tallyhook.snapshot_parts WHERE snapshot = $1 AND part = $2',
};

/** Puts a snapshot in, part by part: each is a transaction of its own, and the last one makes it count. */
export async function putSnapshot(
  session: Session,
  facts: Omit<SnapshotFacts, 'digest' | 'bytes'>,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Snapshot> {
  const { seq, chain, epoch, node, version, schema } = facts;
  const [begun] = await session.ask<{ id: number }>(ANNOUNCE, [seq, Buffer.from(chain), epoch, node, version, schema]);
  const digest = createHash('sha256');
  let [bytes, count] = [0, 0];
  for await (const part of parts) {
    digest.update(part);
    bytes += part.byteLength;
    await session.ask(PUT_PART, [begun?.id, count++, Buffer.from(part.buffer, part.byteOffset, part.byteLength)]);
  }
  const [whole] = await session.ask<Snapshot>(COMPLETE, [begun?.id, digest.digest(), bytes, count]);
  if (whole === undefined) throw new StoreError('cluster_unreachable', 'The snapshot was deleted while it was put in.');
  return whole;
}

export async function newestSnapshot(session: Session, before?: Snapshot): Promise<Snapshot | null> {
  const [row] = await session.ask<Snapshot>(NEWEST, [before?.seq ?? null, before?.id ?? null]);
  return row ?? null;
}

/** The parts in order. Ends with an error unless all of them came, with the digest of the snapshot. */
export async function* snapshotParts(session: Session, snapshot: Snapshot): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  for (let part = 0; part < snapshot.parts; part++) {
    const [row] = await session.ask<{ bytes: Buffer }>(PART, [snapshot.id, part]);
    if (row === undefined) throw unfit(snapshot, `its part ${part} is gone`);
    digest.update(row.bytes);
    yield row.bytes;
  }
  if (Buffer.compare(digest.digest(), snapshot.digest) !== 0) throw unfit(snapshot, 'its digest is another one');
}

const OLDER_SNAPSHOTS = {
  text: `
    DELETE FROM tallyhook.snapshots WHERE digest IS NOT NULL AND id NOT IN (
      SELECT id FROM tallyhook.snapshots WHERE digest IS NOT NULL ORDER BY seq DESC, id DESC LIMIT ${KEPT_SNAPSHOTS})
    OR digest IS NULL AND at < clock_timestamp() - interval '1 day'`,
};
/** Below the older of the kept snapshots; with one alone nothing is deleted. */
const OLD_ENTRIES = {
  text: `
    DELETE FROM tallyhook.entries WHERE seq IN (
      SELECT seq FROM tallyhook.entries WHERE at < to_timestamp($1::double precision / 1000) AND seq <= (
        SELECT min(seq) - 1 FROM tallyhook.snapshots WHERE digest IS NOT NULL HAVING count(*) >= ${KEPT_SNAPSHOTS})
      ORDER BY seq LIMIT ${DELETED_AT_ONCE})
    RETURNING seq`,
};
const OLD_DIGESTS = {
  text: `DELETE FROM tallyhook.checkpoints WHERE seq < (SELECT min(seq) FROM tallyhook.entries)`,
};

/** Deletes what is dispensable, in short transactions. */
export async function prune(session: Session, beforeMs: number): Promise<{ snapshots: number; entries: number }> {
  const snapshots = await session.ask({ text: `${OLDER_SNAPSHOTS.text} RETURNING id` });
  let entries = 0;
  for (;;) {
    const deleted = await session.ask(OLD_ENTRIES, [beforeMs]);
    entries += deleted.length;
    if (deleted.length < DELETED_AT_ONCE) break;
  }
  await session.ask(OLD_DIGESTS);
  return { snapshots: snapshots.length, entries };
}

function unfit({ id, seq }: Snapshot, reason: string): StoreError {
  return new StoreError('cluster_refused', `The snapshot ${id} at entry ${seq} cannot be used: ${reason}.`, {
    hint: `As a role that may delete (cluster.upkeep): DELETE FROM tallyhook.snapshots WHERE id = ${id}. A node that works puts another one in within a minute.`,
  });
}
