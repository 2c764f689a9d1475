import { dirname } from 'node:path';
import { openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../../src/store/sqlite/engine/migrate.ts';
import { RawConnection } from '../raw-http.ts';
import { carriedOut, readerOf } from '../reader.ts';
import { Serve } from '../serve.ts';
import { signed } from '../signer.ts';

/** Starts the real `serve` on what a cut left, and delivers every acknowledged body again: each must be a duplicate, so that no event is new. */
export async function restartServe(path: string, acks: ReadonlyMap<string, number>): Promise<void> {
  const serve = await Serve.start({ cwd: dirname(path), database: path });
  try {
    await carriedOut(path);
    const before = contentsIn(path);
    const connection = await RawConnection.open(serve.url);
    for (const body of acks.keys()) {
      const headers = Object.entries(signed(body));
      const answer = await connection.send({ path: '/webhooks/test', headers, body });
      if (answer.status !== 200) throw new Error(`Delivered again: ${answer.status} ${answer.body}`);
    }
    connection.close();
    await carriedOut(path);
    const after = contentsIn(path);
    if (after !== before) throw new Error(`Delivered again, ${before} contents became ${after}.`);
    const code = await serve.stop();
    if (code !== 0) throw new Error(`serve ended with code ${code}:\n${serve.stderr}`);
  } finally {
    await serve.kill();
  }
}

function contentsIn(path: string): number {
  const reader = readerOf(path);
  const count = 'SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM variants)';
  const contents = reader.prepare<[], number>(count).pluck().get() ?? 0;
  reader.close();
  return contents;
}

/** Changes of the disk in which a recording makes the database. */
export const MAKING = 40;

/** Makes the database out of what a cut left of making it. */
export function finishMaking(path: string): void {
  const database = openDatabase(path, { create: true });
  migrate(database, 0);
  database.close();
}
