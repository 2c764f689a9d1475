import { hash } from 'node:crypto';
import { isNodeClockOff, type Unsafe } from '../cluster-port.ts';
import { StoreError } from '../error.ts';
import { auditKey } from '../sqlite/engine/audit-key.ts';
import { writing } from '../sqlite/engine/database.ts';
import { schemaVersion } from '../sqlite/engine/migrate.ts';
import { clusterState } from './cluster-state.ts';
import { clockOff, haltError } from './halt.ts';
import type { OpenSharedBooks, SharedBooksOrder } from './open-books.ts';
import { programVersion } from './program-version.ts';
import type { LogStatus } from './shared-log.ts';

/**
 * Tells the log that this node lives, what it is, and how far it has come. Returns what keeps it from being ready: a clock that is off, a server
 * that keeps nothing as it was promised, or entries from before it was opened that are not carried out yet.
 *
 * @throws StoreError `cluster_refused` when another node has its name; `audit_key`, at first, when another one has another key
 */
export async function sayThatItLives(
  { books, log, database }: OpenSharedBooks,
  order: SharedBooksOrder,
): Promise<StoreError | null> {
  const { fitness, halt } = books;
  const { node: id, seq, stopped, epoch, timeline } = books.state();
  const { node: name, roles, keys } = order.cluster;
  const status = await log.status();
  const { head } = status;
  if (!fitness.hasSigned) expectSameAuditKey(status, order, id);
  const notLevel = fitness.compare(seq, head.seq);
  const halted = stopped ?? (halt && haltError(halt).message);
  const { clockOffsetMs } = await log.seen({
    ...{ id, name, version: programVersion(), schema: schemaVersion(database), roles, carriedOut: seq, keys },
    ...{ auditKey: digestOfKey(order), stopped: halted ?? fitness.stopped },
  });
  fitness.clockOffsetMs = clockOffsetMs;
  fitness.hasSigned = true;
  // What was seen stays in the file: a server that comes back with an earlier timeline is refused, also after a restart.
  if (head.epoch > epoch || (head.epoch === epoch && head.timeline > timeline))
    writing(database, () => clusterState(database).see(head))();
  return isNodeClockOff(clockOffsetMs) ? clockOff(clockOffsetMs) : (keepsNothing(status) ?? notLevel);
}

/** With these nothing is acknowledged. Of the others the alert tells. */
const REFUSED: readonly Unsafe['reason'][] = ['no_flush', 'no_replica', 'replica_away'];

/** Why the server acknowledges nothing at present; null: it does. */
export function keepsNothing({ server }: LogStatus): StoreError | null {
  const unsafe = server.unsafe.find(({ reason }) => REFUSED.includes(reason));
  if (unsafe === undefined) return null;
  const text = `PostgreSQL at ${server.name} is unsafe: ${unsafe.text}. No delivery is acknowledged.`;
  return new StoreError('cluster_unsafe', text, { hint: `Next: ${unsafe.next}.` });
}

function digestOfKey({ auditKey: keyFile, path }: SharedBooksOrder): string | null {
  const key = auditKey(keyFile, path).read();
  return key && hash('sha256', key);
}

/**
 * Compares the key of the audit chain with those of the others, before a snapshot is loaded or anything is carried out. `id`: of this node, null
 * before it has joined.
 *
 * @throws StoreError `audit_key` when another node has another one, also one that is stopped: both would sign the chain
 */
export function expectSameAuditKey({ nodes }: LogStatus, order: SharedBooksOrder, id: string | null): void {
  const [own, keyFile] = [digestOfKey(order), order.auditKey];
  const other = nodes.find((node) => node.id !== id && node.auditKey !== null && node.auditKey !== own);
  if (other === undefined) return;
  const text =
    own === null
      ? `There is no key file of the audit chain at ${keyFile}.`
      : `The key of the audit chain in ${keyFile} is not the one that ${other.name} has.`;
  throw new StoreError('audit_key', text, {
    hint: `Copy audit.key from ${other.name} to ${keyFile}, readable for this user alone.`,
  });
}
