import type { Clock } from '../../../time/clock.ts';
import type { Upkeep } from '../../upkeep.ts';

/** The upkeep of one SQLite file; `file` gives its path without symbolic links. Each task is loaded when it is done. */
export function sqliteUpkeep(file: () => string, clock: Clock): Upkeep {
  return {
    migrate: async (watch) => {
      const { migrateInSideProcess } = await import('./migrate-side-process.ts');
      return migrateInSideProcess({ path: file(), nowMs: clock.nowMs() }, watch);
    },
    backUp: async (target, options, watch) => {
      const { backUpBeside } = await import('./backup.ts');
      return backUpBeside(file(), target, { ...options, watch });
    },
    backUpInSeries: async (series, signal) => {
      const { backUpInSideProcess } = await import('./backup-side-process.ts');
      return backUpInSideProcess({ path: file(), nowMs: clock.nowMs(), ...series }, signal);
    },
    rewrite: async (order, signal) => {
      const { rewriteInSideProcess } = await import('./rewrite-side-process.ts');
      return rewriteInSideProcess({ path: file(), ...order }, signal);
    },
    planRestore: async (backup, watch) =>
      (await import('./restore.ts')).planRestore(file(), backup, { nowMs: clock.nowMs(), watch }),
    restore: async (backup, watch) =>
      (await import('./restore.ts')).restore(file(), backup, { nowMs: clock.nowMs(), watch }),
    examine: async (options) => (await import('./examine.ts')).examine(file(), options),
  };
}
