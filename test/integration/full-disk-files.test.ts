import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { payout, TestDatabase } from '../support/test-database.ts';
import { AS_ROOT } from '../support/tools.ts';

/** Runs the program with a file system of this size at `folder`, then lists what it left there; `first` and `last` run before and after. */
const onDiskOf = (size: string, folder: string, { first = ':', last = ':' } = {}) => {
  const script = `mount -t tmpfs -o size=${size} none "$0"; ${first}; "$@"; code=$?; (ls -A "$0"; ${last}) >&2; exit $code`;
  return ['unshare', ...AS_ROOT, '--mount', 'sh', '-c', script, folder];
};

test('init on a full disk leaves no file that would stop the next init', { tags: ['mounts'] }, async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'small');
  mkdirSync(folder);
  const ended = await tallyhook(['init', '--yes', '--folder', folder], { cwd, under: onDiskOf('4k', folder) });
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^tallyhook: Cannot write .*: the disk is full\.\nNothing was written\..*\n$/),
  });
});

test('a backup on a full disk names the backup, and says nothing of receiving', { tags: ['mounts'] }, async () => {
  const db = new TestDatabase();
  db.keepAndApply(payout('P1', 'success'));
  const folder = join(db.folder, 'small');
  mkdirSync(folder);
  const under = onDiskOf('64k', folder);
  const env = { TALLYHOOK_DATABASE: db.path };
  const file = join(folder, 'b.db');
  const [full, nowhere] = await Promise.all([
    tallyhook(['backup', file], { cwd: db.folder, env, under }),
    tallyhook(['backup', 'no/x.db'], { cwd: db.folder, env }),
  ]);
  db.remove();
  expect(full).toMatchObject({
    code: 1,
    stderr: `tallyhook: ${file} cannot be written: the disk is full.\nFree some space there, and run it again.\n`,
  });
  expect(nowhere).toMatchObject({
    code: 2,
    stderr: `tallyhook: ${join(db.folder, 'no/x.db')} cannot be made: the folder does not exist.\nMake it first.\n`,
  });
});

test('the demo on a full disk ends and says so', { tags: ['mounts'] }, async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'small');
  mkdirSync(folder);
  const ended = await tallyhook(['demo'], { cwd, env: { TMPDIR: folder }, under: onDiskOf('300k', folder) });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tallyhook: The database .* failed .*disk/) });
});

test('a snapshot of a sandbox on a full disk leaves the one that was there', { tags: ['mounts'] }, async () => {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'small');
  mkdirSync(folder);
  const sandbox = await startSandbox();
  const file = join(folder, 's.json');
  const under = onDiskOf('4k', folder, { first: 'echo former > "$0/s.json"', last: 'cat "$0/s.json"' });
  const args = ['sandbox', 'snapshot', file, '--force', '--url', sandbox.url, '--token', sandbox.controlToken];
  const ended = await tallyhook(args, { cwd, under });
  await sandbox.close();
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: `tallyhook: Cannot write ${file}: the disk is full.\nFree some space there, and run it again.\ns.json\nformer\n`,
  });
});

test('an export of bodies on a full disk leaves none of them behind', { tags: ['mounts'] }, async () => {
  const db = new TestDatabase();
  db.keepAndApply(...Array.from({ length: 40 }, (_, index) => payout(`P${index}`, 'success')));
  const folder = join(db.folder, 'small');
  mkdirSync(folder);
  const env = { TALLYHOOK_DATABASE: db.path };
  const bodies = join(folder, 'bodies');
  const [made, there] = await Promise.all([
    tallyhook(['events', 'export', '--bodies', bodies], { cwd: db.folder, env, under: onDiskOf('64k', folder) }),
    tallyhook(['events', 'export', '--bodies', folder], {
      cwd: db.folder,
      env,
      under: onDiskOf('64k', folder, { first: 'echo mine >"$0/mine"', last: 'cat "$0/mine"' }),
    }),
  ]);
  db.remove();
  expect(made).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /\d+\.body cannot be written: the disk is full\.\n.* None of the bodies was kept\.\n$/,
    ),
  });
  expect(there).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/None of the bodies was kept\.\nmine\nmine\n$/),
  });
});
