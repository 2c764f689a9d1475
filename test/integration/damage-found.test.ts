import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { deliveriesOf, stoppedDatabase } from '../support/bit-flips.ts';
import { command } from '../support/command.ts';
import { rawRequest } from '../support/raw-http.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { PROFILE, walletCsv } from '../support/statement-files.ts';
import { until } from '../support/wait.ts';

let serve: Serve;
afterEach(() => serve?.kill());

const EVENTS = 30;
const post = (body: Uint8Array) =>
  rawRequest(serve.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });

/** Flips a bit of the last copy of `text` in the stopped database: the one in the row, behind those in the indexes. */
function damage(path: string, text: string): void {
  const bytes = readFileSync(path);
  const at = bytes.lastIndexOf(text);
  expect(at, text).toBeGreaterThan(0);
  bytes[at + text.length - 1] = (bytes[at + text.length - 1] ?? 0) ^ 2;
  writeFileSync(path, bytes);
}

test('a damaged row is found after a clean stop and start: in the log, by health and by doctor; deliveries are kept, also of its event, and none is taken for a duplicate of it', async () => {
  const database = await stoppedDatabase(EVENTS);
  damage(database, '"reference":"REF-7","status"');
  const cwd = dirname(database);
  serve = await Serve.start({ cwd, database });
  const message = 'rows of the database are damaged';
  await until(() => serve.logged(message) !== undefined, 'the damage is logged');
  expect(serve.logged(message)?.damage).toEqual(['events 8 has another body than was kept']);
  const { status } = await post(Buffer.from('{"event":"refund.pending","data":{"refund_reference":"NEW"}}'));
  expect(status).toBe(200);
  const [whole, damaged] = [deliveriesOf(EVENTS)[8]?.body, deliveriesOf(EVENTS)[7]?.body] as [Buffer, Buffer];
  for (const body of [whole, damaged, damaged]) expect(await post(body)).toMatchObject({ status: 200 });
  expect(await serve.stop()).toBe(0);
  const reader = new SQLite(database, { readonly: true });
  const found = reader.prepare<[Buffer], number>('SELECT deliveries FROM variants WHERE body = ?').pluck();
  expect([found.all(whole), found.all(damaged)]).toEqual([[], [2]]);
  reader.close();

  const run = (...args: string[]) => command([...args, '--json'], { cwd, env: { TALLYHOOK_DATABASE: database } });
  const health = await run('health');
  const { problems } = JSON.parse(health.stdout) as { problems: { code: string; text: string }[] };
  expect([health.code, problems[0]?.code]).toEqual([3, 'damaged']);
  expect(problems[0]?.text).toContain('events 8 has another body than was kept');
  const { checks } = JSON.parse((await run('doctor')).stdout) as { checks: Record<string, string>[] };
  const rows = checks.find(({ name }) => name === 'rows');
  expect(rows).toMatchObject({ status: 'failed', hint: expect.stringContaining('tallyhook backfill') });
});

test('a page that the engine cannot read ends serve, also when the check of rows alone has read it', async () => {
  const database = await stoppedDatabase(EVENTS);
  const reader = new SQLite(database, { readonly: true });
  const root = reader.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'imported_lines'").pluck();
  const [page, size] = [root.get() ?? 0, Number(reader.pragma('page_size', { simple: true }))];
  reader.close();
  writeFileSync(database, readFileSync(database).fill(0xff, (page - 1) * size, page * size));
  serve = await Serve.start({ cwd: dirname(database), database });
  expect((await serve.exited).code).toBe(1);
  const last = JSON.stringify(serve.logged('the database cannot be trusted; stopping'));
  expect(last).toMatch(/SQLITE_CORRUPT.*tallyhook restore FILE/);
});

test('a list and a single read say which damaged row they show, and end with 3; without damage they end with 0', async () => {
  const database = await stoppedDatabase(EVENTS);
  const cwd = dirname(database);
  const run = (...args: string[]) => command(args, { cwd, env: { TALLYHOOK_DATABASE: database } });
  writeFileSync(join(cwd, 'wallet.csv'), walletCsv([['C1', 1_000]]));
  writeFileSync(join(cwd, 'wallet.yaml'), PROFILE);
  expect(await run('statements', 'import', 'wallet.csv', '--profile', 'wallet.yaml')).toMatchObject({ code: 0 });
  // What is flipped, where: columns that follow each other in one row alone, and the last letter of them changes.
  const shown = [
    { text: 'testREF-6success', row: 'refunds 3', by: ['refunds', 'list'] },
    { text: 'testREF-7pending', row: 'payouts 3', by: ['payouts', 'show', 'REF-7'] },
    { text: 'REF-62026-11-20T09:59:54Zrefundobserved', row: 'events 7', by: ['events', 'list'] },
    { text: 'wallettestimportedwallet.csv', row: 'imported_statements 1', by: ['statements', 'list'] },
    { text: 'collectionCollectionNGN', row: 'imported_lines 1', by: ['statements', 'show', '1'] },
  ];
  for (const { by } of shown) expect(await run(...by)).toMatchObject({ code: 0, stderr: '' });
  const good = readFileSync(database);
  for (const { text, by, row } of shown) {
    writeFileSync(database, good);
    damage(database, text);
    const message = `What is shown may be wrong: in the database ${row} is damaged. Run: tallyhook doctor`;
    expect(await run(...by)).toMatchObject({ code: 3, stderr: `${message}\n` });
  }
});
