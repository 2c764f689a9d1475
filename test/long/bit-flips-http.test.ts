import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { flippedDelivery } from '../support/flipped-delivery.ts';
import { temporaryFolder } from '../support/folder.ts';
import { sendAll } from '../support/keep-alive.ts';
import { Traffic } from '../support/load.ts';
import { rawRequest } from '../support/raw-http.ts';
import { readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';

const FLIPS = Number(process.env.TALLYHOOK_HTTP_FLIPS ?? 1_000_000);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);
const path = '/webhooks/test';

let serve: Serve;
afterEach(() => serve.kill());

test(`${FLIPS} flips of one bit of body or signature over HTTP, seed ${seed}: none is accepted, no row`, async () => {
  const database = join(temporaryFolder(), 'tallyhook.db');
  serve = await Serve.start({ cwd: join(database, '..'), database });
  const traffic = new Traffic(seed);
  const statuses = new Map<number, number>();
  await sendAll(serve.url, {
    count: FLIPS,
    requestAt: (index) => flippedDelivery(path, traffic.body(), seed, index),
    onAnswer: (_index, { status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
  });
  console.info(JSON.stringify({ flips: FLIPS, seed, statuses: Object.fromEntries(statuses) }));
  expect([...statuses]).toEqual([[401, FLIPS]]);
  expect(rowsOf(database)).toBe(0);

  // Without a flip the same sender is accepted.
  const body = traffic.body();
  const answer = await rawRequest(serve.url, { path, headers: Object.entries(signed(body)), body });
  expect([answer.status, rowsOf(database)]).toEqual([200, 1]);
  expect(await serve.stop()).toBe(0);
});

function rowsOf(database: string): number | undefined {
  const reader = readerOf(database);
  try {
    const count = 'SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM variants)';
    return reader.prepare<[], number>(count).pluck().get();
  } finally {
    reader.close();
  }
}
