import type { NodeRole } from '../../../domain/cluster/node-role.ts';
import type { PostgresOrder } from '../../cluster-options.ts';
import type { Unsafe } from '../../cluster-port.ts';
import type { LogHead, LogStatus, NodeDigest, NodeFacts, NodeRow, ServerSafety } from '../shared-log.ts';
import { NODE_LIVES_MS, NODE_NAME_HELD_MS } from '../shared-log.ts';
import { HEAD, type HeadRow, headOf } from './head.ts';
import type { Session } from './session.ts';

/** Digests that are compared, of each node: the newest. */
const DIGESTS_OF_NODE = 10;

const CLOCK = { name: 'clock', text: 'SELECT tallyhook.ms(clock_timestamp()) AS at_ms' };
/** What nodes say of themselves need not outlive the server, and must not wait for a replica that is gone. */
const LOCALLY = `set_config('synchronous_commit', 'local', true)`;
const SEE = {
  name: 'see',
  text: `SELECT ${LOCALLY}, tallyhook.see($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${NODE_NAME_HELD_MS})`,
};
const SIGN_OFF = {
  text: `UPDATE tallyhook.nodes SET signed_off = (${LOCALLY} IS NOT NULL) WHERE id = $1`,
};
const PUT_DIGEST = {
  text: `
    INSERT INTO tallyhook.checkpoints (seq, node, epoch, digest)
    SELECT $1, $2, epoch, $3 FROM tallyhook.head WHERE ${LOCALLY} IS NOT NULL
    ON CONFLICT (seq, node, epoch) DO UPDATE SET digest = excluded.digest`,
};
const DIGESTS_AT = {
  text: `
    SELECT c.seq, c.node, c.digest FROM tallyhook.checkpoints AS c JOIN tallyhook.head AS h ON c.epoch = h.epoch
    WHERE c.seq = $1 ORDER BY c.node`,
};
const NEWEST_DIGESTS = {
  text: `
    SELECT seq, node, digest FROM (
      SELECT c.seq, c.node, c.digest, row_number() OVER (PARTITION BY c.node ORDER BY c.seq DESC) AS nth
      FROM tallyhook.checkpoints AS c JOIN tallyhook.head AS h ON c.epoch = h.epoch
    ) AS newest WHERE nth <= ${DIGESTS_OF_NODE} ORDER BY seq DESC, node`,
};
const NODES = {
  text: `
    SELECT n.id, n.name, n.version, n.schema, n.roles, n.carried_out, n.keys, n.audit_key, n.stopped, n.clock_offset_ms,
      tallyhook.ms(n.seen_at) AS seen_ms, h.seq - n.carried_out AS entries_behind,
      NOT n.signed_off AND n.seen_at > clock_timestamp() - ${NODE_LIVES_MS} * interval '1 millisecond' AS lives,
      tallyhook.ms(clock_timestamp()) - tallyhook.ms(next.at) AS ms_behind
    FROM tallyhook.nodes AS n CROSS JOIN tallyhook.head AS h LEFT JOIN LATERAL (
      SELECT at FROM tallyhook.entries WHERE seq > n.carried_out ORDER BY seq LIMIT 1
    ) AS next ON true ORDER BY n.name, n.id`,
};
/** A setting, or null where this role may not read it. */
const SAFETY = {
  text: `
    SELECT current_setting('fsync') = 'on' AS flushes, current_setting('full_page_writes') = 'on' AS whole_pages,
      current_setting('data_checksums') = 'on' AS page_sums, current_setting('synchronous_standby_names') AS replicas_set,
      (SELECT count(*) FROM pg_stat_replication WHERE state IS NULL OR state = 'streaming')::integer AS replicas,
      has_table_privilege('tallyhook.entries', 'DELETE') AS is_owner,
      (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS is_encrypted, tallyhook.ms(clock_timestamp()) AS now_ms`,
};

/** Notes that this node lives, and how far its clock `nowMs` is off. */
export function seen(
  session: Session,
  facts: NodeFacts,
  nowMs: () => number,
): Promise<{ readonly clockOffsetMs: number; readonly atMs: number }> {
  return session.alone(async () => {
    await session.connection(); // connecting is no part of the round trip
    const begun = nowMs();
    const [clock] = await session.ask<{ at_ms: string }>(CLOCK);
    const ended = nowMs();
    const atMs = Number(clock?.at_ms);
    const clockOffsetMs = offsetOf(begun, atMs, ended);
    const { id, name, version, schema, roles, carriedOut, keys, auditKey, stopped } = facts;
    const values = [id, name, version, schema, roles, carriedOut, keys, auditKey, stopped, clockOffsetMs];
    await session.ask(SEE, values);
    return { clockOffsetMs, atMs };
  });
}

