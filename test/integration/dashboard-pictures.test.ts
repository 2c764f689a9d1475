import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { openBrowser } from '../support/browser.ts';
import { windowOf } from '../support/dashboard/browser.ts';
import { openMonth, type WorkedMonth } from '../support/dashboard/month.ts';
import { PICTURE_FOLDER, THEMES, takePictures } from '../support/dashboard/pictures.ts';
import { temporaryFolder } from '../support/folder.ts';

/* The month of the guide in a browser: its pictures for the documents, and an incident. One browser for the file. */

const MOST_BYTES = 3_000_000;

let worked: WorkedMonth;
let browser: Browser;

beforeAll(async () => {
  worked = await openMonth(temporaryFolder());
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await worked?.end();
});

test('the pictures of docs/dashboard.md are those of the screens that there are', {
  tags: ['chromium'],
}, async () => {
  const isWritten = process.env.PICTURES === 'write';
  // Which screens there are is the same in both themes.
  const pictures = await takePictures(browser, worked, isWritten ? THEMES : ['light']);
  if (isWritten) {
    mkdirSync(PICTURE_FOLDER, { recursive: true });
    for (const { name, bytes } of pictures) writeFileSync(join(PICTURE_FOLDER, name), bytes);
  }
  const kept = readdirSync(PICTURE_FOLDER).sort();
  const screens = [...new Set(pictures.map(({ name }) => name.replace(/-\w+\.webp$/, '')))];
  expect(kept).toEqual(screens.flatMap((screen) => THEMES.map((theme) => `${screen}-${theme}.webp`)).sort());
  const page = readFileSync(packageFile('docs/dashboard.md'), 'utf8');
  expect(kept.filter((name) => !page.includes(`dashboard/${name}`))).toEqual([]);
  const bytes = kept.reduce((sum, name) => sum + statSync(join(PICTURE_FOLDER, name)).size, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test('"the refund of 9,800 never came": from the first page by its amount to the answer in three pages, by keyboard alone', {
  tags: ['chromium'],
}, async () => {
  const { page, complaints } = await windowOf(browser, worked.dashboard, worked.ada, { javaScriptEnabled: false });
  let pages = 0;
  page.on('framenavigated', () => pages++);
  await page.goto('/');
  const search = page.getByRole('searchbox').first();
  for (let tabs = 0; tabs < 10 && !(await isFocused(search)); tabs++) await page.keyboard.press('Tab');
  await page.keyboard.type('9800');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/find**');
  const found = page.locator('main').getByRole('link', { name: 'RFD-301' }).first();
  for (let tabs = 0; tabs < 80 && !(await isFocused(found)); tabs++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/records/refund/RFD-301**');
  const answer = await page.locator('main').innerText();
  // The answer, and the three witnesses: webhook and service say success, and the line of a statement says on which day the money left.
  expect(answer).toMatch(/Final: success, confirmed on .+; it cannot change any more\./);
  expect(answer).toMatch(
    /Webhooks\n.*status\s+success.*The service\n.*status\s+success.*Statements\n.*9,800\.00.*row \d+/s,
  );
  expect(pages).toBeLessThanOrEqual(3);
  expect(complaints).toEqual([]);
});

function isFocused(locator: { evaluate: (act: (node: unknown) => boolean) => Promise<boolean> }): Promise<boolean> {
  // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
  return locator.evaluate((node: any) => node.ownerDocument.activeElement === node);
}
