import type { PostgresOrder } from '../../cluster-options.ts';
import type { Unsafe } from '../../cluster-port.ts';
import { StoreError } from '../../error.ts';
import type { Answer, Connection } from './connection.ts';
import { pooled } from './pooler.ts';

/** What a commit depended on, read back in its own transaction. */
export interface CommitFacts {
  readonly sync_commit: string;
  readonly min_messages: string;
  readonly standbys: string;
  readonly flush: string;
  readonly pid: number;
  readonly timeline: number;
}

export const COMMIT_FACTS = `current_setting('synchronous_commit') AS sync_commit,
      current_setting('client_min_messages') AS min_messages, current_setting('synchronous_standby_names') AS standbys, current_setting('fsync') AS flush,
      pg_backend_pid() AS pid, tallyhook.timeline() AS timeline`;

/**
 * Refuses a server on which nothing would be kept as promised, before anything is written there. The connection is closed: the next one
 * asks anew.
 *
 * @throws StoreError `cluster_unsafe`
 */
export function expectSafe(connection: Connection, order: Pick<PostgresOrder, 'replicated'>): void {
  const unsafe = unsafeServer(connection.identity, order);
  if (unsafe === null) return;
  connection.close();
  throw new StoreError('cluster_unsafe', `PostgreSQL at ${connection.name} is unsafe: ${unsafe.text}.`, {
    hint: `Nothing was written. Next: ${unsafe.next}.`,
  });
}

/**
 * The row of a committed statement, once it is certain that the commit waited for what it should: a wait for a replica that was
 * cancelled ends as a commit with a warning, and without one where warnings are not sent.
 *
 * @throws StoreError `cluster_unsafe`
 */
export function expectKept<Row extends CommitFacts>(
  { rows, warnings }: Answer<Row>,
  connection: Connection,
  order: PostgresOrder,
): Row {
  const [facts] = rows;
  const unsafe = facts === undefined ? 'a commit without an answer' : reasonOf(facts, warnings, order);
  if (facts !== undefined && facts.pid !== connection.identity.pid) throw pooled(connection.name);
  if (facts !== undefined && unsafe === null) return facts;
  connection.close(); // the next one sets its session anew
  throw new StoreError(
    'cluster_unsafe',
    `PostgreSQL at ${connection.name} did not keep what it committed: ${unsafe}.`,
    {
      hint: 'See: tallyhook cluster status',
    },
  );
}

const REPLICAS = {
  name: 'replicas',
  text: `SELECT current_setting('synchronous_standby_names') AS standbys`,
};

/**
 * Makes sure, after a commit that waited for replicas, that they are still waited for: when their list is emptied meanwhile, the server
 * ends the wait without a warning.
 *
 * @throws StoreError `cluster_unsafe`; LostConnection
 */
export async function expectStillReplicated(
  { standbys }: CommitFacts,
  connection: Connection,
  signal: AbortSignal,
): Promise<void> {
  if (standbys.trim() === '') return;
  const { rows } = await connection.run<Pick<CommitFacts, 'standbys'>>(REPLICAS, [], signal);
  if (rows[0]?.standbys === standbys) return;
  throw new StoreError(
    'cluster_unsafe',
    `PostgreSQL at ${connection.name} did not keep what it committed: synchronous_standby_names was changed meanwhile.`,
    { hint: 'The next commits count by the new list. See: tallyhook cluster status' },
  );
}

function reasonOf(facts: CommitFacts, warnings: readonly string[], order: PostgresOrder): string | null {
  const { sync_commit, min_messages } = facts;
  if (warnings.length > 0) return warnings.join('; ');
  if (sync_commit !== 'on' && sync_commit !== 'remote_apply') return `synchronous_commit was ${sync_commit}`;
  if (min_messages !== 'warning') return `client_min_messages was ${min_messages}`;
  return unsafeServer(facts, order)?.text ?? null;
}

/** Why a server with these settings keeps nothing as promised; null: it does. */
export function unsafeServer(
  { standbys, flush }: Pick<CommitFacts, 'standbys' | 'flush'>,
  { replicated }: Pick<PostgresOrder, 'replicated'>,
): Unsafe | null {
  if (flush !== 'on') {
    const text = 'fsync is off, so a crash of its machine loses what was acknowledged';
    return { reason: 'no_flush', text, next: 'set fsync = on' };
  }
  if (!replicated || standbys.trim() !== '') return null;
  return { reason: 'no_replica', text: 'it waits for no replica', next: 'set synchronous_standby_names' };
}
