import type { Clock } from '../../../time/clock.ts';
import type { Upkeep } from '../../upkeep.ts';
import { backUp } from './backup.ts';
import { backUpInSideProcess } from './backup-side-process.ts';
import { examine } from './examine.ts';
import { migrateDatabase } from './migrate-database.ts';
import { planRestore, restore } from './restore.ts';
import { rewriteInSideProcess } from './rewrite-side-process.ts';

/** The upkeep of one SQLite file; `file` gives its path without symbolic links. */
export function sqliteUpkeep(file: () => string, clock: Clock): Upkeep {
  return {
    migrate: async () => migrateDatabase(file(), clock.nowMs()),
    backUp: async (target, options) => backUp(file(), target, options),
    backUpInSeries: (series, signal) => backUpInSideProcess({ path: file(), nowMs: clock.nowMs(), ...series }, signal),
    rewrite: async (order, signal) => rewriteInSideProcess({ path: file(), ...order }, signal),
    planRestore: async (backup) => planRestore(file(), backup, clock.nowMs()),
    restore: async (backup) => restore(file(), backup, clock.nowMs()),
    examine: async () => examine(file()),
  };
}
