import SQLite from 'better-sqlite3';
import { loadNative } from '../../../package-root.ts';

/** On this thread. Every other connection of a thread comes after one that is opened here. */
let isLoaded = false;

/** Opens a file by the engine, as it is. The engine loads its native code with the first connection of a thread. */
export function connect(file: string, options?: SQLite.Options): SQLite.Database {
  if (!isLoaded) loadNative(() => new SQLite(':memory:').close());
  isLoaded = true;
  return new SQLite(file, options);
}
