import { readServerAddress, type ServerAddress } from '../../../domain/cluster/server-address.ts';
import type { PostgresOrder } from '../../cluster-options.ts';
import { StoreError } from '../../error.ts';
import { Connection, nameOf } from './connection.ts';
import { refusePooler } from './pooler.ts';

export interface Primary {
  readonly connection: Connection;
  /** The servers that did not answer: one of them may have been promoted. */
  readonly silent: readonly string[];
}

/**
 * Asks all servers at once, and returns a connection to the one that is written: of those that are no replica the one with the highest
 * timeline, among equal ones the first. A server that is silent for `connectMs` is left out.
 *
 * @throws StoreError `cluster_unreachable` when there is none; `cluster_refused` when the settings are wrong
 */
export async function connectToPrimary(order: PostgresOrder): Promise<Primary> {
  const address = readServerAddress(order.url);
  if (typeof address === 'string') throw new StoreError('cluster_refused', `cluster.url ${address}.`);
  const asked = await Promise.allSettled(address.hosts.map((host) => Connection.open(host, address, order)));
  const open = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const primary = highestTimeline(open);
  for (const other of open) if (other !== primary) other.close();
  if (primary === null) throw noPrimary(address, open, asked);
  try {
    await refusePooler(primary, () => Connection.open(primary.host, address, order));
    const silent = address.hosts.filter((_, index) => asked[index]?.status === 'rejected').map(nameOf);
    return { connection: primary, silent };
  } catch (error) {
    primary.close();
    throw error;
  }
}

function highestTimeline(open: readonly Connection[]): Connection | null {
  let highest: Connection | null = null;
  for (const one of open) {
    const { timeline } = one.identity;
    if (timeline !== null && timeline > (highest?.identity.timeline ?? 0)) highest = one;
  }
  return highest;
}

function noPrimary(
  { hosts }: ServerAddress,
  replicas: readonly Connection[],
  asked: readonly PromiseSettledResult<Connection>[],
): StoreError {
  const failed = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as StoreError] : []));
  const refused = failed.find(({ fault }) => fault === 'cluster_refused');
  if (refused !== undefined) return refused;
  const [first] = failed;
  if (first !== undefined && hosts.length === 1) return first;
  const said = [...replicas.map(({ name }) => `${name} is a replica.`), ...failed.map(({ message }) => message)];
  return new StoreError('cluster_unreachable', `No server of cluster.url can be written. ${said.join(' ')}`, {
    hint: 'Promote a replica, or start the primary again. See: tallyhook cluster status',
  });
}
