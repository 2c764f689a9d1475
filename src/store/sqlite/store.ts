import { STANDARD_CHECK_RULES } from '../../domain/next-check.ts';
import { sharedTimeOf, systemClock } from '../../time/clock.ts';
import type { Store, StoreOptions } from '../store.ts';
import { realFile } from './engine/real-file.ts';
import { startOperations } from './operations.ts';
import { openArchive } from './read/archive.ts';
import { openRequestJournal } from './request-journal.ts';
import { sqliteUpkeep } from './upkeep/upkeep.ts';
import { openInbox } from './writer/inbox.ts';

/** The store in one SQLite file: every part, as the port describes it. */
export function sqliteStore(location: string, options: StoreOptions): Store {
  const { zone = 'Africa/Lagos', encryption = null, debounceMs = 0, checkRules = STANDARD_CHECK_RULES } = options;
  const { clock = systemClock } = options;
  const time = sharedTimeOf(clock);
  const file = () => realFile(location);
  return {
    inbox: (order) => openInbox({ path: file(), zone, encryption, debounceMs, checkRules, time, ...order }),
    archive: async () => openArchive(file(), clock),
    operations: ({ create = false } = {}) => startOperations({ path: file(), checkRules, create, time }),
    requestJournal: async () => openRequestJournal(file(), zone, clock),
    upkeep: sqliteUpkeep(file, clock),
  };
}
