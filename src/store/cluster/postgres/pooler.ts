import { StoreError } from '../../error.ts';
import type { Connection } from './connection.ts';
import { mayHaveCommitted } from './faults.ts';

/** Connections that are compared before a pooler counts as one that keeps each connection to its process. */
const ROUNDS = 3;

/**
 * Refuses a pooler that gives each transaction another process of the server: what a session sets, and the settings that its commits
 * are read back with, would not hold. A pooler that keeps a connection to its process changes nothing.
 *
 * @throws StoreError `cluster_refused`
 */
export async function refusePooler(connection: Connection, openAnother: () => Promise<Connection>): Promise<void> {
  const { pid } = connection.identity;
  if (connection.announcedPid === null || connection.announcedPid === pid) return;
  for (let round = 0; round < ROUNDS; round++) {
    const another = await openAnother();
    try {
      // One process for two connections, or two for one: either is proof.
      if (another.identity.pid === pid || (await pidOf(connection)) !== pid) throw pooled(connection.name);
    } finally {
      another.close();
    }
  }
}

export function pooled(server: string): StoreError {
  return new StoreError('cluster_refused', `A pooler at ${server} gives each transaction another connection.`, {
    hint: 'Name the servers themselves in cluster.url, or set pool_mode = session for this database in the pooler.',
  });
}

async function pidOf(connection: Connection): Promise<number | null> {
  try {
    const { rows } = await connection.run<{ pid: number }>(
      { text: 'SELECT pg_backend_pid() AS pid' },
      [],
      AbortSignal.timeout(PATIENCE_MS),
    );
    return rows[0]?.pid ?? null;
  } catch (error) {
    if (mayHaveCommitted(error)) return null;
    throw error;
  }
}

const PATIENCE_MS = 2_000;
