import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlPage } from '../../src/reconcile/report/html/page.ts';
import type { ReportedException, ShownReport } from '../../src/reconcile/report/model.ts';
import { axeViolations, openBrowser } from '../support/browser.ts';
import { FILLED_CARRIED, FILLED_EXCEPTIONS, FILLED_SHOWN } from '../support/filled-report.ts';
import { TOLD_EVIDENCE } from '../support/page-evidence.ts';

/* The page of a month in a real browser: on a telephone, a desk and paper, light and dark. */

const [first] = FILLED_EXCEPTIONS as [ReportedException];
const LONG = 'R'.repeat(1_000);
const HOSTILE: readonly ReportedException[] = [
  '<script>top.location="https://example.com"</script>',
  LONG,
  'שלום \u202egnp.exe',
  "');@import 'https://example.com",
].map((text, at) => ({
  ...first,
  id: `x-${String(at).padStart(24, 'f')}`,
  reference: text,
  comment: text,
  assignee: text,
  what: text,
  status: 'open',
}));

const folder = mkdtempSync(join(tmpdir(), 'tallyhook-report-'));
let browser: Browser;

async function written(name: string, exceptions: readonly ReportedException[]): Promise<string> {
  const shown: ShownReport = {
    ...FILLED_SHOWN,
    async *exceptions() {
      yield* exceptions;
    },
  };
  let html = '';
  for await (const piece of htmlPage(shown, TOLD_EVIDENCE)) html += piece;
  const path = join(folder, name);
  writeFileSync(path, html);
  return path;
}

interface Opened {
  readonly page: Page;
  /** Requests beside the file, and what the browser complains about. */
  readonly complaints: string[];
}

async function open(path: string, { width = 1200, dark = false } = {}): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: dark ? 'dark' : 'light' });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== `file://${path}`) complaints.push(`request: ${request.url().slice(0, 200)}`);
  });
  await page.goto(`file://${path}`);
  return { page, complaints };
}

const unfoldAll = (page: Page) =>
  page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    for (const one of (globalThis as any).document.querySelectorAll('details')) one.open = true;
  });

/** How much wider than the window the page is. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const { document, innerWidth } = globalThis as any;
    return Math.max(0, document.documentElement.scrollWidth - innerWidth);
  });

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.each([320, 360, 768, 1200])('%i pixels wide', (width) => {
  it.each([false, true])('is readable, needs nothing, and axe-core finds nothing (dark: %s)', async (dark) => {
    const path = await written(`${width}-${dark}.html`, [...FILLED_EXCEPTIONS, ...HOSTILE]);
    const { page, complaints } = await open(path, { width, dark });
    expect(await tooWide(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await unfoldAll(page);
    expect(await tooWide(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

it('leads from a number to the bank line and the webhook in three clicks, and back', async () => {
  const { page } = await open(await written('steps.html', FILLED_EXCEPTIONS), { width: 360 });
  await page.locator('#exceptions-by-code-1 tr', { hasText: 'fee_mismatch' }).getByRole('link').click();
  await page.locator('summary:visible', { hasText: 'C-1031' }).click();
  await page.getByRole('link', { name: 'Story of C-1031' }).click();
  const story = page.locator(':target');
  expect(await story.innerText()).toMatch(/Statement[\s\S]*row 31 of file-2\.csv[\s\S]*Webhook[\s\S]*Service/);
  await expect.poll(() => story.evaluate((one) => Math.abs(one.getBoundingClientRect().top) < 200)).toBe(true);
  await story.getByRole('link', { name: 'tax_mismatch' }).click();
  expect(await page.locator(':target').innerText()).toContain('Tax 2.07, schedule says 0.94.');
  expect(await page.locator(':target').isVisible()).toBe(true);
  await page.close();
});

it('prints every figure and one line for each exception; stories only when they are unfolded', async () => {
  const { page } = await open(await written('paper.html', FILLED_EXCEPTIONS), { dark: true });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.locator('nav').isVisible()).toBe(false);
  const shown = await page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const { document, getComputedStyle } = globalThis as any;
    const seen = (selector: string) =>
      // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
      [...document.querySelectorAll(selector)].map((one: any) => one.checkVisibility());
    return {
      days: seen('.daily td'),
      lines: seen('.one summary'),
      details: seen('.told-of'),
      stories: seen('.story'),
      ground: getComputedStyle(document.body).backgroundColor,
    };
  });
  expect(new Set(shown.days)).toEqual(new Set([true]));
  expect(shown.lines).toEqual([...FILLED_EXCEPTIONS, ...FILLED_CARRIED].map(() => true));
  expect(new Set([...shown.details, ...shown.stories])).toEqual(new Set([false]));
  expect(shown.ground).toBe('rgb(255, 255, 255)'); // dark ink on white, whatever the screen
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1')) ?? [];
  expect([Number(width), Number(height)]).toEqual([expect.closeTo(595, -1), expect.closeTo(842, -1)]); // A4 in points
  await page.close();
});

it('5,000 exceptions: under 10 MB, and a window at a time is laid out', async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => ({
    ...(FILLED_EXCEPTIONS[1] as ReportedException),
    id: `x-${String(at).padStart(24, '0')}`,
    reference: `C-${at}-0f6e5d4c3b2a19`,
  }));
  const startedAtMs = performance.now();
  const path = await written('large.html', many);
  const madeInMs = Math.round(performance.now() - startedAtMs);
  const { page, complaints } = await open(path);
  const size = (await page.content()).length;
  expect(size).toBeLessThan(10_000_000);
  await page.locator('.group > summary').first().click();
  const scrolled = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const { document, requestAnimationFrame, scrollBy } = globalThis as any;
    const frame = () => new Promise<number>((next) => requestAnimationFrame(next));
    document.querySelector('#each').scrollIntoView();
    await frame();
    const gaps: number[] = [];
    for (let last = await frame(), steps = 0; steps < 120; steps++) {
      scrollBy(0, 2_000);
      const now = await frame();
      gaps.push(now - last);
      last = now;
    }
    const all = [...document.querySelectorAll('.one summary')];
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const laid = all.filter((one: any) => one.checkVisibility({ contentVisibilityAuto: true })).length;
    return {
      longest: Math.max(...gaps),
      median: gaps.toSorted((one, other) => one - other)[60],
      laid,
      all: all.length,
    };
  });
  console.log(
    `made in ${madeInMs} ms, ${(size / 1e6).toFixed(1)} MB; frames: median ${scrolled.median} ms, longest ${scrolled.longest} ms`,
  );
  expect(scrolled.all).toBe(5_000);
  expect(scrolled.laid).toBeLessThan(500);
  expect(complaints).toEqual([]);
  await page.close();
});
