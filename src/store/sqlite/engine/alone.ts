import { StoreError } from '../../error.ts';
import type { Database } from './database.ts';

/**
 * For what writes a database without a shared log.
 *
 * @throws StoreError `cluster_refused` when other machines share its log: what is written here alone, they would not have
 */
export function expectAlone(database: Database): void {
  const cluster = database.prepare<[], string | null>('SELECT cluster FROM carried_out').pluck().get() ?? null;
  if (cluster === null) return;
  throw new StoreError(
    'cluster_refused',
    `The database ${database.name} belongs to a cluster, and no \`cluster\` is configured.`,
    {
      hint: 'Put the setting `cluster` back, or take this machine out of the cluster: tallyhook cluster leave',
    },
  );
}
