import type { Clock } from '../../../time/clock.ts';
import type { Upkeep } from '../../upkeep.ts';

/** The upkeep of one SQLite file; `file` gives its path without symbolic links. Each task is loaded when it is done. */
export function sqliteUpkeep(file: () => string, clock: Clock): Upkeep {
  return {
    migrate: async () => (await import('./migrate-database.ts')).migrateDatabase(file(), clock.nowMs()),
    backUp: async (target, options) => (await import('./backup.ts')).backUp(file(), target, options),
    backUpInSeries: async (series, signal) => {
      const { backUpInSideProcess } = await import('./backup-side-process.ts');
      return backUpInSideProcess({ path: file(), nowMs: clock.nowMs(), ...series }, signal);
    },
    rewrite: async (order, signal) => {
      const { rewriteInSideProcess } = await import('./rewrite-side-process.ts');
      return rewriteInSideProcess({ path: file(), ...order }, signal);
    },
    planRestore: async (backup) => (await import('./restore.ts')).planRestore(file(), backup, clock.nowMs()),
    restore: async (backup) => (await import('./restore.ts')).restore(file(), backup, clock.nowMs()),
    examine: async () => (await import('./examine.ts')).examine(file()),
  };
}
