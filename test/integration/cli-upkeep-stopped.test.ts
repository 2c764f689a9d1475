import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { migrate, migrations } from '../../src/store/sqlite/engine/migrate.ts';
import { temporaryFolder } from '../support/folder.ts';
import { KEYS, OnTerminal } from '../support/on-terminal.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { refund, START_MS, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// Commands on a whole database, on a real terminal: what they show meanwhile, and what is there after Ctrl-C. The process that
// does the work stops itself in the middle, where it reports its progress, so Ctrl-C never comes too late.

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

/** A database of `megabytes` with one event. */
function largeDatabase(path: string, megabytes: number): void {
  const db = new TestDatabase();
  db.keepAndApply(refund('R1', 'pending'));
  const add = db.database.prepare(
    "INSERT INTO matching_rules (digest, name, text) VALUES (hex(randomblob(32)), 'filler', hex(randomblob(500000)))",
  );
  for (let n = 0; n < megabytes; n++) add.run();
  db.database.prepare('VACUUM INTO ?').run(path);
  db.remove();
}

const STOP_AT_PROGRESS = `
  const { send } = process;
  if (send !== undefined && /-process\\.[jt]s$/.test(process.argv[1]))
    process.send = (message, ...more) => {
      send.call(process, message, ...more);
      if ('progress' in message) process.kill(process.pid, 'SIGSTOP');
    };`;
const STOPPING = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(STOP_AT_PROGRESS)}` };

/** True when the side process that works in `cwd` has stopped itself; only Ctrl-C at the command can end it now. */
function isStopped(): boolean {
  const found = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isStoppedSideProcess(pid));
  expect(found.length).toBeLessThan(2);
  return found.length === 1;
}

function isStoppedSideProcess(pid: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const isOurs =
      words.some((word) => /-process\.[jt]s$/.test(word)) && words.some((word) => word.includes(`${cwd}/`));
    return isOurs && /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false; // it has ended
  }
}

/** Runs a command on a terminal until `begun`, presses Ctrl-C, and returns what the terminal showed and the exit code. */
async function stoppedAt(words: readonly string[], begun: (terminal: OnTerminal) => Promise<void>) {
  const env = { TALLYHOOK_DATABASE: join(cwd, 'tallyhook.db'), ...STOPPING };
  const terminal = new OnTerminal(words, { cwd, env });
  try {
    await begun(terminal);
    await until(isStopped, 'the side process has stopped itself');
    terminal.press(KEYS['Ctrl-C']);
    const { code, stdout } = await terminal.ended();
    return { code, stdout, shown: terminal.shown };
  } finally {
    terminal.kill();
  }
}

const filesLike = (name: RegExp) => readdirSync(cwd).filter((file) => name.test(file));
const there = (name: RegExp) => until(() => filesLike(name).length > 0, `a file like ${name} is there`);

describe('Ctrl-C', { tags: ['script', 'linux'] }, () => {
  test.each([
    ['a new file', [], /there is no \S+backup\.db\./],
    ['an existing file', ['--force'], /backup\.db is as it was\./],
  ])('leaves no half backup in the place of %s', async (_what, options, sentence) => {
    largeDatabase(join(cwd, 'tallyhook.db'), 2);
    if (options.length > 0) writeFileSync(join(cwd, 'backup.db'), 'an older one');
    const ended = await stoppedAt(['backup', 'backup.db', '--json', ...options], async (terminal) => {
      await terminal.shows(' MB copied');
      await there(/backup\.db\.partial/);
    });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.shown).toContain('{"error":{"kind":"failed","message":"The backup was cut short; ');
    expect(ended.shown).toMatch(sentence);
    expect(filesLike(/^backup/)).toEqual(options.length > 0 ? ['backup.db'] : []);
    if (options.length > 0) expect(readFileSync(join(cwd, 'backup.db'), 'utf8')).toBe('an older one');
  });

  test('leaves the database as it was while a backup is being restored', async () => {
    largeDatabase(join(cwd, 'backup.db'), 2);
    largeDatabase(join(cwd, 'tallyhook.db'), 1);
    const before = readFileSync(join(cwd, 'tallyhook.db'));
    const ended = await stoppedAt(['restore', 'backup.db', '--yes'], async (terminal) => {
      await terminal.shows('checking the backup');
      await there(/tallyhook\.db\.restoring/);
    });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.shown).toContain('tallyhook: The restore was cut short; the database is as it was.');
    expect(readFileSync(join(cwd, 'tallyhook.db')).equals(before)).toBe(true);
    expect(filesLike(/restor/)).toEqual([]);
  });

  test('leaves whole migrations, and the next run applies the rest', async () => {
    const path = join(cwd, 'tallyhook.db');
    const older = openDatabase(path, { create: true });
    migrate(older, START_MS, migrations().slice(0, 1));
    older.exec('BEGIN IMMEDIATE'); // the next migration waits for it
    const all = migrations().length;
    const ended = await stoppedAt(['migrate'], (terminal) =>
      terminal.shows(`0 of ${all - 1} migrations applied - ${migrations()[1]?.name}`),
    );
    older.exec('ROLLBACK');
    older.close();
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    // A message is wrapped at the width of the terminal.
    const said = ended.shown.replace(/\s+/g, ' ');
    expect(said).toContain(`${path} has schema 1 of ${all}; the next run goes on there.`);
    const rest = await tallyhook(['migrate', '--json'], { cwd, env: { TALLYHOOK_DATABASE: path } });
    expect(JSON.parse(rest.stdout)).toMatchObject({ schemaVersion: all, applied: { length: all - 1 } });
  });
});

test('to its end, each shows how far it is, and leaves a clean line', { tags: ['script'] }, async () => {
  largeDatabase(join(cwd, 'tallyhook.db'), 3);
  const run = async (...words: string[]) => {
    const terminal = new OnTerminal(words, { cwd, env: { TALLYHOOK_DATABASE: join(cwd, 'tallyhook.db') } });
    const { code } = await terminal.ended();
    return { code, shown: terminal.shown };
  };
  const backup = await run('backup', 'backup.db');
  expect(backup).toMatchObject({
    code: 0,
    shown: expect.stringMatching(/ 0 of (\d+) MB copied.* \1 of \1 MB copied - checking the copy/s),
  });
  const restore = await run('restore', 'backup.db', '--yes');
  expect(restore).toMatchObject({
    code: 0,
    shown: expect.stringMatching(/ - checking the backup.* - checking the copy/s),
  });
  for (const { shown } of [backup, restore]) expect(shown.endsWith('\r\u001b[K')).toBe(true);
});
