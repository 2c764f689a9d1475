import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { COOKIE, type LoggedIn, type OpenedDashboard } from './opened.ts';

/** A window of the browser in which a person is logged in, and what the browser complained of there. */
export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Reports of the content security policy, script errors, and failed requests of our own. */
  readonly complaints: string[];
}

export async function windowOf(
  browser: Browser,
  dashboard: Pick<OpenedDashboard, 'url'>,
  person: LoggedIn,
  options: BrowserContextOptions = {},
): Promise<Window> {
  const context = await browser.newContext({ baseURL: dashboard.url, ...options });
  await context.addCookies([
    {
      name: COOKIE,
      value: person.session,
      url: dashboard.url.replace('http:', 'https:'),
      httpOnly: true,
      secure: true,
    },
  ]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  return { context, page, complaints };
}
