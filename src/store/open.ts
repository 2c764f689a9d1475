import { sqliteStore } from './sqlite/store.ts';
import type { Store, StoreOptions } from './store.ts';

/**
 * The one door to an engine. `location` is the path of a SQLite database, the only engine so far.
 */
export function openStore(location: string, options: StoreOptions = {}): Store {
  return sqliteStore(location, options);
}
