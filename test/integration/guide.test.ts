import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/folder.ts';
import { GUIDE_PAGE, playedPage } from '../support/guide/page.ts';
import { picturesOf } from '../support/guide/pictures.ts';

// Every command of the guide starts the program.
/** A picture is a part of the page, and of the repository. */
const LARGEST_PICTURE = 150 * 1024;
/** Digests cover every column of what was kept, so each new column changes them. */
const withoutDigests = (text: string) => text.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b/g, 'DIGEST');
const page = readFileSync(GUIDE_PAGE, 'utf8');

test('the guide shows what its commands print (npm run docs:guide writes it again)', async () => {
  const folder = temporaryFolder();
  const played = await playedPage(page, folder);
  if (process.env.GUIDE === 'write') {
    writeFileSync(GUIDE_PAGE, played);
    for (const { name, bytes } of await picturesOf(join(folder, 'october.html')))
      writeFileSync(join(packageFile('docs/pictures'), name), bytes);
  } else expect(withoutDigests(played)).toBe(withoutDigests(page));
});

test('its pictures are there, and small', () => {
  const pictures = [...page.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  expect(pictures.length).toBeGreaterThan(1);
  for (const picture of pictures) {
    const path = join(packageFile('docs'), picture);
    expect([picture, existsSync(path) && statSync(path).size < LARGEST_PICTURE]).toEqual([picture, true]);
    expect(readFileSync(path).subarray(1, 4).toString()).toBe('PNG');
  }
});
