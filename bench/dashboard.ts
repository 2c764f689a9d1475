import { parseArgs } from 'node:util';
import { storeOf } from '../src/store/configured-store.ts';
import { reconciledMonth } from './close/fill.ts';
import { type AckRow, measureAcks } from './dashboard/acks.ts';
import { configOf, lightPages, logIn } from './dashboard/opened.ts';
import { measurePages, type PageRow } from './dashboard/pages.ts';
import { inTurn } from './in-turn.ts';
import { machineFacts, machineText } from './machine.ts';
import { median } from './statistics.ts';
import { fillDue } from './sweep/fill.ts';
import { digits, megabytes, table, whole } from './table.ts';
import { Workplace } from './workplace.ts';

// The figures of the dashboard (docs/performance.md): each light page over filled books and over books with a tenth of the events, and
// deliveries while persons click through them.

export const DASHBOARD_USAGE = `npm run bench -- dashboard [options]
  --events N         events of the large books; the small ones have a tenth (100000)
  --lines N          records of a reconciled month, with as many lines (20000)
  --exceptions N     exceptions of that month (500)
  --times N          how often each page is asked for (20)
  --people N         persons who click, each every two seconds (50)
  --seconds N        how long they click (10)
  --rounds N         rounds of deliveries; the median is shown (3)
  --chromium PATH    load each page in this browser, too
  --database FILE    pages alone, over this database instead of the large books, beside books with --events; a user is added to it
  --folder DIR       folder for the databases, on the disk to measure (/var/tmp)
  --json             results as JSON`;

/** Highest ratio of the p95 of a page to that of the same page over a tenth of the events; a difference this small is none. */
const GROWN = 1.5;
const SAME_MS = 3;
const OWN_MS = 20;
const ACKS = 1.2;
const GROWN_BYTES = 200_000_000;
const PAGE_BYTES = 150_000;
const PAGE_REQUESTS = 4;
const READING_MS = 250;
const LOAD_MS = 1_000;

export async function benchDashboard(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '100000' },
      lines: { type: 'string', default: '20000' },
      exceptions: { type: 'string', default: '500' },
      times: { type: 'string', default: '20' },
      people: { type: 'string', default: '50' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
      chromium: { type: 'string' },
      database: { type: 'string' },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const workplace = new Workplace(values.folder);
  try {
    if (!values.json) console.log(`${machineText(machineFacts(workplace.folder))}\n`);
    const [events, lines] = [Number(values.events), Number(values.lines)];
    const every = Math.max(4, Math.floor((3 * lines) / Number(values.exceptions)));
    const books = async (name: string, count: number): Promise<string> => {
      const database = reconciledMonth(workplace, name, lines, every);
      await fillDue(database, count);
      await logIn(configOf(database));
      console.error(`dashboard: books with ${whole(count)} events`);
      return database;
    };
    const { database: given } = values;
    if (given !== undefined) await logIn(configOf(given));
    const small = await books('small', given === undefined ? Math.ceil(events / 10) : events);
    const large = given ?? (await books('large', events));
    const times = Number(values.times);
    const before = await measurePages(small, { times, browser: undefined });
    const pages = compared(await measurePages(large, { times, browser: values.chromium }), before);
    if (given !== undefined) {
      console.log(values.json ? JSON.stringify({ pages }, null, 2) : pagesText(pages));
      return;
    }
    const clicks = {
      addresses: await addressesOf(large),
      ...{ people: Number(values.people), seconds: Number(values.seconds) },
    };
    const rows = await inTurn('dashboard: deliveries', ['alone', 'clicked'], Number(values.rounds), (subject) =>
      measureAcks(workplace, large, subject, clicks),
    );
    const acks = acksOf(rows);
    console.log(values.json ? JSON.stringify({ pages, acks }, null, 2) : text(pages, acks));
    if (pages.some(isHeavy) || acks.ratio > ACKS || acks.grownBytes > GROWN_BYTES) process.exitCode = 1;
  } finally {
    workplace.close();
  }
}

async function addressesOf(database: string): Promise<string[]> {
  const config = configOf(database);
  const archive = await storeOf(config).archive();
  const pages = await lightPages(archive, config).finally(() => archive.close());
  return pages.map(({ address }) => address);
}

interface Compared extends PageRow {
  /** Over the small books. */
  readonly before: Pick<PageRow, 'p50Ms' | 'p95Ms'>;
}

function compared(pages: readonly PageRow[], before: readonly PageRow[]): Compared[] {
  return pages.map((page) => {
    const { p50Ms, p95Ms } = before.find(({ path }) => path === page.path) ?? page;
    return { ...page, before: { p50Ms, p95Ms } };
  });
}

function isHeavy({ p95Ms, before, ownMs, bytes, requests, longestMs, loadMs }: Compared): boolean {
  const isGrown = p95Ms > GROWN * before.p95Ms && p95Ms - before.p95Ms > SAME_MS;
  const isLarge = bytes > PAGE_BYTES || requests > PAGE_REQUESTS;
  return isGrown || ownMs > OWN_MS || isLarge || longestMs > READING_MS || (loadMs ?? 0) > LOAD_MS;
}

function acksOf(rows: readonly AckRow[]) {
  const of = (subject: AckRow['subject'], value: (row: AckRow) => number) =>
    median(rows.filter((row) => row.subject === subject).map(value));
  const p99Ms = { alone: of('alone', (row) => row.p99Ms), clicked: of('clicked', (row) => row.p99Ms) };
  const p50Ms = { alone: of('alone', (row) => row.p50Ms), clicked: of('clicked', (row) => row.p50Ms) };
  const [pages, grownBytes] = [of('clicked', (row) => row.pages), of('clicked', (row) => row.grownBytes)];
  return { p50Ms, p99Ms, ratio: p99Ms.clicked / p99Ms.alone, pages, grownBytes };
}

function pagesText(pages: readonly Compared[]): string {
  const lines = pages.map((page) => [
    `${page.address}${isHeavy(page) ? ' !' : ''}`,
    ...[page.p50Ms, page.p95Ms, page.before.p95Ms, page.p95Ms / page.before.p95Ms, page.ownMs].map((ms) => digits(ms)),
    ...[page.bytes, page.requests].map(whole),
    ...[digits(page.longestMs), page.loadMs === null ? '' : digits(page.loadMs)],
  ]);
  const names = ['p50 ms', 'p95 ms', 'of the small', 'ratio', 'own ms', 'bytes', 'requests', 'longest ms', 'load ms'];
  return table(['page', ...names], lines);
}

function text(pages: readonly Compared[], { p50Ms, p99Ms, ratio, ...acks }: ReturnType<typeof acksOf>): string {
  return [
    pagesText(pages),
    table(
      ['deliveries', 'alone', 'clicked', 'ratio'],
      [
        ['p50 ms', digits(p50Ms.alone), digits(p50Ms.clicked), digits(p50Ms.clicked / p50Ms.alone)],
        ['p99 ms', digits(p99Ms.alone), digits(p99Ms.clicked), digits(ratio)],
      ],
    ),
    `${whole(acks.pages)} pages were looked at in a round; serve grew by ${megabytes(acks.grownBytes)}.`,
  ].join('\n\n');
}
