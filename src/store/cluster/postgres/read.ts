import type { PostgresOrder } from '../../cluster-options.ts';
import { StoreError } from '../../error.ts';
import { CHAIN_START, chainOf, type LogPlace, type SharedEntry } from '../shared-log.ts';
import { COMMIT_FACTS, type CommitFacts, expectKept, expectStillReplicated } from './kept.ts';
import { type Known, refuseLog } from './known.ts';
import { deadlineOf, faultOf, type Session } from './session.ts';

/** Entries of one reading, beside their bytes. */
const MOST_READ_ENTRIES = 1_000;

/** The head, and what it has at the place that was asked from; null where the log has no such entry. */
interface HeadPart {
  readonly epoch: number;
  readonly timeline: number;
  readonly headSeq: number;
  readonly headChain: Buffer;
  readonly afterChain: Buffer | null;
}

/** The head with an entry; with nulls where there is none. */
type ReadRow = HeadPart & (SharedEntry | { readonly seq: null });

const READ = {
  name: 'read',
  text: `
    SELECT h.epoch, tallyhook.timeline() AS timeline, h.seq AS "headSeq", h.chain AS "headChain",
      (SELECT chain FROM tallyhook.entries WHERE seq = $1) AS "afterChain",
      e.seq, e.id, tallyhook.ms(e.at) AS "atMs", e.node, e.version, e.chain, e.bytes
    FROM tallyhook.head AS h LEFT JOIN (
      SELECT *, sum(octet_length(bytes)) OVER (ORDER BY seq) - octet_length(bytes) AS bytes_before
      FROM (SELECT * FROM tallyhook.entries WHERE seq > $1 ORDER BY seq LIMIT $3) AS following
    ) AS e ON e.bytes_before <= $2 ORDER BY e.seq`,
};
const CHAIN_AT = { name: 'chain', text: 'SELECT chain FROM tallyhook.entries WHERE seq = $1' };
const OLDEST = {
  name: 'oldest',
  text: `SELECT seq, id, tallyhook.ms(at) AS "atMs", node, version, chain, bytes FROM tallyhook.entries ORDER BY seq LIMIT 1`,
};
/** Writes, so that its commit waits for the replica as every earlier one should have done; and leaves nothing behind. */
const CONFIRM = {
  name: 'confirm',
  text: `
    SELECT pg_logical_emit_message(true, 'tallyhook', '')::text AS written, (SELECT epoch FROM tallyhook.head) AS epoch,
      ${COMMIT_FACTS}`,
};

/**
 * The kept entries behind `after`. What is visible may not be kept: a wait for a replica that was cancelled leaves it behind. So the
 * entries count once a writing transaction that began after they were seen is committed as it should be, on the same timeline.
 *
 * @throws StoreError
 */
export function readKept(
  session: Session,
  known: Known,
  order: PostgresOrder,
  after: LogPlace,
  mostBytes: number,
): Promise<SharedEntry[]> {
  return session.alone(async () => {
    const rows = await session.ask<ReadRow>(READ, [after.seq, mostBytes, MOST_READ_ENTRIES]);
    const [head] = rows;
    if (head === undefined) throw new StoreError('cluster_refused', 'The log in PostgreSQL has lost its head.');
    const entries = rows.flatMap((row) => (row.seq === null ? [] : entryOf(row)));
    expectPlace(after, head, entries[0]);
    expectChain(after, entries);
    const last = entries.at(-1);
    if (last === undefined) return [];
    const { epoch, timeline } = head;
    if (known.keptOn({ epoch, timeline }) < last.seq) {
      await confirm(session, order, head);
      known.noteKept({ epoch, timeline, seq: head.headSeq });
    }
    known.moveOn(last);
    return entries;
  });
}

/** The chain at an entry; null when the log has no such entry. */
export async function chainAt(session: Session, seq: number): Promise<Uint8Array | null> {
  if (seq === 0) return CHAIN_START;
  const [row] = await session.ask<{ chain: Buffer }>(CHAIN_AT, [seq]);
  return row?.chain ?? null;
}

/** The oldest entry; null when the log has none. */
export async function oldest(session: Session): Promise<SharedEntry | null> {
  const [row] = await session.ask<SharedEntry>(OLDEST);
  return row ?? null;
}

/** Refuses a log that does not have `after`, or no longer the entry that follows it. */
function expectPlace(
  after: LogPlace,
  { headSeq, headChain, afterChain }: HeadPart,
  first: SharedEntry | undefined,
): void {
  if (headSeq < after.seq) refuseLog(`The log ends at entry ${headSeq}; this machine carried out entry ${after.seq}.`);
  if (headSeq > after.seq && first?.seq !== after.seq + 1) {
    throw new StoreError(
      'fell_behind',
      `The log no longer has entry ${after.seq + 1}: this machine was away too long.`,
      {
        hint: 'It joins anew from the newest snapshot by itself. How long entries are kept: cluster.keepDays',
      },
    );
  }
  const chain = headSeq === after.seq ? headChain : after.seq === 0 ? CHAIN_START : afterChain;
  if (chain !== null && Buffer.compare(chain, after.chain) !== 0)
    refuseLog(`Entry ${after.seq} of the log is not the one that this machine carried out.`);
}

/** @throws StoreError when an entry does not have the chain of what it holds */
function expectChain(after: LogPlace, entries: readonly SharedEntry[]): void {
  let before = after.chain;
  for (const entry of entries) {
    if (Buffer.compare(chainOf(before, entry), entry.chain) !== 0) {
      throw new StoreError('cluster_refused', `Entry ${entry.seq} of the log was changed: its chain is another one.`, {
        hint: 'Restore the log in PostgreSQL from a backup. Nothing after this entry is carried out.',
      });
    }
    before = entry.chain;
  }
}

async function confirm(session: Session, order: PostgresOrder, seen: HeadPart): Promise<void> {
  const connection = await session.connection();
  const deadline = deadlineOf(order.commitMs);
  try {
    const answer = await session.run<CommitFacts & { readonly epoch: number }>(connection, CONFIRM, [], deadline);
    const facts = expectKept(answer, connection, order);
    await expectStillReplicated(facts, connection, deadline.signal);
    const { epoch, timeline } = facts;
    if (epoch !== seen.epoch || timeline !== seen.timeline)
      throw new StoreError('cluster_unreachable', `PostgreSQL at ${connection.name} changed its timeline meanwhile.`);
  } catch (error) {
    throw faultOf(error, connection, deadline);
  } finally {
    deadline.clear();
  }
}

function entryOf({ seq, id, atMs, node, version, chain, bytes }: SharedEntry): SharedEntry {
  return { seq, id, atMs, node, version, chain, bytes };
}
