import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { boundOf, NO_ACKS } from '../../../src/domain/health/ack-times.ts';
import { packageFile } from '../../../src/package-root.ts';
import { openStore } from '../../../src/store/open.ts';
import { HOUR_MS, systemClock } from '../../../src/time/clock.ts';
import { FixedClock } from '../fixed-clock.ts';
import { windowOf } from './browser.ts';
import type { WorkedMonth } from './month.ts';

/** The pictures of docs/dashboard.md; `PICTURES=write npm run test:long -- dashboard-pictures` takes them again. */
export const PICTURE_FOLDER = packageFile('docs/dashboard');
const THEMES = ['light', 'dark'] as const;

/** Every screen, at an address of the month of the guide as it stands before its exceptions are decided. */
export const SCREENS = {
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
  me: '/me',
} as const;

/** Their names, sorted: `exceptions-dark.webp`. */
export const PICTURES = Object.keys(SCREENS)
  .flatMap((screen) => THEMES.map((theme) => `${screen}-${theme}.webp`))
  .sort();

interface Picture {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Takes each screen that the dashboard has, in both themes. */
export async function takePictures(browser: Browser, { dashboard, ada, month }: WorkedMonth): Promise<Picture[]> {
  await keepWeek(join(month.folder, 'tallyhook.db'));
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

/** Samples of the last week, as the health job keeps them: by day there is more to acknowledge, and twice a disk was slow. */
async function keepWeek(path: string): Promise<void> {
  const clock = new FixedClock(systemClock.nowMs() - 7 * 24 * HOUR_MS);
  const { health, close } = await openStore(path, { clock }).operations();
  for (let hour = 0; hour < 7 * 24; hour++) {
    const many = 40 + Math.round(30 * Math.sin((hour * Math.PI) / 12));
    const isSlow = hour % 61 === 60;
    const acks = [
      [3, many * 2],
      [6, many],
      [15, Math.ceil(many / 12)],
      [isSlow ? 200 : 40, isSlow ? 8 : 1],
    ].reduce<readonly number[]>((counts, [ms = 0, count = 0]) => counts.with(boundOf(ms), count), NO_ACKS);
    await health.sample({
      ...{ acks, refused: Math.floor(hour / 9), settled: 180, swept: 4 + (hour % 24) },
      ...{ databaseBytes: 41_000_000 + hour * 70_000, logBytes: 0, freeBytes: 92_000_000_000 - hour * 4_000_000 },
    });
    clock.ms += HOUR_MS;
  }
  await close();
}
