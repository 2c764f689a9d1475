import { readServerAddress, type ServerAddress } from '../../../domain/cluster/server-address.ts';
import { StoreError } from '../../error.ts';

/** How the log in PostgreSQL is reached: plain values, for threads. The settings are those of section `cluster`. */
export interface PostgresOrder {
  /** One address or several; a password in it counts where `password` is null. */
  readonly url: string;
  readonly password: string | null;
  /** Certificates (PEM) that sign those of the servers; null for those that Node knows. */
  readonly ca: string | null;
  /** Longest wait for a commit; then the connection is closed. */
  readonly commitMs: number;
  /** Longest wait for a server to answer while one is looked for. */
  readonly connectMs: number;
  /** Nothing counts as kept while the server waits for no replica. */
  readonly replicated: boolean;
}

/** @throws StoreError `cluster_refused` when the address breaks a rule */
export function addressOf({ url }: PostgresOrder): ServerAddress {
  const address = readServerAddress(url);
  if (typeof address !== 'string') return address;
  throw new StoreError('cluster_refused', `cluster.url ${address}.`);
}
