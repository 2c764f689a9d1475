import { StoreError } from '../../error.ts';
import type { LogHead } from '../shared-log.ts';
import type { Statement } from './connection.ts';

/** The database that is asked, among those of its server: a copy of it has another one. */
export const THIS_DATABASE = '(SELECT oid FROM pg_database WHERE datname = current_database())';

/** How many migrations of `migrations/postgres` these statements are written for. */
export const TABLES = 3;

export interface HeadRow extends LogHead {
  readonly tables: number;
}

export const HEAD: Statement = {
  name: 'head',
  text: `
    SELECT installation, epoch,
      server <> (SELECT system_identifier::text FROM pg_control_system()) OR database <> ${THIS_DATABASE} AS "isCopy",
      tallyhook.timeline() AS timeline, seq, chain, tallyhook.ms(at) AS "atMs", version, left_at IS NOT NULL AS "hasLeft", tables
    FROM tallyhook.head`,
};

/** @throws StoreError `cluster_refused` when there is no log, or its tables are those of another version */
export function headOf(row: HeadRow | undefined, server: string): LogHead {
  if (row === undefined) {
    throw new StoreError('cluster_refused', `PostgreSQL at ${server} holds no log in this database.`, {
      hint: 'Make it, as an owner: tallyhook cluster begin',
    });
  }
  const { tables, ...head } = row;
  expectTables(tables, server);
  return head;
}

/** A program reads the tables of its own version and of the next one: nodes are replaced one by one. */
export function expectTables(tables: number, server: string): void {
  if (tables === TABLES || tables === TABLES + 1) return;
  throw new StoreError(
    'cluster_refused',
    `The tables of the log at ${server} have version ${tables}; this program knows ${TABLES}.`,
    {
      hint:
        tables < TABLES
          ? 'Bring them up to date, as their owner: tallyhook cluster begin'
          : 'Install the newer Tallyhook.',
    },
  );
}
