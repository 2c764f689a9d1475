import type { Config } from '../../../src/config/load.ts';
import { clusterView } from '../../../src/confirm/cluster-problems.ts';
import { type Look, look } from '../../../src/confirm/look.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { whileReadable } from '../../context/readable.ts';

export interface StatusOrder {
  readonly environment: Environment | undefined;
  readonly expectServe: boolean;
}

/** Asks `serve`, and opens the database for one look, so that a long watch never stands in the way of a restore. */
export async function lookNow(config: Config, order: StatusOrder): Promise<Look> {
  const { serveReport } = await import('../../context/serve-answer.ts');
  const serve = await serveReport(config);
  const store = storeOf(config);
  const cluster = await clusterView(store.cluster);
  const archive = await whileReadable(() => store.archive());
  return look(archive, { nowMs: systemClock.nowMs(), config, serve, cluster, ...order }).finally(() => archive.close());
}
