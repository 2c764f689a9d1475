import { monitorEventLoopDelay } from 'node:perf_hooks';
import { chromium, type Page } from 'playwright-core';
import type { Archive } from '../../src/store/archive.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { openDashboard } from '../../src/web/dashboard/open.ts';
import { quantile } from '../statistics.ts';
import { configOf, type LightPage, lightPages, look, SESSION_COOKIE } from './opened.ts';

// How long each page takes to its first byte, and how much of that is reading the books.

export interface PageRow extends LightPage {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Of the p95, what is no call of the archive. */
  readonly ownMs: number;
  readonly bytes: number;
  /** With the style, the script and the icon. */
  readonly requests: number;
  /** The longest that the thread was busy at a stretch: no reading transaction took longer. */
  readonly longestMs: number;
  /** From the click to the end of loading in a browser, the median; null without one. */
  readonly loadMs: number | null;
}

/** `browser`: the path of Chromium, to load each page in it, too. */
export async function measurePages(
  database: string,
  { times, browser }: { readonly times: number; readonly browser: string | undefined },
): Promise<PageRow[]> {
  const config = configOf(database);
  const store = storeOf(config);
  const operations = await store.operations();
  const meter = new ReadingMeter();
  const opened = await openDashboard({
    ...{ config, clock: systemClock, serve: () => null, workFile: new URL('nothing.ts', import.meta.url) },
    store: { ...store, archive: async () => meter.around(await store.archive()) },
    channel: { operations, as: (credential) => operations.as(credential) },
    onFault(error) {
      throw error;
    },
  });
  const url = await opened.app.listen({ host: '127.0.0.1', port: 0 });
  const archive = await store.archive();
  const started =
    browser === undefined ? null : await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
  try {
    const context = await started?.newContext();
    await context?.addCookies([
      { ...SESSION_COOKIE, url: url.replace('http:', 'https:'), secure: true, httpOnly: true },
    ]);
    const window = (await context?.newPage()) ?? null;
    const rows: PageRow[] = [];
    for (const page of await lightPages(archive, config))
      rows.push({ ...page, ...(await measured(url, page.address, { meter, times, window })) });
    return rows;
  } finally {
    await started?.close();
    await archive.close();
    await opened.close();
    await operations.close();
  }
}

async function measured(
  url: string,
  address: string,
  { meter, times, window }: { readonly meter: ReadingMeter; readonly times: number; readonly window: Page | null },
): Promise<Omit<PageRow, keyof LightPage>> {
  const { html } = await look(url + address); // what is read for the first time is not measured
  const [all, own] = [new Float64Array(times), new Float64Array(times)];
  const busy = monitorEventLoopDelay({ resolution: 1 });
  busy.enable();
  for (let time = 0; time < times; time++) {
    meter.ms = 0;
    const { firstByteMs } = await look(url + address);
    all[time] = firstByteMs;
    own[time] = firstByteMs - meter.ms;
  }
  busy.disable();
  all.sort();
  own.sort();
  const requests = 1 + new Set(html.match(/(?:href|src)="\/own\/[^"]+/g)).size;
  const [p50Ms, p95Ms, ownMs] = [quantile(all, 0.5), quantile(all, 0.95), quantile(own, 0.95)];
  const loadMs = window === null ? null : await loadOf(window, url + address);
  return { p50Ms, p95Ms, ownMs, bytes: Buffer.byteLength(html), requests, longestMs: busy.max / 1e6, loadMs };
}

const LOADS = 5;

async function loadOf(window: Page, url: string): Promise<number> {
  const loads = new Float64Array(LOADS);
  for (let time = 0; time < LOADS; time++) {
    await window.goto(url);
    loads[time] = await window.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd');
  }
  return quantile(loads.sort(), 0.5);
}

/** Adds up the time in which at least one call of an archive is under way. */
class ReadingMeter {
  ms = 0;
  #underWay = 0;
  #sinceMs = 0;

  around(archive: Archive): Archive {
    return new Proxy(archive, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        return typeof method === 'function' ? (...input: unknown[]) => this.#during(() => method(...input)) : method;
      },
    });
  }

  async #during(call: () => unknown): Promise<unknown> {
    if (this.#underWay++ === 0) this.#sinceMs = performance.now();
    try {
      return await call();
    } finally {
      if (--this.#underWay === 0) this.ms += performance.now() - this.#sinceMs;
    }
  }
}
