import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import type { ClusterPort } from '../../../src/store/cluster-port.ts';
import { storeOf } from '../../../src/store/configured-store.ts';

/** The log that this machine shares. @throws TallyhookError when the configuration names none */
export function clusterOf(config: Config): ClusterPort {
  const { cluster } = storeOf(config);
  if (cluster !== null) return cluster;
  throw new TallyhookError('cluster.url is not set: this machine is alone.', {
    kind: 'configuration',
    hint: 'Set it to the PostgreSQL that shall keep the log: docs/operations.md, "Several machines".',
  });
}
