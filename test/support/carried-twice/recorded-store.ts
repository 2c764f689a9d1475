import { createRequire } from 'node:module';
import { STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import { sourceFile } from '../../../src/package-root.ts';
import type { StoreOptions } from '../../../src/store/library.ts';
import { openStore } from '../../../src/store/open.ts';
import { usualKeyFile } from '../../../src/store/sqlite/engine/audit-key.ts';
import type * as RequestJournal from '../../../src/store/sqlite/request-journal.ts';
import type { Store } from '../../../src/store/store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { IMPORTED_FIRST } from '../kept-threads.ts';
import { differencesAgain } from './carried-twice.ts';
import './hooks.ts';

IMPORTED_FIRST.push(new URL('./hooks.ts', import.meta.url).href);
// The journal writes in the thread that opens it: loaded natively, so that the hooks are around it as around the threads.
const { openRequestJournal }: typeof RequestJournal = createRequire(import.meta.url)(
  sourceFile('store/sqlite/request-journal').pathname,
);

/** The store of a SQLite database whose writes are recorded while `writesOf` is there. */
export function recordedStore(location: string, options: StoreOptions): Store {
  return {
    ...openStore(location, options),
    requestJournal: async () => openRequestJournal(location, options.zone ?? 'UTC', options.clock ?? systemClock),
  };
}

/** What differs when the recorded writes of a closed database are carried out again from `base`, with the settings of its options. */
export function differencesOf(
  database: string,
  base: string,
  { zone = 'UTC', debounceMs = 0, checkRules = STANDARD_CHECK_RULES, encryption = null }: StoreOptions,
): Promise<string[]> {
  const plain = encryption && { keyHex: encryption.keyHex.reveal(), ivHex: encryption.ivHex.reveal() };
  const settings = { zone, debounceMs, checkRules, encryption: plain, auditKey: usualKeyFile(database) };
  return differencesAgain({ database, base, settings });
}
