import SQLite from 'better-sqlite3';
import { verifyingServer } from './bare.ts';
import type { RunningSubject } from './running-subject.ts';

/** The obvious durable receiver: one INSERT and one fsync per delivery, on the main thread, with the same dedupe key. */
export async function oneInsertSubject(path: string): Promise<RunningSubject> {
  const database = new SQLite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL'); // as in production
  database.exec(`
    CREATE TABLE IF NOT EXISTS events (
      id INTEGER PRIMARY KEY,
      environment TEXT NOT NULL,
      event TEXT NOT NULL,
      reference TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      body BLOB NOT NULL,
      received_at INTEGER NOT NULL,
      UNIQUE (updated_at, event, reference, environment)
    ) STRICT`);
  const insert = database.prepare(`
    INSERT INTO events (environment, event, reference, updated_at, body, received_at)
    VALUES ('test', ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const server = await verifyingServer((body) => {
    const { event, data } = JSON.parse(body.toString());
    insert.run(event, data.refund_reference, data.updated_at, body, Date.now());
  });
  return {
    ...server,
    async close() {
      await server.close();
      database.close();
    },
  };
}
