import { rmSync } from 'node:fs';
import { isRetryable } from '../error.ts';
import { createDatabaseFile, openDatabase, writing } from '../sqlite/engine/database.ts';
import { storeError } from '../sqlite/engine/failure.ts';
import { type LogPlace, READ_BYTES, type SharedEntry, type SharedLog } from './shared-log.ts';

/** Entries that are kept, and how many more may gather before the oldest go. */
const KEPT_ENTRIES = 20_000;
const SPARE_ENTRIES = 1_000;
/** Entries that are read again after a crash of the machine took the last ones from here: more than a replica is ever behind. */
const FILLED_ENTRIES = 500;

export type RecentEntries = ReturnType<typeof openRecentEntries>;

/** The file of the entries that a database carried out last. */
export function recentFileOf(database: string): string {
  return database.endsWith('.db') ? `${database.slice(0, -3)}.recent.db` : `${database}.recent.db`;
}

/**
 * The entries that this machine carried out last, in a file beside its database: what the log lost at a failover is offered to it again from
 * here. It is written before the books are, without a sync of its own: what a crash of the machine takes from it is read again (`fillRecent`).
 */
export function openRecentEntries(database: string) {
  try {
    return opened(database);
  } catch (error) {
    if (isRetryable(storeError(error, recentFileOf(database)).fault)) throw error;
    removeRecentEntries(database); // it is dispensable, and damaged
    return opened(database);
  }
}

function opened(database: string) {
  const file = recentFileOf(database);
  createDatabaseFile(file);
  const connection = openDatabase(file);
  connection.pragma('synchronous = NORMAL'); // a crash takes the last entries, and damages nothing
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
  const last = connection.prepare<[], LogPlace>('SELECT seq, chain FROM entries ORDER BY seq DESC LIMIT 1');
  const keepAll = writing(connection, (entries: readonly SharedEntry[]) => {
    for (const entry of entries) put.run(entry);
    const newest = entries.at(-1)?.seq ?? 0;
    if ((first.get() ?? newest) < newest - KEPT_ENTRIES - SPARE_ENTRIES) forget.run(newest - KEPT_ENTRIES);
  });
  return {
    keep: (entries: readonly SharedEntry[]): void => void (entries.length > 0 && keepAll(entries)),
    /** Null: there is none. */
    last: (): LogPlace | null => last.get() ?? null,
    /** The places up to `seq`, the last one first. */
    places: (seq: number): LogPlace[] => places.all(seq),
    behind: (seq: number): SharedEntry[] => behind.all(seq),
    forget: (): void => void forgetAll.run(),
    close: (): void => void connection.close(),
  };
}

/**
 * Reads from the log what the database has carried out last, and a crash of the machine took from here: `seq` is carried out. What the log no
 * longer has is left out.
 */
export async function fillRecent(
  recent: Pick<RecentEntries, 'last' | 'keep'>,
  log: Pick<SharedLog, 'read' | 'chainAt' | 'oldest'>,
  seq: number,
): Promise<void> {
  const last = recent.last();
  if (seq === 0 || (last !== null && last.seq >= seq)) return;
  const oldest = await log.oldest();
  if (oldest === null) return;
  let place = last !== null && last.seq >= seq - FILLED_ENTRIES ? last : await placeAt(seq - FILLED_ENTRIES, log);
  if (oldest.seq > (place?.seq ?? 0) + 1) place = oldest;
  while (place !== null && place.seq < seq) {
    const entries = (await log.read(place, READ_BYTES)).filter((entry) => entry.seq <= seq);
    recent.keep(entries);
    place = entries.at(-1) ?? null;
  }
}

/** Null: the log does not have it any more. */
async function placeAt(seq: number, log: Pick<SharedLog, 'chainAt'>): Promise<LogPlace | null> {
  const from = Math.max(0, seq);
  const chain = await log.chainAt(from);
  return chain === null ? null : { seq: from, chain };
}

export function removeRecentEntries(database: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${recentFileOf(database)}${end}`, { force: true });
}