/** How far this clock is ahead of one that was read between two readings of it; half of the time between them is allowed for. */
export function offsetOf(begunMs: number, serverMs: number, endedMs: number): number {
  const half = Math.max(0, endedMs - begunMs) / 2;
  const ahead = begunMs + half - serverMs;
  return Math.sign(ahead) * Math.max(0, Math.abs(ahead) - half);
}

export async function signOff(session: Session, id: string): Promise<void> {
  await session.alone(() => session.ask(SIGN_OFF, [id]));
}

export async function putDigest(session: Session, { seq, node, digest }: NodeDigest): Promise<void> {
  await session.alone(() => session.ask(PUT_DIGEST, [seq, node, Buffer.from(digest)]));
}

export async function digestsAt(session: Session, seq: number): Promise<NodeDigest[]> {
  return (await session.alone(() => session.ask<DigestRow>(DIGESTS_AT, [seq]))).map(digestOf);
}

export function head(session: Session): Promise<LogHead> {
  return session.alone(async () => {
    const [row] = await session.ask<HeadRow>(HEAD);
    return headOf(row, (await session.connection()).name);
  });
}

/** All of it in one snapshot of the database. */
export function status(session: Session, { replicated }: PostgresOrder): Promise<LogStatus> {
  return session.alone(async () => {
    await session.ask({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    try {
      const { name } = await session.connection();
      const [headRow] = await session.ask<HeadRow>(HEAD);
      const nodes = await session.ask<NodeSqlRow>(NODES);
      const digests = await session.ask<DigestRow>(NEWEST_DIGESTS);
      const [safety] = await session.ask<SafetyRow>(SAFETY);
      const head = headOf(headRow, name);
      return {
        head,
        nodes: nodes.map(nodeOf),
        digests: digests.map(digestOf),
        safety: safetyOf(safety as SafetyRow, name, replicated),
        nowMs: Number(safety?.now_ms),
      };
    } finally {
      await session.ask({ text: 'COMMIT' }).catch(() => {}); // of a connection that is lost nothing is open
    }
  });
}

interface DigestRow {
  readonly seq: string;
  readonly node: string;
  readonly digest: Buffer;
}

interface NodeSqlRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly schema: number | null;
  readonly roles: NodeRole[];
  readonly carried_out: string | null;
  readonly keys: string[];
  readonly audit_key: string | null;
  readonly stopped: string | null;
  readonly clock_offset_ms: number | null;
  readonly seen_ms: string;
  readonly lives: boolean;
  readonly entries_behind: string | null;
  readonly ms_behind: string | null;
}

interface SafetyRow {
  readonly flushes: boolean;
  readonly whole_pages: boolean;
  readonly page_sums: boolean;
  readonly replicas_set: string;
  readonly replicas: number;
  readonly is_owner: boolean;
  readonly is_encrypted: boolean | null;
  readonly now_ms: string;
}

function digestOf({ seq, node, digest }: DigestRow): NodeDigest {
  return { seq: Number(seq), node, digest };
}

function nodeOf(row: NodeSqlRow): NodeRow {
  const { id, name, version, schema, roles, keys, stopped, lives } = row;
  return {
    id,
    name,
    version,
    schema,
    roles,
    keys,
    stopped,
    lives,
    carriedOut: row.carried_out === null ? null : Number(row.carried_out),
    auditKey: row.audit_key,
    clockOffsetMs: row.clock_offset_ms,
    seenAtMs: Number(row.seen_ms),
    behind:
      row.entries_behind === null
        ? null
        : { entries: Math.max(0, Number(row.entries_behind)), ms: Math.max(0, Number(row.ms_behind ?? 0)) },
  };
}

function safetyOf(row: SafetyRow, server: string, replicated: boolean): ServerSafety {
  return {
    server,
    unsafe: unsafeOf(row, replicated),
    isOwner: row.is_owner,
    isEncrypted: row.is_encrypted ?? false,
  };
}

function unsafeOf(row: SafetyRow, replicated: boolean): Unsafe[] {
  const waits = row.replicas_set.trim() !== '';
  const found: readonly (readonly [holds: boolean, ...Parameters<typeof unsafe>])[] = [
    [!row.flushes, 'no_flush', 'a crash of its machine loses what was acknowledged', 'set fsync = on'],
    [!row.whole_pages, 'no_whole_pages', 'a crash of its machine can damage pages', 'set full_page_writes = on'],
    [!row.page_sums, 'no_page_sums', 'damaged pages go unnoticed', 'pg_checksums --enable, with the server stopped'],
    [replicated && !waits, 'no_replica', 'it waits for no replica', 'set synchronous_standby_names'],
    [waits && row.replicas === 0, 'replica_away', 'the replica that it waits for is away', 'start the replica'],
  ];
  return found.flatMap(([holds, ...words]) => (holds ? [unsafe(...words)] : []));
}

function unsafe(reason: Unsafe['reason'], text: string, next: string): Unsafe {
  return { reason, text, next };
}
