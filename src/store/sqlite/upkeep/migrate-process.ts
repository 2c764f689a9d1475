import type { MigrateProgress } from '../../upkeep.ts';
import { migrateDatabase } from './migrate-database.ts';
import type { MigrateOrder } from './migrate-side-process.ts';
import { answerOrder } from './side-process.ts';

/** The side process that `migrateInSideProcess` starts. */
answerOrder(({ path, nowMs }: MigrateOrder, report: (progress: MigrateProgress) => void) =>
  migrateDatabase(path, nowMs, report),
);
