import type { Config } from '../../src/config/load.ts';
import type { Archive } from '../../src/store/archive.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { note } from '../show/output.ts';
import { configFrom } from './config.ts';

/** Runs `work` on the configuration and its database, read-only; `serve` may run at the same time. */
export async function withArchive<Result>(
  argv: { config?: string | undefined },
  work: (archive: Archive, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = await configFrom(argv);
  return withArchiveOf(config, (archive) => work(archive, config));
}

/** The same, for a command that has read its configuration already. */
export async function withArchiveOf<Result>(
  config: Config,
  work: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  const archive = await storeOf(config).archive();
  try {
    const result = await work(archive);
    await noteWaiting(archive);
    return result;
  } finally {
    await archive.close();
  }
}

/** Deliveries that wait for less are on their way. */
const WAITING_MS = 1_000;

/** What is acknowledged and not carried out yet is in no list. */
async function noteWaiting(archive: Archive): Promise<void> {
  const { deliveries, sinceMs } = await archive.waiting();
  if (sinceMs === null || systemClock.nowMs() - sinceMs < WAITING_MS) return;
  note(
    deliveries === 1
      ? 'One delivery waits in the log, and is not shown yet.'
      : `${deliveries} deliveries wait in the log, and are not shown yet.`,
  );
}
