import type { PostgresOrder } from '../../cluster-options.ts';
import type { Unsafe } from '../../cluster-port.ts';
import type { LogHead, LogStatus, NodeDigest, NodeFacts, NodeRow } from '../shared-log.ts';
import { NODE_LIVES_MS, NODE_NAME_HELD_MS } from '../shared-log.ts';
import { HEAD, type HeadRow, headOf } from './head.ts';
import { unsafeServer } from './kept.ts';
import { leftLog } from './known.ts';
import type { Session } from './session.ts';

/** Digests that are compared, of each node: the newest. */
const DIGESTS_OF_NODE = 10;

const CLOCK = { name: 'clock', text: 'SELECT tallyhook.ms(clock_timestamp()) AS "atMs"' };
/** What nodes say of themselves need not outlive the server, and must not wait for a replica that is gone. */
const LOCALLY = `set_config('synchronous_commit', 'local', true)`;
const SEE = {
  name: 'see',
  text: `SELECT ${LOCALLY}, tallyhook.see($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${NODE_NAME_HELD_MS})
    FROM tallyhook.head WHERE left_at IS NULL`,
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
    SELECT n.id, n.name, n.version, n.schema, n.roles, n.carried_out AS "carriedOut", n.keys, n.audit_key AS "auditKey", n.stopped,
      n.clock_offset_ms AS "clockOffsetMs", tallyhook.ms(n.seen_at) AS "seenAtMs", n.signed_off AS "hasSignedOff",
      NOT n.signed_off AND n.seen_at > clock_timestamp() - ${NODE_LIVES_MS} * interval '1 millisecond' AS lives,
      CASE WHEN n.carried_out IS NOT NULL THEN json_build_object('entries', greatest(0, h.seq - n.carried_out), 'ms',
        greatest(0, coalesce(tallyhook.ms(clock_timestamp()) - tallyhook.ms(next.at), 0))) END AS behind
    FROM tallyhook.nodes AS n CROSS JOIN tallyhook.head AS h LEFT JOIN LATERAL (
      SELECT at FROM tallyhook.entries WHERE seq > n.carried_out ORDER BY seq LIMIT 1
    ) AS next ON true ORDER BY n.name, n.id`,
};
/** A setting, or null where this role may not read it. */
const SAFETY = {
  text: `
    SELECT current_setting('fsync') AS flush, current_setting('full_page_writes') = 'on' AS "wholePages",
      current_setting('data_checksums') = 'on' AS "pageSums", current_setting('synchronous_standby_names') AS standbys,
      (SELECT count(*) FROM pg_stat_replication WHERE state IS NULL OR state = 'streaming') AS replicas,
      has_table_privilege('tallyhook.entries', 'DELETE') AS "isOwner",
      coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS "isEncrypted",
      tallyhook.ms(clock_timestamp()) AS "nowMs"`,
};

/** Notes that this node lives, and how far its clock `nowMs` is off. */
export function seen(
  session: Session,
  facts: NodeFacts,
  nowMs: () => number,
): Promise<{ readonly clockOffsetMs: number; readonly atMs: number }> {
  return session.alone(async () => {
    const connection = await session.connection(); // connecting is no part of the round trip
    const begun = nowMs();
    const [{ atMs } = { atMs: Number.NaN }] = await session.ask<{ atMs: number }>(CLOCK);
    const clockOffsetMs = offsetOf(begun, atMs, nowMs());
    const { id, name, version, schema, roles, carriedOut, keys, auditKey, stopped } = facts;
    const values = [id, name, version, schema, roles, carriedOut, keys, auditKey, stopped, clockOffsetMs];
    const noted = await session.ask(SEE, values);
    if (noted.length === 0) {
      connection.close(); // the next one is refused
      throw leftLog(connection.name);
    }
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

export function digestsAt(session: Session, seq: number): Promise<NodeDigest[]> {
  return session.alone(() => session.ask<NodeDigest>(DIGESTS_AT, [seq]));
}

export function head(session: Session): Promise<LogHead> {
  return session.alone(async () => {
    const [row] = await session.ask<HeadRow>(HEAD);
    return headOf(row, (await session.connection()).name);
  });
}

/** All of it in one snapshot of the database. */
export function status(session: Session, order: PostgresOrder): Promise<LogStatus> {
  return session.alone(async () => {
    await session.ask({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    try {
      const { name } = await session.connection();
      const [headRow] = await session.ask<HeadRow>(HEAD);
      const nodes = await session.ask<NodeRow>(NODES);
      const digests = await session.ask<NodeDigest>(NEWEST_DIGESTS);
      const [safety] = (await session.ask<SafetyRow>(SAFETY)) as [SafetyRow];
      const { isOwner, isEncrypted, nowMs } = safety;
      const server = { name, unsafe: unsafeOf(safety, order), isOwner, isEncrypted };
      return { head: headOf(headRow, name), nodes, digests, server, nowMs };
    } finally {
      await session.ask({ text: 'COMMIT' }).catch(() => {}); // of a connection that is lost nothing is open
    }
  });
}

interface SafetyRow {
  readonly flush: string;
  readonly wholePages: boolean;
  readonly pageSums: boolean;
  readonly standbys: string;
  readonly replicas: number;
  readonly isOwner: boolean;
  readonly isEncrypted: boolean;
  readonly nowMs: number;
}

function unsafeOf(row: SafetyRow, order: PostgresOrder): Unsafe[] {
  const gravest = unsafeServer(row, order);
  const isAway = row.standbys.trim() !== '' && row.replicas === 0;
  const found: readonly (readonly [holds: boolean, reason: Unsafe['reason'], text: string, next: string])[] = [
    [!row.wholePages, 'no_whole_pages', 'a crash of its machine can damage pages', 'set full_page_writes = on'],
    [!row.pageSums, 'no_page_sums', 'damaged pages go unnoticed', 'pg_checksums --enable, with the server stopped'],
    [isAway, 'replica_away', 'the replica that it waits for is away', 'start the replica'],
  ];
  const others = found.flatMap(([holds, reason, text, next]) => (holds ? [{ reason, text, next }] : []));
  return gravest === null ? others : [gravest, ...others];
}
