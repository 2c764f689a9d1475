import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Backfilling, listed, listing, STYLES, type Style } from '../support/backfilling.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';
import { seededRandom } from '../support/random.ts';
import { someOf } from '../support/random-runs.ts';
import { refund } from '../support/test-database.ts';

// A service, or a proxy before it, that answers some pages with something else: the walk still finds every refund.

let world: Backfilling;
beforeEach(() => {
  world = new Backfilling();
});
afterEach(() => world.close());

const PAGES = 13;
const ROWS = 250;
const names = Array.from({ length: ROWS }, (_, n) => `R${String(n).padStart(4, '0')}`);
const unknown = () => ROWS - world.references.length;

const PAGE = '{"success":true,"data":[{"refund_ref';
const FAULTS: Record<string, Behaviour> = {
  'a maintenance page with 200': (socket) =>
    socket.write(answer(200, '<html>Back soon</html>', { 'content-type': 'text/html' })),
  'half a document': (socket) => socket.write(answer(200, PAGE)),
  'a cut body': (socket) => socket.end(answer(200, PAGE, { 'content-length': '9000' })),
  'a redirect': (socket) => socket.write(answer(302, '', { location: 'https://login.example/' })),
  'no such page': (socket) => socket.write(answer(404, '<html>nginx</html>', { 'content-type': 'text/html' })),
};

/** The names of all faults, from this one on: the first of each style are all faults. */
const faultsFrom = (index: number) => {
  const all = Object.keys(FAULTS);
  return [...all.slice(index), ...all.slice(0, index)];
};

/** A list of 250 refunds on 13 pages; `faultNow` says how a request is answered instead, null: as it should be. */
async function serve(style: Style, faultNow: (request: string) => Behaviour | null) {
  const sound = listing(() => names.map((name) => listed(name)), style);
  const service = await hostileServer((socket, request, server) =>
    (faultNow(request) ?? sound)(socket, request, server),
  );
  world.connect(service.url);
  return service;
}

describe.each(STYLES.map((style, index) => ({ style, faults: faultsFrom(index) })))('$style', ({ style, faults }) => {
  test('one answer in four is faulty: six runs over 13 pages leave no refund unknown', async () => {
    const random = seededRandom(7);
    const all = Object.values(FAULTS);
    await serve(style, () => (random() < 0.25 ? (all[Math.floor(random() * all.length)] ?? null) : null));
    for (let run = 0; run < 6; run++) await world.walk({ giveUpMs: 120_000 });
    expect(unknown()).toBe(0);
    expect(world.absent).toEqual([]);
  });

  test.each(someOf(1, faults))(
    '%s in the middle of a walk is fetched again, and the walk is complete',
    async (name) => {
      let left = 3;
      const service = await serve(style, (request) =>
        /[?&](page|cursor)=7 /.test(request) && left-- > 0 ? (FAULTS[name] ?? null) : null,
      );
      expect(await world.walk({ giveUpMs: 60_000 })).toMatchObject({ outcome: 'complete', rows: ROWS, created: ROWS });
      expect(service.requests.length).toBeGreaterThanOrEqual(PAGES + 3);
      // The waits grow: 1, 2 and 4 s.
      expect(world.clock.sleptMs).toBeGreaterThanOrEqual(7_000);
    },
  );
});

describe('a walk that was cut short goes on at its page', () => {
  /** The last number of a page that is answered; later ones are a maintenance page, and the walk gives up at once. */
  let until = Infinity;
  const pageOf = (request: string) => Number(/[?&](?:page|cursor)=(\d+) /.exec(request)?.[1]);
  const cutAt = (style: Style) =>
    serve(style, (request) => (pageOf(request) > until ? (FAULTS['a maintenance page with 200'] ?? null) : null));
  const impatient = { giveUpMs: 0 };
  const pagesRead = (requests: readonly string[], from: number) => requests.slice(from).map(pageOf);

  test.each(STYLES)(
    '%s: with the last page read again, to the end; the next walk begins at the first page',
    async (style) => {
      const service = await cutAt(style);
      until = 6;
      expect(await world.walk(impatient)).toMatchObject({
        outcome: 'failed',
        firstPage: 'page=1',
        created: 120,
        detail: expect.stringMatching(/cannot be read: \d+ bytes that are a web page \(html\)/),
      });
      until = Infinity;
      const before = service.requests.length;
      world.clock.ms += 3_600_000;
      expect(await world.walk(impatient)).toMatchObject({
        outcome: 'resumed',
        firstPage: expect.stringMatching(/^(page|cursor)=6$/),
        rows: 150,
        created: 130,
        sinceMs: null,
      });
      expect(pagesRead(service.requests, before).slice(0, 8)).toEqual([6, 7, 8, 9, 10, 11, 12, 13]);
      expect(unknown()).toBe(0);
      expect(await world.walk(impatient)).toMatchObject({ outcome: 'complete', firstPage: 'page=1', created: 0 });
    },
  );

  test('again and again, as long as it gets on; a page that never comes is no reason to skip the pages before it', async () => {
    await cutAt('meta');
    const begun: string[] = [];
    for (const next of [3, 6, 6, 6, Infinity, Infinity]) {
      until = next;
      begun.push((await world.walk(impatient)).firstPage);
    }
    expect(begun).toEqual(['page=1', 'page=3', 'page=6', 'page=1', 'page=6', 'page=1']);
    expect(unknown()).toBe(0);
  });

  test('rows that move while it rests are never absent, also when it rests in every walk', async () => {
    // The refund stands on page 9 when the walk stops at page 6, and on page 1 when it goes on: neither part sees it.
    const [moved = ''] = names.splice(170, 1);
    const list = (first: boolean) => (first ? [moved, ...names] : names.toSpliced(170, 0, moved));
    let isFirst = false;
    const service = await hostileServer((socket, request, server) => {
      const sound = listing(() => list(isFirst).map((name) => listed(name)), 'meta');
      (pageOf(request) > until ? (FAULTS['a redirect'] ?? sound) : sound)(socket, request, server);
    });
    world.connect(service.url);
    world.db.keepAndApply(refund(moved, 'success'));
    for (let round = 0; round < 3; round++) {
      world.clock.ms += 3_600_000;
      [until, isFirst] = [6, false];
      expect(await world.walk(impatient)).toMatchObject({ outcome: 'failed', missed: 0 });
      [until, isFirst] = [Infinity, true];
      expect(await world.walk(impatient)).toMatchObject({ outcome: 'resumed', missed: 0, absent: 0, sinceMs: null });
    }
    expect(world.absent).toEqual([]);
    expect(world.rows('SELECT 1 FROM refund_listings WHERE absences > 0')).toEqual([]);
    expect(world.rows('SELECT 1 FROM backfills WHERE covers = 1')).toEqual([]);
    names.splice(170, 0, moved);
  });

  test('one of --since is not gone on with, and goes on with none', async () => {
    await cutAt('bare');
    const since = { ...impatient, sinceMs: 1 };
    until = 6;
    await world.walk(since);
    expect(await world.walk(impatient)).toMatchObject({ firstPage: 'page=1' });
    expect(await world.walk(since)).toMatchObject({ firstPage: 'page=1' });
  });
});
