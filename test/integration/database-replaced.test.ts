import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { rawRequest } from '../support/raw-http.ts';
import { carriedOut, readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';

// Every step starts the program, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let serve: Serve;
afterEach(() => serve?.kill());

/** Sends one delivery; the status, or null when the process ended instead of answering. */
async function send(reference: string): Promise<number | null> {
  const body = bodyOf(reference);
  const headers = Object.entries(signed(body));
  return rawRequest(serve.url, { path: '/webhooks/test', headers, body }).then(
    ({ status }) => status,
    () => null,
  );
}
const bodyOf = (reference: string) => `{"event":"refund.pending","data":{"refund_reference":"${reference}"}}`;

function references(database: string): string[] {
  const reader = readerOf(database);
  try {
    return reader.prepare<[], string>('SELECT reference FROM events ORDER BY id').pluck().all();
  } finally {
    reader.close();
  }
}

const LOSE: Record<string, (file: string) => void> = {
  deleted: (file) => rmSync(file),
  moved: (file) => renameSync(file, `${file}.moved`),
  'replaced by a copy': replaceByCopy,
};
/** Each file is gone once, and another one once. A database that is deleted is found below. */
const LOST = [
  ['tallyhook.db', 'moved'],
  ['tallyhook.db', 'replaced by a copy'],
  ['tallyhook.db-wal', 'deleted'],
  ['tallyhook.db-wal', 'replaced by a copy'],
  ['tallyhook.inbox.db', 'deleted'],
  ['tallyhook.inbox.db', 'replaced by a copy'],
  ['tallyhook.inbox.db-wal', 'moved'],
  ['tallyhook.inbox.db-wal', 'replaced by a copy'],
] as const;

function replaceByCopy(file: string): void {
  linkSync(file, `${file}.old`); // keeps the inode, so that the copy has another one
  rmSync(file);
  renameSync(copyOf(`${file}.old`), file);
}
function copyOf(file: string): string {
  const copy = `${file}.copy`;
  writeFileSync(copy, readFileSync(file));
  return copy;
}

test.each(LOST)(
  '%s is %s while serving: exit code 1 says why, and nothing that was acknowledged is lost',
  async (name, how) => {
    const cwd = temporaryFolder();
    const [database, file] = [join(cwd, 'tallyhook.db'), join(cwd, name)];
    serve = await Serve.start({ cwd, database });
    expect(await send('BEFORE')).toBe(200);
    await carriedOut(database);
    LOSE[how]?.(file);
    const after = await send('AFTER');
    expect((await serve.exited).code).toBe(1);
    const last = JSON.stringify(serve.logged('the database cannot be trusted; stopping'));
    expect(last).toContain(`${file} was `);
    expect(last).toContain('while the database is open');
    // The log acknowledges until the loss of the books is seen, and keeps what they did not carry out; its own loss is seen at once.
    if (name.startsWith('tallyhook.inbox.db')) expect(after).not.toBe(200);
    else if (after === 200) expect(inLog(database)).toContain('AFTER');
    if (name !== 'tallyhook.db') expect(references(database)).toContain('BEFORE');
  },
);

/** The bytes of the entries in the log, as text. */
function inLog(database: string): string {
  const reader = readerOf(database.replace('.db', '.inbox.db'));
  const bytes = reader.prepare<[], Buffer>('SELECT bytes FROM entries').pluck().all();
  reader.close();
  return bytes.join();
}

test('a deleted lock, index or database stops an idle receiver, too', async () => {
  for (const part of ['.lock', '-shm', '']) {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    serve = await Serve.start({ cwd, database });
    rmSync(database + part);
    expect([part, (await serve.exited).code]).toEqual([part, 1]);
    expect(serve.stderr).toContain(`${database}${part} was deleted or moved`);
  }
});

test('after the database was moved away, a new start does not take its log over; put back, it holds everything', async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database });
  expect(await send('LAST')).toBe(200);
  await carriedOut(database);
  renameSync(database, `${database}.moved`);
  await serve.exited;

  const env = { TALLYHOOK_DATABASE: database, ...TEST_KEY_ENV };
  const again = await tallyhook(['serve'], { cwd, env });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is gone, and its log') });
  expect(existsSync(database)).toBe(false);
  renameSync(`${database}.moved`, database);
  expect(references(database)).toContain('LAST');
});

test('restore sets a log without its database aside', async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database });
  expect(await send('KEPT')).toBe(200);
  await carriedOut(database);
  const run = (...args: string[]) => command(args, { cwd, env: { TALLYHOOK_DATABASE: database } });
  expect(await run('backup', 'backup.db')).toMatchObject({ code: 0 });
  rmSync(database);
  await serve.exited;
  const { code, stdout } = await run('restore', 'backup.db', '--yes', '--json');
  expect(code).toBe(0);
  expect(existsSync(`${JSON.parse(stdout).setAside}-wal`)).toBe(true);
  expect(references(database)).toEqual(['KEPT']);
});

test('a stop after the database was replaced deletes nothing of the new one', async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database });
  expect(await send('OLD')).toBe(200);
  await carriedOut(database);
  for (const part of ['', '-wal', '-shm']) renameSync(database + part, `${database}.moved${part}`);
  const other = readerOf(`${database}.moved`); // another process's database, with a log of its own
  other.close();
  for (const part of ['', '-wal', '-shm']) writeFileSync(database + part, 'another file');
  serve.signal('SIGTERM');
  expect((await serve.exited).code).toBe(1);
  for (const part of ['', '-wal']) expect(readFileSync(database + part, 'latin1')).toBe('another file');
  // A check of rows that begins meanwhile may write the index of the log, as every reader does.
  expect(existsSync(`${database}-shm`)).toBe(true);
  expect(references(`${database}.moved`)).toEqual(['OLD']);
});

test('restore is refused while serve runs: over a link, and after the lock file was deleted', async () => {
  const cwd = temporaryFolder();
  const real = join(cwd, 'disk', 'tallyhook.db');
  const link = join(cwd, 'tallyhook.db');
  mkdirSync(join(cwd, 'disk'));
  symlinkSync(real, link);
  serve = await Serve.start({ cwd, database: link });
  expect(await send('KEPT')).toBe(200);
  await carriedOut(real);
  const run = (database: string, ...args: string[]) => command(args, { cwd, env: { TALLYHOOK_DATABASE: database } });
  expect(await run(link, 'backup', 'backup.db')).toMatchObject({ code: 0 });
  const inUse = { code: 1, stderr: expect.stringMatching(/is in use by another process\.\nStop `tallyhook serve`/) };
  expect(await run(link, 'restore', 'backup.db', '--yes')).toMatchObject(inUse);
  expect(await run(real, 'restore', 'backup.db', '--yes')).toMatchObject(inUse);
  const { ino } = statSync(real);
  process.kill(serve.pid, 'SIGSTOP'); // it cannot notice the missing lock before restore looks
  rmSync(`${real}.lock`);
  expect(await run(link, 'restore', 'backup.db', '--yes')).toMatchObject(inUse);
  process.kill(serve.pid, 'SIGCONT');
  expect(statSync(real).ino).toBe(ino);
  await serve.exited;
  expect(references(real)).toEqual(['KEPT']);

  expect(await run(link, 'restore', 'backup.db', '--yes')).toMatchObject({ code: 0 });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(references(link)).toEqual(['KEPT']);
});
