import { StoreError } from '../../error.ts';
import type { LogHead } from '../shared-log.ts';
import type { Statement } from './connection.ts';

/** How many migrations of `migrations/postgres` these statements are written for. */
export const TABLES = 1;

export interface HeadRow {
  readonly installation: string;
  readonly server: string;
  /** The server that was asked. */
  readonly here: string;
  readonly epoch: number;
  readonly timeline: number;
  readonly seq: string;
  readonly chain: Buffer;
  readonly at_ms: string;
  readonly version: string;
  readonly has_left: boolean;
  readonly tables: number;
}

export const HEAD: Statement = {
  name: 'head',
  text: `
    SELECT installation, server, (SELECT system_identifier::text FROM pg_control_system()) AS here, epoch,
      tallyhook.timeline() AS timeline, seq, chain, tallyhook.ms(at) AS at_ms, version, left_at IS NOT NULL AS has_left, tables
    FROM tallyhook.head`,
};

/** @throws StoreError `cluster_refused` when there is no log, or its tables are those of another version */
export function headOf(row: HeadRow | undefined, server: string): LogHead {
  if (row === undefined) {
    throw new StoreError('cluster_refused', `PostgreSQL at ${server} holds no log in this database.`, {
      hint: 'Make it, as an owner: tallyhook cluster begin',
    });
  }
  expectTables(row.tables, server);
  const { installation, epoch, timeline, chain, version } = row;
  return {
    installation,
    epoch,
    timeline,
    seq: Number(row.seq),
    chain,
    atMs: Number(row.at_ms),
    version,
    hasLeft: row.has_left,
    isCopy: row.server !== row.here,
  };
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
