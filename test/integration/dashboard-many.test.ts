import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { windowOf } from '../support/dashboard/browser.ts';
import { type OpenedDashboard, openedDashboard } from '../support/dashboard/opened.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { SHARE_OF_RUNS } from '../support/random-runs.ts';
import { Shop } from '../support/shop/shop.ts';
import { payout, TestDatabase } from '../support/test-database.ts';

/* Many exceptions of one kind, five hundred in `npm run test:long`, decided at once; and two persons who decide the same one. */

const COUNT = SHARE_OF_RUNS === 1 ? 500 : 120;
const MOST_INTERACTIONS = 10;

let db: TestDatabase;
let shop: Shop;
let dashboard: OpenedDashboard;
let browser: Browser;

beforeAll(async () => {
  db = new TestDatabase();
  db.keepAndApply(payout('P-1', 'success', { updatedAt: '2026-10-20T10:00:00.000Z' }));
  shop = Shop.at(db.folder);
  shop.file('wallet.yaml', datedProfile('wallet', { Payout: 'payout' }, { file: undefined, covers: undefined }));
  const rows = Array.from({ length: COUNT }, (_, at) => `2026-10-2${at % 10},X-${at},Payout,-${at + 1}.00`);
  await shop.take('wallet', 'wallet.csv', `Date,Reference,Type,Amount\n${rows.join('\n')}\n`);
  await shop.reconcile({ from: '2026-10-20', to: '2026-10-30' });
  dashboard = await openedDashboard(db.folder);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  db?.remove();
});

const WITHOUT = { javaScriptEnabled: false };

async function personIn(name: string): Promise<Page> {
  return (await windowOf(browser, dashboard, await dashboard.logIn(name, ['finance']), WITHOUT)).page;
}

test('two persons decide one exception: the second sees both versions, and nothing is overwritten', {
  tags: ['chromium'],
}, async () => {
  const [ada, ben] = [await personIn('Ada'), await personIn('Ben')];
  for (const page of [ada, ben]) {
    await page.goto('/exceptions?reference=X-7');
    await page.getByRole('link', { name: 'X-7' }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByLabel('What becomes of it, and why').selectOption('ours:booking_error');
    await page.getByLabel('Reference of the claim or the correction').fill(page === ada ? 'JV-1' : 'JV-2');
    await page.getByRole('button', { name: 'Look at what would change' }).click();
  }
  await ada.getByRole('button', { name: 'Resolve: 1 exception' }).click();
  await ada.getByText('1 exception resolved.').waitFor();
  await ben.getByRole('button', { name: 'Resolve: 1 exception' }).click();
  const shown = await ben.locator('main').innerText();
  expect(shown).toContain('Both versions stand here, and nothing was overwritten.');
  expect(shown).toMatch(/JV-2[\s\S]*Ada, [\s\S]*JV-1/);
  const [row] = (await shop.listed({ reference: 'X-7', status: ['resolved'] })) as Record<string, unknown>[];
  expect(row).toMatchObject({ resolutionReference: 'JV-1', resolvedBy: 'Ada', version: 2 });
});

test(`${COUNT} of one kind in 10 interactions, without a script`, { tags: ['chromium'] }, async () => {
  const page = await personIn('Cy');
  await page.goto('/exceptions');
  let interactions = 0;
  const once = async (act: Promise<unknown>) => {
    interactions++;
    await act;
  };
  await once(page.getByRole('link', { name: 'missing internal' }).first().click());
  await once(page.getByRole('checkbox', { name: /^All \d+ of this list/ }).check());
  await once(page.getByRole('button', { name: 'Resolve' }).click());
  await once(page.getByLabel('What becomes of it, and why').selectOption('carry:next_period'));
  await once(page.getByLabel('Comment').fill('they are of the other shop'));
  await once(page.getByRole('button', { name: 'Look at what would change' }).click());
  await page.getByText(`${COUNT - 1} exceptions would be resolved; 0 would be refused.`).waitFor();
  await once(page.getByRole('button', { name: `Resolve: ${COUNT - 1} exceptions` }).click());
  await page.getByText(`${COUNT - 1} exceptions resolved.`).waitFor();
  expect(interactions).toBeLessThanOrEqual(MOST_INTERACTIONS);
  const resolved = (await shop.listed({ status: ['resolved'] })) as Record<string, unknown>[];
  expect(resolved).toHaveLength(COUNT);
  expect(new Set(resolved.map(({ resolvedBy }) => resolvedBy))).toEqual(new Set(['Ada', 'Cy']));
  expect(dashboard.faults).toEqual([]);
});
