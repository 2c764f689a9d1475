import type { NodeRole } from '../domain/cluster/node-role.ts';

/*
 * How a machine takes part in a log that several machines share. Plain values: each thread opens the log for itself.
 */

export interface ClusterOptions {
  /** The name of this machine in the log. */
  readonly node: string;
  readonly roles: readonly NodeRole[];
  /** The key pairs that it receives with, as `domain/cluster/node-key` names them. */
  readonly keys: readonly string[];
  /** The digests of settings that each start takes over into the database, by the setting: all machines have the same. */
  readonly takenOver: Readonly<Record<string, string>>;
  /** Entries older than this, and than the older of two snapshots, are deleted. */
  readonly keepDays: number;
  readonly log: SharedLogOrder;
}

/** Which log it is, and how to open it. */
export type SharedLogOrder = ({ readonly kind: 'postgres' } & PostgresOrder) | ModuleOrder;

/** How the log in PostgreSQL is reached. The settings are those of section `cluster`. */
export interface PostgresOrder {
  /** One address or several; a password in it counts where `password` is null. */
  readonly url: string;
  readonly password: string | null;
  /** The role that deletes what snapshots have made dispensable; null: that of `url`. */
  readonly upkeep: { readonly role: string; readonly password: string | null } | null;
  /** Certificates (PEM) that sign those of the servers; null for those that Node knows. */
  readonly ca: string | null;
  /** Longest wait for a commit; then the connection is closed. */
  readonly commitMs: number;
  /** Longest wait for a server to answer while one is looked for. */
  readonly connectMs: number;
  /** Nothing counts as kept while the server waits for no replica. */
  readonly replicated: boolean;
}

/** A log by another module, whose `openLog` gets `options`: the tests have one in memory. */
export interface ModuleOrder {
  readonly kind: 'module';
  /** The URL of its file. */
  readonly module: string;
  readonly options: unknown;
}
