import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../../src/package-root.ts';
import { temporaryFolder } from '../folder.ts';
import { GUIDE_PAGE, playedPage } from './page.ts';
import { picturesOf } from './pictures.ts';

/* Writes docs/month.md and its pictures again: npm run docs:guide. Pictures need Chromium. */

const folder = temporaryFolder();
writeFileSync(GUIDE_PAGE, await playedPage(readFileSync(GUIDE_PAGE, 'utf8'), folder));
const pictures = packageFile('docs/pictures');
mkdirSync(pictures, { recursive: true });
for (const { name, bytes } of await picturesOf(join(folder, 'october.html')))
  writeFileSync(join(pictures, name), bytes);
