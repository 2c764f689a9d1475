import { rmSync } from 'node:fs';
import { createDatabaseFile, openDatabase, writing } from '../sqlite/engine/database.ts';
import type { LogPlace, SharedEntry } from './shared-log.ts';

/** Entries that are kept, and how many more may gather before the oldest go. */
const KEPT_ENTRIES = 20_000;
const SPARE_ENTRIES = 1_000;

export type RecentEntries = ReturnType<typeof openRecentEntries>;

/** The file of the entries that a database carried out last. */
export function recentFileOf(database: string): string {
  return database.endsWith('.db') ? `${database.slice(0, -3)}.recent.db` : `${database}.recent.db`;
}

/**
 * The entries that this machine carried out last, in a file beside its database: what the log lost at a failover is offered to it again from
 * here. It is written after the books are, without a sync of its own: what the log has needs no copy on the disk.
 */
export function openRecentEntries(database: string) {
  try {
    return opened(database);
  } catch {
    removeRecentEntries(database); // it is dispensable: a power loss may damage it
    return opened(database);
  }
}

function opened(database: string) {
  const file = recentFileOf(database);
  createDatabaseFile(file);
  const connection = openDatabase(file);
  connection.pragma('synchronous = OFF');
  connection.exec(`CREATE TABLE IF NOT EXISTS entries (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, node TEXT NOT NULL, version TEXT NOT NULL, at INTEGER NOT NULL,
    chain BLOB NOT NULL, bytes BLOB NOT NULL) STRICT`);
  const put = connection.prepare<SharedEntry>(`
    INSERT OR REPLACE INTO entries (seq, id, node, version, at, chain, bytes) VALUES (@seq, @id, @node, @version, @atMs, @chain, @bytes)`);
  const forget = connection.prepare<[number]>('DELETE FROM entries WHERE seq <= ?');
  const forgetAll = connection.prepare('DELETE FROM entries');
  const first = connection.prepare<[], number | null>('SELECT min(seq) FROM entries').pluck();
  const behind = connection.prepare<[number], SharedEntry>(
    'SELECT seq, id, node, version, at AS atMs, chain, bytes FROM entries WHERE seq > ? ORDER BY seq',
  );
  const places = connection.prepare<[number], LogPlace>(
    'SELECT seq, chain FROM entries WHERE seq <= ? ORDER BY seq DESC',
  );
  const keepAll = writing(connection, (entries: readonly SharedEntry[]) => {
    for (const entry of entries) put.run(entry);
    const last = entries.at(-1)?.seq ?? 0;
    if ((first.get() ?? last) < last - KEPT_ENTRIES - SPARE_ENTRIES) forget.run(last - KEPT_ENTRIES);
  });
  return {
    keep: (entries: readonly SharedEntry[]): void => void (entries.length > 0 && keepAll(entries)),
    /** The places up to `seq`, the last one first. */
    places: (seq: number): LogPlace[] => places.all(seq),
    behind: (seq: number): SharedEntry[] => behind.all(seq),
    forget: (): void => void forgetAll.run(),
    close: (): void => void connection.close(),
  };
}

export function removeRecentEntries(database: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${recentFileOf(database)}${end}`, { force: true });
}
