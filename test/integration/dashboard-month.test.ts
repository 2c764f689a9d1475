import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { openBrowser } from '../support/browser.ts';
import { type Window, windowOf } from '../support/dashboard/browser.ts';
import {
  approveResolutions,
  bringFilesIn,
  close,
  decide,
  PERIOD,
  reconcile,
  seeSince,
  sign,
} from '../support/dashboard/month.ts';
import { COOKIE, type LoggedIn, type OpenedDashboard, openedDashboard } from '../support/dashboard/opened.ts';
import { PICTURE_FOLDER, PICTURES, SCREENS } from '../support/dashboard/pictures.ts';
import { temporaryFolder } from '../support/folder.ts';
import { GuideMonth } from '../support/guide/month.ts';

/* A month worked in a browser by two persons, without a script and by the keyboard alone, and an incident in it. One browser for the file. */

let month: GuideMonth;
let dashboard: OpenedDashboard;
let browser: Browser;
let person: LoggedIn;
let ada: Window;
let ben: Window;

beforeAll(async () => {
  month = await GuideMonth.in(temporaryFolder());
  const nowMs = Date.parse('2026-11-03T08:00:00Z');
  await month.run('tallyhook track collection orders.csv --environment live', nowMs);
  await month.run('tallyhook sweep', nowMs + 60_000);
  dashboard = await openedDashboard(month.folder, month.variables);
  browser = await openBrowser();
  const without = { javaScriptEnabled: false };
  person = await dashboard.logIn('Ada', ['finance']);
  ada = await windowOf(browser, dashboard, person, without);
  ben = await windowOf(browser, dashboard, await dashboard.logIn('Ben', ['approver']), without);
});

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  await month?.end();
});

test('Ada and Ben work and close a month, without a script and by the keyboard alone', {
  tags: ['chromium'],
}, async () => {
  await bringFilesIn(ada.page, month, person);
  await reconcile(ada.page);
  await decide(ada.page, month, person);
  await approveResolutions(ben.page);
  await reconcile(ada.page);
  await close(ada.page);
  await sign(ben.page);
  await ada.page.goto(PERIOD);
  await ada.page.getByText('Closed by Ada, approved by Ben.').waitFor();
  await seeSince(ada.page);
  expect(dashboard.faults).toEqual([]);
  expect([...ada.complaints, ...ben.complaints]).toEqual([]);
  const verified = await month.run('tallyhook audit verify', Date.now());
  expect(verified).toMatchObject({ code: 0 });
  const { output } = await month.run('tallyhook audit list --all', Date.now());
  for (const act of ['statement.import', 'match.confirm', 'exception.resolve', 'period.close'])
    expect(output).toMatch(new RegExp(`Ada +${act.replace('.', '\\.')}`));
  for (const act of ['exception.approve', 'period.approve'])
    expect(output).toMatch(new RegExp(`Ben +${act.replace('.', '\\.')}`));
});

test('"the refund of 9,800 never came": from the first page by its amount to the answer in three pages, by keyboard alone', {
  tags: ['chromium'],
}, async () => {
  const { page, complaints } = ada;
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

/** Of all pictures together. */
const MOST_BYTES = 3_000_000;

test('the pictures of docs/dashboard.md are those of the screens that there are', async () => {
  expect(readdirSync(PICTURE_FOLDER).sort()).toEqual(PICTURES);
  const page = readFileSync(packageFile('docs/dashboard.md'), 'utf8');
  expect(PICTURES.filter((name) => !page.includes(`dashboard/${name}`))).toEqual([]);
  const bytes = PICTURES.reduce((sum, name) => sum + statSync(join(PICTURE_FOLDER, name)).size, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  const { session } = await dashboard.logIn('Cleo', ['finance', 'operator', 'admin']);
  const addresses = Object.values(SCREENS).filter((address) => address.startsWith('/'));
  const statusOf = async (address: string) =>
    (await fetch(dashboard.url + address, { headers: { cookie: `${COOKIE}=${session}` } })).status;
  for (const address of addresses) expect([address, await statusOf(address)]).toEqual([address, 200]);
});

function isFocused(locator: { evaluate: (act: (node: unknown) => boolean) => Promise<boolean> }): Promise<boolean> {
  // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
  return locator.evaluate((node: any) => node.ownerDocument.activeElement === node);
}
