import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { openMonth } from '../support/dashboard/month.ts';
import { PICTURE_FOLDER, PICTURES, takePictures } from '../support/dashboard/pictures.ts';
import { temporaryFolder } from '../support/folder.ts';

test('each picture of docs/dashboard.md can be taken', { tags: ['chromium'] }, async () => {
  const worked = await openMonth(temporaryFolder());
  const browser = await openBrowser();
  const pictures = await takePictures(browser, worked).finally(async () => {
    await browser.close();
    await worked.end();
  });
  expect(pictures.map(({ name }) => name).sort()).toEqual(PICTURES);
  if (process.env.PICTURES !== 'write') return;
  mkdirSync(PICTURE_FOLDER, { recursive: true });
  for (const { name, bytes } of pictures) writeFileSync(join(PICTURE_FOLDER, name), bytes);
});
