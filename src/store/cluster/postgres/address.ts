import { readServerAddress, type ServerAddress } from '../../../domain/cluster/server-address.ts';
import type { PostgresOrder } from '../../cluster-options.ts';
import { StoreError } from '../../error.ts';

/** @throws StoreError `cluster_refused` when the address breaks a rule */
export function addressOf({ url }: PostgresOrder): ServerAddress {
  const address = readServerAddress(url);
  if (typeof address !== 'string') return address;
  throw new StoreError('cluster_refused', `cluster.url ${address}.`);
}
