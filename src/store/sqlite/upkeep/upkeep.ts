import type { Clock } from '../../../time/clock.ts';
import type { Upkeep } from '../../upkeep.ts';
import { backUp } from './backup.ts';
import { backUpInSideProcess } from './backup-side-process.ts';
import { examine } from './examine.ts';
import { migrateDatabase } from './migrate-database.ts';
import { planRestore, restore } from './restore.ts';

/** The upkeep of one SQLite file. */
export function sqliteUpkeep(path: string, clock: Clock): Upkeep {
  return {
    migrate: async () => migrateDatabase(path, clock.nowMs()),
    backUp: async (file, options) => backUp(path, file, options),
    backUpInSeries: (series, signal) => backUpInSideProcess({ path, nowMs: clock.nowMs(), ...series }, signal),
    planRestore: async (backup) => planRestore(path, backup, clock.nowMs()),
    restore: async (backup) => restore(path, backup, clock.nowMs()),
    examine: async () => examine(path),
  };
}
