import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openPostgresLog } from '../../../src/store/cluster/postgres/log.ts';
import { openPostgresUpkeep } from '../../../src/store/cluster/postgres/upkeep.ts';
import type { KnownLog, NewEntry, NodeFacts, SharedLog } from '../../../src/store/cluster/shared-log.ts';
import type { PostgresOrder } from '../../../src/store/cluster-options.ts';
import { until } from '../wait.ts';
import type { PostgresServer } from './server.ts';

export const INSTALLATION = 'the-installation';

/** For tests in which no wait is to end: a machine that stands still loses no connection. */
export const LONGEST_WAIT_MS = 60_000;

export function orderOf(url: string, changes: Partial<PostgresOrder> = {}): PostgresOrder {
  return {
    url,
    password: null,
    upkeep: null,
    ca: null,
    commitMs: LONGEST_WAIT_MS,
    connectMs: LONGEST_WAIT_MS,
    replicated: false,
    ...changes,
  };
}

/** A database of the server with an empty log. */
export async function beganOn(server: PostgresServer): Promise<string> {
  const database = await server.database();
  await begin(server.url(database));
  return database;
}

export async function begin(url: string, { installation = INSTALLATION, again = null as Uint8Array | null } = {}) {
  const upkeep = openPostgresUpkeep(orderOf(url));
  try {
    return await upkeep.begin({ installation, version: '1.0.0', again });
  } finally {
    await upkeep.close();
  }
}

/** A log that is closed when the test ends. */
export function openLog(
  order: PostgresOrder,
  { name = 'node-1', known = null }: { name?: string; known?: KnownLog | null } = {},
): SharedLog {
  const log = openPostgresLog(order, { name, known, evenLeft: false });
  onTestFinished(() => log.close());
  return log;
}

/** Appends an entry, again after each wait that was too long for the log. */
export function keep(log: SharedLog, entry: NewEntry): Promise<void> {
  const isKept = () =>
    log.append([entry]).then(
      () => true,
      () => false,
    );
  return until(isKept, 'the entry is kept');
}

export function entryOf(text: string, id = randomBytes(16).toString('hex')): NewEntry {
  return { id, version: '1.0.0', bytes: Buffer.from(text) };
}

export function factsOf(name: string, changes: Partial<NodeFacts> = {}): NodeFacts {
  return {
    id: randomBytes(16).toString('hex'),
    name,
    version: '1.0.0',
    schema: 23,
    roles: ['receive', 'work'],
    carriedOut: 0,
    keys: ['test-1'],
    auditKey: null,
    stopped: null,
    ...changes,
  };
}

/** What of the log is in the database, as another program reads it. */
export async function idsIn(server: PostgresServer, database: string): Promise<string[]> {
  const rows = await server.sql<{ id: string }>('SELECT id FROM tallyhook.entries ORDER BY seq', { database });
  return rows.map(({ id }) => id);
}
