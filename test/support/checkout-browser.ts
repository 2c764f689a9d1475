import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { type Currency, type PaymentOption, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { openBrowser } from './browser.ts';

export interface Checkouts {
  readonly sandbox: Sandbox;
  /** A callback of the merchant that sends people on to a page under another origin. */
  readonly callbackElsewhere: string;
  readonly browser: Browser;
  /** Starts a checkout and opens its page. */
  open(options: {
    reference: string;
    width: number;
    dark?: boolean;
    currency?: Currency;
    paymentOptions?: PaymentOption[];
    amount?: string;
    callback?: string;
  }): Promise<Page>;
  close(): Promise<void>;
}

/** A sandbox, a real browser, and a merchant's page to come back to. */
export async function openCheckouts(): Promise<Checkouts> {
  const sandbox = await startSandbox({ seed: 7, clock: 'manual' });
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/elsewhere'))
      response.setHeader('Content-Type', 'text/html').end('<h1>Thank you</h1>');
    else
      response
        .writeHead(302, { Location: `http://localhost:${port()}${request.url.slice('/elsewhere'.length)}` })
        .end();
  });
  const port = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const shopUrl = `http://127.0.0.1:${port()}`;
  const browser = await openBrowser();
  return {
    sandbox,
    callbackElsewhere: `${shopUrl}/elsewhere/thanks`,
    browser,
    async open({
      reference,
      width,
      dark = false,
      currency = 'NGN',
      paymentOptions,
      amount = '1250.00',
      callback = `${shopUrl}/thanks?cart=9`,
    }) {
      const response = await fetch(`${sandbox.url}/api/inline/public/transaction/initialize`, {
        method: 'POST',
        headers: { 'x-pub-key': sandbox.keys.test.publicKey },
        body: JSON.stringify({
          reference,
          amount,
          currency,
          email: 'ada.lovelace@example.com',
          name: 'Ada Lovelace',
          callback_url: callback,
          payment_options: paymentOptions,
        }),
      });
      const { data } = (await response.json()) as { data: { authorization_url: string } };
      // Without motion: a colour that is read in the middle of its transition is a colour of no state.
      const page = await browser.newPage({
        viewport: { width, height: 800 },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      });
      page.setDefaultTimeout(60_000);
      await page.goto(data.authorization_url);
      return page;
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sandbox.close();
    },
  };
}

/** The amounts on the page that are broken into lines, or stand out of the block around them. */
export function brokenAmounts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const { document } = globalThis as any;
    const broken: string[] = [];
    let seen = 0;
    const texts = document.createTreeWalker(document.querySelector('main'), 4); // NodeFilter.SHOW_TEXT
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const block = node.parentElement.closest('h1, p, dd, button')?.getBoundingClientRect();
      for (const { 0: amount, index } of node.data.matchAll(/[\d,]+\.\d{2}/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + amount.length);
        const lines = [...range.getClientRects()];
        seen += lines.length;
        const isOut = lines.some(({ left, right }) => left < block.left || right > block.right);
        if (lines.length > 1 || isOut) broken.push(amount);
      }
    }
    return seen === 0 ? ['no amount is on the page'] : broken;
  });
}

/** What makes the page hard to use: controls without a name or too small to touch, text too faint, sideways scrolling. */
export function pageProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // The page's own world: its types are not those of this project.
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const { document, getComputedStyle, innerWidth } = globalThis as any;
    const problems: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth)
      problems.push(`scrolls sideways: ${document.documentElement.scrollWidth}`);
    if (document.querySelectorAll('h1').length !== 1) problems.push('not exactly one h1');
    if (document.documentElement.lang !== 'en') problems.push('no language');
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const shown = (node: any) => node.getClientRects().length > 0;
    const light = (colour: string) => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((channel) => {
        const part = Number(channel) / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
    const ground = (node: any): string => {
      for (let at = node; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor;
      }
      return 'rgb(255, 255, 255)';
    };
    for (const node of document.querySelectorAll('button, a, input:not([type=hidden]), summary')) {
      if (!shown(node)) continue;
      const name = node.labels?.[0]?.textContent ?? node.textContent ?? '';
      if (name.trim() === '') problems.push(`no name: ${node.outerHTML}`);
      const target = node.type === 'radio' ? node.closest('label') : node;
      if (target.getBoundingClientRect().height < 24) problems.push(`too small to touch: ${node.outerHTML}`);
    }
    for (const node of document.querySelectorAll(
      'p, h1, dt, dd, legend, label, button, a, td, th, summary, footer, span, code',
    )) {
      if (!shown(node) || node.textContent.trim() === '' || node.className === 'visually-hidden') continue;
      const [a, b] = [light(getComputedStyle(node).color), light(ground(node))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) problems.push(`faint (${contrast.toFixed(2)}): ${node.textContent.trim()}`);
    }
    return problems;
  });
}
