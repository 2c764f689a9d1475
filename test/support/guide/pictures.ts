import { pathToFileURL } from 'node:url';
import { openBrowser } from '../browser.ts';

/** What the pictures show: the first screen of the page, on a desk and on a telephone. */
const VIEWS = [
  { name: 'month-desk.png', width: 1_000, height: 760, isMobile: false },
  { name: 'month-phone.png', width: 390, height: 844, isMobile: true },
] as const;

/** Takes the pictures of a month's page in Chromium, by light. @throws Error without Chromium */
export async function picturesOf(path: string): Promise<{ readonly name: string; readonly bytes: Buffer }[]> {
  const browser = await openBrowser();
  try {
    const taken: { name: string; bytes: Buffer }[] = [];
    for (const { name, width, height, isMobile } of VIEWS) {
      const viewport = { width, height };
      const page = await browser.newPage({ viewport, isMobile, hasTouch: isMobile, colorScheme: 'light' });
      await page.goto(pathToFileURL(path).href);
      taken.push({ name, bytes: await page.screenshot({ animations: 'disabled' }) });
      await page.close();
    }
    return taken;
  } finally {
    await browser.close();
  }
}
