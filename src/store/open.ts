import { TallyhookError } from '../domain/error.ts';
import { requireObject, requireText } from '../domain/misuse.ts';
import { sqliteStore } from './sqlite/store.ts';
import type { Store, StoreOptions } from './store.ts';

/**
 * The one door to an engine. `location` is the path of a SQLite database, the only engine so far.
 *
 * @throws TallyhookError for an address, such as that of a database server
 */
export function openStore(location: string, options: StoreOptions = {}): Store {
  requireText('The location of the store', location);
  requireObject('The options of the store', options, "openStore('tallyhook.db', { zone: 'Africa/Lagos' })");
  if (!/^[a-z]+:\/\//i.test(location)) return sqliteStore(location, options);
  // The address is not shown: it may hold a password.
  throw new TallyhookError('The store is given an address; this version keeps its data in SQLite only.', {
    kind: 'configuration',
    hint: 'Give the path of a database file.',
  });
}
