import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { command } from '../command.ts';
import { commandEnv } from '../command-env.ts';
import { makeEmptyDatabase } from '../empty-database.ts';
import { FixedClock } from '../fixed-clock.ts';
import { temporaryFolder } from '../folder.ts';
import { startReceiver } from '../receiver.ts';
import { RECEIVED_MS, type Told } from '../shop/records.ts';
import { LIVE_KEYS, TEST_KEYS } from '../signer.ts';
import { statusPathOf } from './tell.ts';

interface Filled {
  readonly folder: string;
  readonly database: string;
}

/**
 * Puts records into a database by the real paths: signed webhooks to the production app, then a sweep that asks a status
 * endpoint over HTTP. Returns the folder and its database; `folder`: one that has a database.
 */
export async function fill(records: readonly Told[], folder?: string, receivedAtMs = RECEIVED_MS): Promise<Filled> {
  if (records.length === 0 && folder === undefined) return withoutRecords();
  const receiver = await startReceiver({
    ...{ clock: new FixedClock(receivedAtMs) },
    ...(folder !== undefined && { folder }),
  });
  try {
    for (const { environment, webhooks } of records) {
      const keys = environment === 'live' ? LIVE_KEYS : TEST_KEYS;
      for (const body of webhooks) {
        const { status } = await receiver.post(`/webhooks/${environment}`, body, keys);
        if (status !== 200) throw new Error(`a webhook was answered with ${status}: ${body}`);
      }
    }
    await receiver.carriedOut();
  } finally {
    await receiver.stop();
  }
  makeDue(receiver.database);
  await confirmAll(records, receiver);
  return { folder: receiver.folder, database: receiver.database };
}

function withoutRecords(): Filled {
  const folder = temporaryFolder();
  const database = join(folder, 'tallyhook.db');
  makeEmptyDatabase(database);
  return { folder, database };
}

/** A record is due some seconds after its webhook: a quick machine asks before. */
function makeDue(path: string): void {
  const database = openDatabase(path);
  for (const kind of RECORD_KINDS) database.exec(`UPDATE ${kind}s SET due_at = 0 WHERE due_at IS NOT NULL`);
  database.close();
}

/** Asks for every record at a service that answers with what the record says. */
async function confirmAll(records: readonly Told[], { folder: cwd, database }: Filled): Promise<void> {
  const answers = new Map(
    records.map((told) => [
      `${told.environment} ${statusPathOf(told)}`,
      { success: true, message: 'Found', data: told.data },
    ]),
  );
  const server = createServer((request, response) => {
    const environment = request.headers.authorization?.includes('sk_live_') ? 'live' : 'test';
    const found = answers.get(`${environment} ${decodeURIComponent(request.url ?? '')}`);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { success: false, message: 'Not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await command(['sweep', 'all', '--json'], {
      cwd,
      env: commandEnv(database, baseUrl),
    });
    const { confirmed } = JSON.parse(stdout || '{}') as { confirmed?: number };
    if (confirmed === undefined) throw new Error(`the sweep ended with ${code}: ${stderr}${stdout}`);
  } finally {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
