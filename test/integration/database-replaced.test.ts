import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { loseWhileServing, references, send } from '../support/lost-file.ts';
import { carriedOut, readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';

let serve: Serve;
afterEach(() => serve?.kill());

/** A file of the books and one of the log; every way of each is in `test/long/lost-files.test.ts`. */
const LOST = [
  ['tallyhook.db', 'replaced by a copy'],
  ['tallyhook.db', 'cut in half'],
  ['tallyhook.inbox.db-wal', 'moved'],
] as const;

test.each(LOST)(
  '%s is %s while serving: exit code 1 says why, and nothing that was acknowledged is lost',
  loseWhileServing,
);

test('a deleted lock, index or database stops an idle receiver, too', async () => {
  const stops = ['.lock', '-shm', ''].map(async (part) => {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    const idle = await Serve.start({ cwd, database });
    rmSync(database + part);
    expect([part, (await idle.exited).code]).toEqual([part, 1]);
    expect(idle.stderr).toContain(`${database}${part} was deleted or moved`);
  });
  await Promise.all(stops);
});

test('a database or a write-ahead log that another program empties in place stops the receiver', async () => {
  const stops = ['', '-wal'].map(async (part) => {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    const emptied = await Serve.start({ cwd, database });
    expect(await send(emptied, 'BEFORE')).toBe(200);
    await carriedOut(database); // the write-ahead log holds it
    truncateSync(database + part);
    await send(emptied, 'AFTER'); // written behind what is missing
    expect([part, (await emptied.exited).code]).toEqual([part, 1]);
    // Opening an empty database makes the engine delete its write-ahead log: the check of rows may do that first, or meet the damage.
    expect(emptied.stderr).toMatch(
      /tallyhook\.db(-wal)? was (emptied|deleted or moved) while the database is open|SQLITE_(CORRUPT|NOTADB)/,
    );
  });
  await Promise.all(stops);
});

test('after the database was moved away, a new start does not take its log over; put back, it holds everything', async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database });
  expect(await send(serve, 'LAST')).toBe(200);
  await carriedOut(database);
  renameSync(database, `${database}.moved`);
  await serve.exited;

  const env = { TALLYHOOK_DATABASE: database, ...TEST_KEY_ENV };
  const again = await tallyhook(['serve'], { cwd, env });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is gone, and its log') });
  for (const words of [['status'], ['sweep'], ['backup', 'b.db']])
    expect([words, await command(words, { cwd, env })]).toMatchObject([words, { code: 1, stderr: again.stderr }]);
  expect(existsSync(database)).toBe(false);
  // Nor is an empty file in its place made into another database.
  writeFileSync(database, '');
  for (const words of [['migrate'], ['status']])
    expect([words, await command(words, { cwd, env })]).toMatchObject([
      words,
      { code: 1, stderr: expect.stringContaining('is empty, and its log') },
    ]);
  expect(statSync(database).size).toBe(0);
  renameSync(`${database}.moved`, database);
  expect(references(database)).toContain('LAST');
});

test('after kill -9, serve is refused without the -wal of its log, until it is given up; what the log still holds is kept', async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const env = { TALLYHOOK_DATABASE: database, ...TEST_KEY_ENV };
  const run = (...words: string[]) => command(words, { cwd, env });
  serve = await Serve.start({ cwd, database });
  expect(await send(serve, 'KEPT')).toBe(200);
  await carriedOut(database);
  await serve.kill();
  rmSync(join(cwd, 'tallyhook.inbox.db-wal'));
  const lost =
    /inbox\.db-wal is gone, empty or damaged after an unclean end; deliveries that were acknowledged .* may be lost/;
  expect(await tallyhook(['serve'], { cwd, env })).toMatchObject({ code: 1, stderr: expect.stringMatching(lost) });
  expect((await run('doctor', '--offline')).stdout).toMatch(lost);
  expect(await run('backup', 'b.db')).toMatchObject({ code: 1, stderr: expect.stringMatching(lost) });
  const planned = { code: 2, stdout: expect.stringMatching(/would be lost, but for 0 deliveries in what is left/) };
  expect(await run('events', 'lost-log')).toMatchObject(planned);
  const given = { code: 0, stdout: expect.stringContaining('ask the service to send it again') };
  expect(await run('events', 'lost-log', '--yes')).toMatchObject(given);
  serve = await Serve.start({ cwd, database }); // although its first entry was carried out, and is in the log no more
  expect(await send(serve, 'NEXT')).toBe(200);
  await carriedOut(database);
  expect(references(database)).toEqual(['KEPT', 'NEXT']);
});

test('restore sets a log without its database aside', async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database });
  expect(await send(serve, 'KEPT')).toBe(200);
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
  expect(await send(serve, 'OLD')).toBe(200);
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
  expect(await send(serve, 'KEPT')).toBe(200);
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
