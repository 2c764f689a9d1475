import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FixedClock } from '../fixed-clock.ts';
import { startReceiver } from '../receiver.ts';
import { LIVE_KEYS, TEST_KEY_ENV, TEST_KEYS } from '../signer.ts';
import { tallyhook } from '../tallyhook.ts';
import type { OurRecord } from './story.ts';
import { answerOf, RECEIVED_MS, statusPathOf, webhooksOf } from './tell.ts';

const KEY_ENV = {
  ...TEST_KEY_ENV,
  TALLYHOOK_LIVE_PUBLIC_KEY: LIVE_KEYS.publicKey,
  TALLYHOOK_LIVE_SECRET_KEY: LIVE_KEYS.secretKey,
};

/** The environment of commands in that folder; the service is not there. */
export function commandEnv(database: string, baseUrl = 'http://127.0.0.1:9'): Record<string, string> {
  return { TALLYHOOK_DATABASE: database, TALLYHOOK_BASE_URL: baseUrl, ...KEY_ENV };
}

/**
 * Puts records into a database by the real paths: signed webhooks to the production app, then a sweep that asks a status
 * endpoint over HTTP. Returns the folder and its database.
 */
export async function fill(
  records: readonly OurRecord[],
): Promise<{ readonly folder: string; readonly database: string }> {
  const receiver = await startReceiver({ clock: new FixedClock(RECEIVED_MS) });
  const { folder, database } = receiver;
  try {
    for (const record of records) {
      const keys = record.environment === 'live' ? LIVE_KEYS : TEST_KEYS;
      for (const body of webhooksOf(record)) {
        const { status } = await receiver.post(`/webhooks/${record.environment}`, body, keys);
        if (status !== 200) throw new Error(`the webhook of ${record.reference} was answered with ${status}`);
      }
    }
    await receiver.applied();
  } finally {
    await receiver.stop();
  }
  await confirmAll(records, folder, database);
  return { folder, database };
}

/** Asks for every record at a service that answers with what the record says. */
async function confirmAll(records: readonly OurRecord[], cwd: string, database: string): Promise<void> {
  const answers = new Map(records.map((record) => [`${record.environment} ${statusPathOf(record)}`, answerOf(record)]));
  const server = createServer((request, response) => {
    const environment = request.headers.authorization?.includes('sk_live_') ? 'live' : 'test';
    const found = answers.get(`${environment} ${decodeURIComponent(request.url ?? '')}`);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { success: false, message: 'Not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await tallyhook(['sweep', 'all', '--json'], {
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
