import type { Clock } from '../../../time/clock.ts';
import type { Upkeep } from '../../upkeep.ts';

/**
 * The upkeep of one SQLite file; `file` gives its path without symbolic links. Each task is loaded when it is done. `carryOut`: what the log
 * holds now, before a backup.
 */
export function sqliteUpkeep(file: () => string, clock: Clock, carryOut: () => Promise<void>): Upkeep {
  return {
    migrate: async (watch) => {
      const { migrateInSideProcess } = await import('./migrate-side-process.ts');
      return migrateInSideProcess({ path: file(), nowMs: clock.nowMs() }, watch);
    },
    backUp: async (target, options, watch) => {
      await carryOut();
      const { backUpBeside } = await import('./backup.ts');
      return backUpBeside(file(), target, { ...options, watch });
    },
    backUpInSeries: async (series, signal) => {
      await carryOut();
      const { backUpInSideProcess } = await import('./backup-side-process.ts');
      return backUpInSideProcess({ path: file(), nowMs: clock.nowMs(), ...series }, signal);
    },
    rewrite: async (order, signal) => {
      const { rewriteInSideProcess } = await import('./rewrite-side-process.ts');
      return rewriteInSideProcess({ path: file(), ...order }, signal);
    },
    planRestore: async (backup, options, watch) =>
      (await import('./restore.ts')).planRestore(file(), backup, { ...options, nowMs: clock.nowMs(), watch }),
    restore: async (backup, options, watch) =>
      (await import('./restore.ts')).restore(file(), backup, { ...options, nowMs: clock.nowMs(), watch }),
    compare: async (other) => (await import('./compare-files.ts')).compareFiles(file(), other),
    examine: async (options) => (await import('./examine.ts')).examine(file(), options),
  };
}
