import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listed, listing } from '../support/backfilling.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { TEST_KEY_ENV, TEST_KEYS } from '../support/signer.ts';
import { refund, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
afterAll(() => db.remove());
db.keepAndApply(refund('KNOWN', 'success'), refund('HIDDEN', 'success'));
const rows: unknown[] = [];
let behave = listing(() => rows);
const service = await hostileServer((socket, request, server) => behave(socket, request, server));
const env = {
  TALLYHOOK_BASE_URL: service.url,
  TALLYHOOK_DATABASE: db.path,
  ...TEST_KEY_ENV,
};
const run = (...args: string[]) => command(['backfill', ...args], { cwd: db.folder, env });
const records = () => db.database.prepare<[], string>('SELECT reference FROM refunds ORDER BY 1').pluck().all();

test('the first walk names no time since when refunds are missing', async () => {
  const first = new TestDatabase();
  first.keepAndApply(refund('ONE', 'success'), refund('TWO', 'success'));
  const { stdout } = await command(['backfill'], {
    cwd: first.folder,
    env: { ...env, TALLYHOOK_DATABASE: first.path },
  });
  first.remove();
  expect(stdout).toMatch(/^2 known refunds are missing from the list$/m);
});

test('--dry-run, a walk and a finding: text, JSON and exit codes', async () => {
  rows.push(listed('KNOWN'));
  expect((await run('--dry-run')).stdout).toMatch(/^test: 1 row on 2 pages in /);
  rows.pop();
  rows.push(...['KNOWN', 'HIDDEN', 'NEW\u001b[31m', 'NEW2'].map((name) => listed(name)));
  expect(await run('--dry-run')).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^test: 4 rows on 2 pages in \S+ \S+: 2 would be created, 2 known, 2 of them differ from their record\n {2}NEW\ufffd\[31m\n {2}NEW2\n$/,
    ),
    stderr: '',
  });
  expect(records()).toEqual(['HIDDEN', 'KNOWN']);
  const { code, stdout } = await run('--json');
  expect(code).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    dryRun: false,
    walks: [{ outcome: 'complete', created: 2, createdReferences: ['NEW\u001b[31m', 'NEW2'], known: 2, detail: null }],
  });
  expect(undocumentedFields(result, ['backfill'])).toEqual([]);
  expect(records()).toHaveLength(4);

  rows.splice(1, 1);
  expect(await run()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^1 known refund that changed since 2\d.+ is missing from the list$/m),
  });
  expect(await run()).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^1 of them was missing before, too; see: tallyhook findings --code absent$/m),
  });
  expect(records()).toHaveLength(4);
  rows.push({ refund_reference: 'NO_STATUS' });
  expect(await run()).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^1 could not be read$/m),
    stderr: 'tallyhook: the walk of test proves no absence: 1 row has no usable reference or status.\n',
  });
  rows.pop();
});

test('a walk that is cut short or fails ends with 1 and the reason', async () => {
  expect(await run('--max-rows', '2')).toMatchObject({
    code: 1,
    stderr: 'tallyhook: the walk of test was cut short: The list did not end within 2 rows (backfill.maxRows).\n',
  });
  writeFileSync(join(db.folder, 'short.yaml'), 'backfill:\n  maxPages: 1\n');
  expect(await run('--config', 'short.yaml')).toMatchObject({ code: 1, stderr: expect.stringMatching(/1 pages/) });
  behave = (socket) => socket.write(answer(401, '{"success":false,"message":"Invalid API key"}'));
  const refused = await run();
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/the walk of test failed: .*401/) });
  expect(refused.stderr + refused.stdout).not.toContain(TEST_KEYS.secretKey);
  behave = listing(() => rows);
});

test('wrong usage ends with 2 and sends no request', async () => {
  const before = service.requests.length;
  for (const [message, ...args] of [
    [/keys\.live: has no key pair/, '--environment', 'live'],
    [/--since is "yesterday"/, '--since', 'yesterday'],
    [/--max-pages is "0"/, '--max-pages', '0'],
    [/Unknown option: --dryrun/, '--dryrun'],
  ] as const) {
    expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  }
  const { TALLYHOOK_BASE_URL: _, ...homeless } = env;
  expect(await command(['backfill'], { cwd: db.folder, env: homeless })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/baseUrl: is not set/),
  });
  expect(service.requests).toHaveLength(before);
});
