import { STANDARD_CHECK_RULES } from '../../domain/next-check.ts';
import { sharedTimeOf, systemClock } from '../../time/clock.ts';
import type { Store, StoreOptions } from '../store.ts';
import { startOperations } from './operations.ts';
import { openArchive } from './read/archive.ts';
import { openRequestJournal } from './request-journal.ts';
import { sqliteUpkeep } from './upkeep/upkeep.ts';
import { openInbox } from './writer/inbox.ts';

/** The store in one SQLite file: every part, as the port describes it. */
export function sqliteStore(path: string, options: StoreOptions): Store {
  const { zone = 'Africa/Lagos', encryption = null, debounceMs = 0, checkRules = STANDARD_CHECK_RULES } = options;
  const { clock = systemClock } = options;
  const time = sharedTimeOf(clock);
  return {
    inbox: (order) => openInbox({ path, zone, encryption, debounceMs, checkRules, time, ...order }),
    archive: async () => openArchive(path, clock),
    operations: ({ create = false } = {}) => startOperations({ path, checkRules, create, time }),
    requestJournal: async () => openRequestJournal(path, zone, clock),
    upkeep: sqliteUpkeep(path, clock),
  };
}
