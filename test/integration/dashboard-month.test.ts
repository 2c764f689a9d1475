import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { type OpenedDashboard, openedDashboard } from '../support/dashboard/opened.ts';
import { temporaryFolder } from '../support/folder.ts';
import { GuideMonth } from '../support/guide/month.ts';

/* A month worked in a browser by two persons, without a script and by the keyboard alone. One browser for the file. */

let month: GuideMonth;
let dashboard: OpenedDashboard;
let browser: Browser;
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
  ada = await windowOf(browser, dashboard, await dashboard.logIn('Ada', ['finance']), without);
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
  await bringFilesIn(ada.page, month.folder);
  await reconcile(ada.page);
  await decide(ada.page);
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
