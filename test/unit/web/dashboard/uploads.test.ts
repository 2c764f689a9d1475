import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { dropUpload, keepUpload, keptUpload, openUploads } from '../../../../src/web/dashboard/uploads.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;

function sent(folder: string, name: string, text = 'Date,Amount\n') {
  const path = join(folder, 'part');
  writeFileSync(path, text, { mode: 0o600 });
  return { name, path, bytes: text.length };
}

test('an upload is there for the session that sent it, and for no other', async () => {
  const folder = temporaryFolder();
  const id = await keepUpload(folder, 1, sent(folder, 'october.csv'), NOW_MS);
  const kept = await keptUpload(folder, 1, id);
  expect(kept).toMatchObject({ name: 'october.csv', bytes: 12 });
  expect(readFileSync(kept?.path ?? '', 'utf8')).toBe('Date,Amount\n');
  expect(await keptUpload(folder, 2, id)).toBeNull();
  for (const other of ['', '..', `${id}/..`, id.toUpperCase(), '0'.repeat(32)])
    expect(await keptUpload(folder, 1, other)).toBeNull();
  expect(readdirSync(folder).join()).not.toContain('grace');
  await dropUpload(folder, 2, id);
  expect(await keptUpload(folder, 1, id)).not.toBeNull();
  await dropUpload(folder, 1, id);
  await dropUpload(folder, 1, id);
  expect(readdirSync(folder)).toEqual([]);
});

test('the folder of an upload is for its owner alone', async () => {
  const folder = temporaryFolder();
  const id = await keepUpload(folder, 1, sent(folder, 'october.csv'), NOW_MS);
  const { path = '' } = (await keptUpload(folder, 1, id)) ?? {};
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\october.csv', 'october.csv'],
  ['..', 'statement'],
  ['.csv', 'csv'],
  ['', 'statement'],
  [`${'ö'.repeat(300)}.xlsx`, `${'ö'.repeat(97)}.xlsx`],
])('a stranger’s name %j is one file in its own folder', async (name, expected) => {
  const folder = temporaryFolder();
  const id = await keepUpload(folder, 1, sent(folder, name), NOW_MS);
  const kept = await keptUpload(folder, 1, id);
  expect(kept?.name).toBe(expected);
  expect(basename(kept?.path ?? '')).toBe(expected);
});

test('control characters of a name are in no path', async () => {
  const folder = temporaryFolder();
  const id = await keepUpload(folder, 1, sent(folder, 'a\u0000b\u202ec\n.csv'), NOW_MS);
  expect((await keptUpload(folder, 1, id))?.name).not.toMatch(/[\p{Cc}\u202e]/u);
});

test('a session keeps five uploads, and the oldest gives way', async () => {
  const folder = temporaryFolder();
  const ids: string[] = [];
  for (let at = 0; at < 7; at++) ids.push(await keepUpload(folder, 1, sent(folder, `${at}.csv`), NOW_MS));
  const kept = await Promise.all(ids.map((id) => keptUpload(folder, 1, id)));
  expect(kept.map((one) => one?.name ?? null)).toEqual([null, null, '2.csv', '3.csv', '4.csv', '5.csv', '6.csv']);
});

test('what is older than an hour is swept by the next upload, also of other sessions', async () => {
  const folder = temporaryFolder();
  const old = await keepUpload(folder, 1, sent(folder, 'old.csv'), NOW_MS);
  const fresh = await keepUpload(folder, 2, sent(folder, 'new.csv'), NOW_MS + 2 * HOUR_MS);
  expect(await keptUpload(folder, 1, old)).toBeNull();
  expect(await keptUpload(folder, 2, fresh)).not.toBeNull();
});

test('what a process left behind that ended is deleted at the next start; the folders of those that run stay', async () => {
  const base = temporaryFolder();
  const leave = (name: string) => {
    mkdirSync(join(base, name));
    sent(join(base, name), 'october.csv');
    return name;
  };
  const first = await openUploads(base);
  const [gone, former] = [leave('tallyhook-uploads-4194999-aBc123'), leave(`tallyhook-uploads-${process.pid}-former`)];
  const [running, foreign] = [leave(`tallyhook-uploads-${process.ppid}-aBc123`), leave('of-another-program')];
  const second = await openUploads(base);
  const left = readdirSync(base);
  expect([gone, former].filter((name) => left.includes(name))).toEqual([]);
  expect(left).toEqual(expect.arrayContaining([running, foreign, basename(first.folder), basename(second.folder)]));
  expect(statSync(second.folder).mode & 0o777).toBe(0o700);
  await first.close();
  await second.close();
  expect(readdirSync(base).toSorted()).toEqual([running, foreign].toSorted());
});
