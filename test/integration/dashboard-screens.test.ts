import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Router } from '../../src/web/dashboard/router.ts';
import { routes } from '../../src/web/dashboard/routes.ts';
import { axeViolations, openBrowser, RULES_OF_LOOKS } from '../support/browser.ts';
import { type Window, windowOf } from '../support/dashboard/browser.ts';
import { type HostileShop, hostileShop, PAYLOADS } from '../support/dashboard/hostile.ts';
import { type OpenedDashboard, openedDashboard } from '../support/dashboard/opened.ts';
import { someOf } from '../support/random-runs.ts';

/*
 * Every screen in Chromium over a shop whose texts of strangers are all attacks: no script runs, the policy reports nothing, nothing stands out
 * of a window of 320 px (one of 1,280 px at 400 % zoom), all of it can be used by the keyboard, and no page is heavier than it may be; axe finds nothing.
 */

const MOST_BYTES = 150_000;
const MOST_REQUESTS = 4;

/** Where the screens are; each may be left out only by a person who has no role for it, and this one has all. */
const SCREENS: Readonly<Record<string, (of: HostileShop) => string>> = {
  Today: () => '/',
  Find: () => '/find?q=%3Cscript%3Ewindow.pwned%3D1%3C/script%3E',
  Payouts: () => '/payouts',
  Refunds: () => '/refunds',
  Record: () => `/records/payout/${encodeURIComponent('P-0<script>window.pwned=1</script>')}?environment=test`,
  Events: () => '/events',
  Event: () => '/events/1',
  Findings: () => '/findings',
  Stuck: () => '/stuck',
  Expected: () => '/expected',
  Refused: () => '/refused',
  Quarantine: () => '/quarantine',
  Forwarding: () => '/forwarding',
  'A piece of news': () => '/forwarding',
  'Before news is given up': () => '/forwarding',
  'Handing news on again': () => '/forwarding/replay?reference=%22%3E%3Csvg%20onload=window.pwned=1%3E',
  Jobs: () => '/jobs',
  Alerts: () => '/alerts',
  Audit: () => '/audit',
  'The audit, verified': () => '/audit/verify',
  Health: () => '/health',
  Statements: () => '/statements',
  Statement: () => '/statements/1',
  'Removing a statement': () => '/statements/1/remove',
  Proof: () => '/proof',
  Exceptions: () => '/exceptions',
  'A filter that means nothing': () => '/exceptions?age=%22%3E%3Cimg%20src=x%20onerror=window.pwned=1%3E',
  'One exception': ({ exceptions }) => `/exceptions/${exceptions[0]}`,
  'A line for it': ({ exceptions }) => `/exceptions/${exceptions[1]}/line?line=1:2`,
  Sheets: () => '/exceptions/sheets',
  Matches: () => '/matches?state=claimed',
  Periods: () => '/periods',
  Period: () => '/periods/test/2026-10',
  Reports: () => '/reports',
  'Report of open days': () => '/reports/test/2026-10-20..2026-10-30',
  Approvals: () => '/approvals',
  People: () => '/people',
  Person: () => '/people/Ada%20%3Cb%3E',
  'My login': () => '/me',
  'What is not there': () => '/exceptions/x-1?%3Cscript%3E',
};

/** What leads on from an address: a link, or a form. */
const ON: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'A piece of news': (page) =>
    page
      .locator('#news a')
      .first()
      .press('Enter')
      .then(() => page.waitForURL('**/forwarding/news/**')),
  async 'Before news is given up'(page) {
    await page.getByRole('checkbox', { name: /^All \d+ of this list$/ }).press('Space');
    await page.getByRole('button', { name: 'Give the chosen ones up' }).press('Enter');
    await page.getByRole('heading', { name: 'Give them up?' }).waitFor();
  },
  'The audit, verified': (page) => page.getByRole('heading', { name: 'The audit verifies' }).waitFor(),
};

/** Screens that axe looks at, in both themes: every kind of part is on one of them. `npm run test:long` looks at all screens. */
const SEEN_BY_AXE = someOf(12, [
  ...['Today', 'Record', 'Refunds', 'Health', 'Exceptions', 'One exception', 'Proof', 'Before news is given up'],
  ...['Statements', 'Period', 'Jobs', 'My login'],
  ...Object.keys(SCREENS),
]);

let of: HostileShop;
let dashboard: OpenedDashboard;
let router: Router;
let browser: Browser;
let window: Window;

beforeAll(async () => {
  of = await hostileShop();
  dashboard = await openedDashboard(of.db.folder);
  router = new Router(await routes());
  browser = await openBrowser();
  const logIn = (agent?: string) => dashboard.logIn('Ada <b>', ['finance', 'approver', 'operator', 'admin'], agent);
  for (const agent of PAYLOADS) await logIn(agent);
  const person = await logIn();
  window = await windowOf(browser, dashboard, person, { viewport: { width: 320, height: 700 } });
});

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  of?.db.remove();
});

describe('each screen', { tags: ['chromium'] }, () => {
  test.each(Object.keys(SCREENS))('%s', async (name) => {
    const { page, complaints } = window;
    complaints.length = 0;
    let requests = 0;
    const count = () => requests++;
    page.on('request', count);
    await page.setViewportSize({ width: 320, height: 700 });
    await page.emulateMedia({ colorScheme: 'light' });
    const answer = await page.goto(SCREENS[name]?.(of) ?? '/', { waitUntil: 'load' });
    page.off('request', count);
    const bytes = (await answer?.body())?.byteLength ?? 0;
    await ON[name]?.(page);
    expect(await unreachable(window)).toEqual([]);
    expect({ isLight: bytes <= MOST_BYTES, requests: requests <= MOST_REQUESTS, bytes }).toMatchObject({
      ...{ isLight: true, requests: true },
    });
    expect(await page.locator('h1').count()).toBe(1);
    // The browser would save the page that says how far a work is.
    const saved = await page
      .locator('a[download]')
      .evaluateAll((all) => all.map((one) => Reflect.get(one, 'pathname')));
    expect(saved.filter((path) => weightOf(path) !== 'light')).toEqual([]);
    expect(await sideways(window)).toBe(0);
    if (SEEN_BY_AXE.includes(name)) {
      const light = await axeViolations(page, RULES_OF_LOOKS);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([light, await axeViolations(page)]).toEqual([[], []]);
    }
    expect(await page.evaluate(() => Reflect.get(globalThis, 'pwned'))).toBeUndefined();
    // A page that is refused says so with its status, which the browser notes.
    expect(complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
    expect(dashboard.faults).toEqual([]);
  });
});

function weightOf(path: string): string | null {
  const search = router.find('GET', path);
  return search.is === 'found' ? search.route.weight : null;
}

/** What can be used and is seen, and that the Tab key does not reach. */
function unreachable({ page }: Window): Promise<string[]> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const { document, getComputedStyle } = globalThis as any;
    const all = [
      ...document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary, [role=button]'),
    ];
    const isSeen = (one: { checkVisibility: () => boolean }) => one.checkVisibility();
    return all
      .filter(
        (one) => isSeen(one) && !one.disabled && (one.tabIndex !== 0 || getComputedStyle(one).pointerEvents === 'none'),
      )
      .map((one) => one.outerHTML.slice(0, 120));
  });
}

/** Pixels by which the page is wider than its window. */
function sideways({ page }: Window): Promise<number> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const { document, innerWidth } = globalThis as any;
    return Math.max(0, document.documentElement.scrollWidth - innerWidth);
  });
}
