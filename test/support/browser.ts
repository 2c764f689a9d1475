import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from './tools.ts';

/** Chromium of this machine. @throws Error without one */
export async function openBrowser(): Promise<Browser> {
  if (CHROMIUM === null)
    throw new Error('Chromium is not on the PATH. Install it: apt-get install chromium-headless-shell');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** The rules of axe-core whose answer hangs on the theme or the width; the others look at what the page is made of. */
export const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

/** The violations that axe-core finds on the page as it is now, one line each: of these rules, or of all. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: typeof axe }).axe.run(options) as Promise<axe.AxeResults>,
    {
      resultTypes: ['violations' as const], // what passes is not listed element by element
      ...(rules !== undefined && { runOnly: { type: 'rule' as const, values: [...rules] } }),
    },
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
