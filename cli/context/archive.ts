import type { Config } from '../../src/config/load.ts';
import type { Archive } from '../../src/store/archive.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { differencesFound, note } from '../show/output.ts';
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
  const damaged = new Set<string>();
  const archive = await storeOf(config).archive({ onDamage: (row) => damaged.add(row) });
  try {
    const result = await work(archive);
    await noteWaiting(archive);
    noteDamaged(damaged);
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

/** A damaged row is shown as it is read: its sum says that a bit changed, not which one. Exit code 3, unless the command was cut short. */
function noteDamaged(rows: ReadonlySet<string>): void {
  const [row] = rows;
  if (row === undefined) return;
  const what = rows.size === 1 ? `${row} is damaged` : `${rows.size} rows are damaged, such as ${row}`;
  note(`What is shown may be wrong: in the database ${what}. Run: tallyhook doctor`);
  if (process.exitCode === undefined) differencesFound();
}
