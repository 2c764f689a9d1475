import type { Browser } from 'playwright-core';
import { packageFile } from '../../../src/package-root.ts';
import { windowOf } from './browser.ts';
import type { WorkedMonth } from './month.ts';

/** The pictures of docs/dashboard.md; `PICTURES=write npx vitest run dashboard-pictures` takes them again. */
export const PICTURE_FOLDER = packageFile('docs/dashboard');
export const THEMES = ['light', 'dark'] as const;

/** Every screen, at an address of the month of the guide as it stands before its exceptions are decided. */
const SCREENS = {
  today: '/',
  find: '/find?q=ORD-1007',
  collections: '/collections',
  record: '/records/collection/ORD-1007?environment=live',
  events: '/events',
  event: '/events/1',
  refused: '/refused',
  findings: '/findings',
  forwarding: '/forwarding',
  jobs: '/jobs',
  alerts: '/alerts',
  statements: '/statements',
  proof: '/proof',
  exceptions: '/exceptions',
  exception: 'the first exception',
  period: '/periods/live/2026-10',
  reports: '/reports',
  approvals: '/approvals',
  audit: '/audit',
  health: '/health',
  people: '/people',
} as const;

export interface Picture {
  /** `exceptions-dark.webp` */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Takes each screen that the dashboard has, in both themes. */
export async function takePictures(browser: Browser, { dashboard, ada }: WorkedMonth): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const colorScheme of THEMES) {
    const { context, page } = await windowOf(browser, dashboard, ada, {
      ...{ viewport: { width: 1_100, height: 760 }, colorScheme },
    });
    const camera = await context.newCDPSession(page);
    for (const [name, address] of Object.entries(SCREENS)) {
      if (name === 'exception') {
        await page.goto('/exceptions');
        await page.getByRole('link', { name: 'ORD-1007' }).click();
        await page.waitForLoadState();
      } else if ((await page.goto(address))?.status() === 404) continue;
      const take = () => camera.send('Page.captureScreenshot', { format: 'webp', quality: 55 });
      const { data } = await take().catch(take); // on a busy machine Chromium sometimes has no frame yet
      pictures.push({ name: `${name}-${colorScheme}.webp`, bytes: Buffer.from(data, 'base64') });
    }
    await context.close();
  }
  return pictures;
}
