import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { backfillBySchedule } from '../../src/jobs/backfill.ts';
import { openStore } from '../../src/store/open.ts';
import { Backfilling, DAY_MS, listed, listing, ORDER, STYLES } from '../support/backfilling.ts';
import { answer, type Behaviour, flood, hostileServer } from '../support/hostile-server.ts';
import { randomRuns, someOf } from '../support/random-runs.ts';
import { KEYS } from '../support/sweeping.ts';
import { delivery, refund, START_MS } from '../support/test-database.ts';

let world: Backfilling;
beforeEach(() => {
  world = new Backfilling();
});
afterEach(() => world.close());

const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `R${String(n + from).padStart(4, '0')}`);
/** A webhook with the same observation as its row of the list. */
const known = (reference: string) => refund(reference, 'success', { data: { transaction_reference: 'TX' } });
const walks = () => world.rows('SELECT * FROM backfills ORDER BY id');

/** A service with this list, used by the clients of `world`. */
async function serve(
  rowsNow: () => readonly unknown[],
  ...style: Parameters<typeof listing> extends [unknown, ...infer More] ? More : never
) {
  const service = await hostileServer(listing(rowsNow, ...style));
  world.connect(service.url);
  return service;
}

test('refunds without a webhook become records that are due, and are confirmed by check alone', async () => {
  const list = names(30).map((name) => listed(name));
  await serve(() => list);
  world.db.keepAndApply(known('R0003'));
  expect(await world.walk()).toMatchObject({
    outcome: 'complete',
    detail: null,
    rows: 30,
    created: 29,
    known: 1,
    news: 0,
    unreadable: 0,
    missed: 0,
    sinceMs: 0,
  });
  expect(world.references).toEqual(names(30));
  expect(world.row("SELECT * FROM refunds WHERE reference = 'R0007'")).toMatchObject({
    reported: null,
    confirmed: null,
    amount_minor: 5_000,
    currency: 'USD',
    transaction_reference: 'TX',
    due_at: START_MS,
  });
  expect(world.rows("SELECT witness, status, event_id FROM observations WHERE witness = 'list'")).toEqual(
    Array.from({ length: 29 }, () => ({ witness: 'list', status: 'success', event_id: null })),
  );
  expect(world.rows("SELECT 1 FROM history WHERE field = 'confirmed'")).toEqual([]);

  // The same list again is no news: nothing is checked again.
  world.db.database.exec('UPDATE refunds SET due_at = NULL');
  expect(await world.walk()).toMatchObject({ created: 0, known: 30, news: 0 });
  expect(world.rows('SELECT 1 FROM refunds WHERE due_at IS NOT NULL')).toEqual([]);
  expect(walks()).toMatchObject([
    { outcome: 'complete', rows_seen: 30, records_created: 29, covers: 1, since: 0 },
    { outcome: 'complete', rows_seen: 30, records_created: 0, covers: 1, since: START_MS - DAY_MS },
  ]);
});

test('a row that differs from the record is an observation of its own, and the record is due', async () => {
  const list = [listed('R1', { status: 'processing' }), listed('R2', { amount: '51.00' }), listed('R3')];
  await serve(() => list);
  world.db.keepAndApply(known('R1'), known('R2'), known('R3'));
  world.db.database.exec('UPDATE refunds SET due_at = NULL');
  expect(await world.walk()).toMatchObject({ created: 0, known: 3, news: 2 });
  expect(world.rows('SELECT reference, reported, due_at FROM refunds ORDER BY 1')).toEqual([
    { reference: 'R1', reported: 'success', due_at: START_MS },
    { reference: 'R2', reported: 'success', due_at: START_MS },
    { reference: 'R3', reported: 'success', due_at: null },
  ]);
  expect(world.rows("SELECT code, subject FROM findings WHERE reference = 'R2' AND closed_at IS NULL")).toEqual([
    { code: 'fact_conflict', subject: 'amount' },
  ]);
  expect(await world.walk()).toMatchObject({ news: 0 });
});

describe('every paging style, on every page', () => {
  test.each(STYLES.flatMap((style) => someOf(3, [7, 21, 1_000, 20, 1]).map((size) => [style, size] as const)))(
    '%s, %i rows a page',
    async (style, size) => {
      const list = names(21).map((name) => listed(name));
      const service = await serve(() => list, style, size);
      expect(await world.walk()).toMatchObject({ outcome: 'complete', rows: 21, created: 21 });
      expect(world.references).toEqual(names(21));
      expect(service.requests.every((request) => request.startsWith('GET /api/v1/refund?'))).toBe(true);
    },
  );

  test('new rows that shift the pages while we walk cost no row and no doubled record', async () => {
    const list = names(60).map((name) => listed(name));
    let later = 0;
    await serve(() => {
      list.unshift(listed(`NEW${later++}`));
      return list;
    }, 'paginator');
    const walk = await world.walk();
    expect(walk.outcome).toBe('complete');
    expect(world.references.filter((reference) => reference.startsWith('R'))).toEqual(names(60));
    expect(walk.rows).toBe(world.references.length);
    await world.walk();
    expect(world.absent).toEqual([]);
  });
});

describe('absence', () => {
  const PRESENT = names(5);

  async function allKnown() {
    const list = PRESENT.map((name) => listed(name));
    await serve(() => list);
    world.db.keepAndApply(...PRESENT.map((name) => refund(name, 'success')));
    world.clock.ms += 60_000;
    return {
      hide: (...hidden: string[]) =>
        list.splice(0, 9, ...PRESENT.filter((name) => !hidden.includes(name)).map((name) => listed(name))),
    };
  }

  test('one complete walk proves nothing, two in a row are a finding, and being listed again closes it', async () => {
    const list = await allKnown();
    list.hide('R0001');
    expect(await world.walk()).toMatchObject({ outcome: 'complete', missed: 1, absent: 0 });
    expect(world.absent).toEqual([]);
    expect(await world.walk()).toMatchObject({ missed: 1, absent: 1 });
    expect(world.absent).toEqual(['R0001']);
    expect(await world.walk()).toMatchObject({ missed: 1, absent: 1 });
    expect(world.rows("SELECT detail FROM findings WHERE code = 'absent'")).toEqual([
      { detail: '2 complete walks in a row missed it; it was never listed' },
    ]);
    list.hide();
    expect(await world.walk()).toMatchObject({ missed: 0, absent: 0 });
    expect(world.absent).toEqual([]);
    list.hide('R0001');
    expect(await world.walk()).toMatchObject({ missed: 1, absent: 0 });
    expect(await world.walk()).toMatchObject({ absent: 1 });
    expect(world.rows("SELECT detail FROM findings WHERE code = 'absent' AND closed_at IS NULL")).toEqual([
      { detail: `2 complete walks in a row missed it; last listed ${new Date(world.clock.ms).toISOString()}` },
    ]);
    // Nothing was failed, deleted or checked because of it.
    expect(world.references).toEqual(PRESENT);
    expect(world.row("SELECT reported, confirmed FROM refunds WHERE reference = 'R0001'")).toEqual({
      reported: 'success',
      confirmed: null,
    });
  });

  test('being listed in between begins the count again', async () => {
    const list = await allKnown();
    for (let round = 0; round < 3; round++) {
      list.hide('R0002');
      expect(await world.walk()).toMatchObject({ missed: 1, absent: 0 });
      list.hide();
      expect(await world.walk()).toMatchObject({ missed: 0 });
    }
    expect(world.absent).toEqual([]);
  });

  test('what has not changed for longer than the window is not judged, but what was missed once is still judged', async () => {
    const list = await allKnown();
    expect(await world.walk()).toMatchObject({ outcome: 'complete', missed: 0 });
    world.clock.ms += 3 * DAY_MS;
    expect(await world.walk()).toMatchObject({ sinceMs: START_MS + 60_000 - DAY_MS });
    world.clock.ms += 3 * DAY_MS;
    list.hide('R0001');
    expect(await world.walk()).toMatchObject({ missed: 0 });
    // With an explicit time, older ones are judged too.
    expect(await world.walk({ sinceMs: START_MS })).toMatchObject({ missed: 1, absent: 0 });
    world.clock.ms += 9 * DAY_MS;
    expect(await world.walk()).toMatchObject({ missed: 1, absent: 1 });
  });

  test('an explicit --since that leaves a gap does not move the window of the next walk', async () => {
    await allKnown();
    await world.walk();
    const startedAtMs = world.clock.ms;
    world.clock.ms += 10 * DAY_MS;
    expect(await world.walk({ sinceMs: world.clock.ms - DAY_MS })).toMatchObject({ outcome: 'complete' });
    world.clock.ms += DAY_MS;
    expect(await world.walk()).toMatchObject({ sinceMs: startedAtMs - DAY_MS });
    expect(walks()).toMatchObject([{ covers: 1 }, { covers: 0 }, { covers: 1 }]);
  });

  test('a refund that we only expect, and one of the other environment, are not missing', async () => {
    await allKnown();
    world.db.keepAndApply(refund('LIVE', 'success', {}, { environment: 'live' }));
    const expected = { kind: 'refund', environment: 'test', reference: 'HOPED', amount: null, currency: null } as const;
    await world.operations.tracking.track({ expected: [{ ...expected, expectedByMs: null }] });
    for (let round = 0; round < 3; round++) expect(await world.walk()).toMatchObject({ missed: 0 });
  });

  test('a refund first seen during the walk is not missing', async () => {
    let sent = false;
    const list = PRESENT.map((name) => listed(name));
    await serve(() => {
      if (!sent) world.db.keepAndApply(refund('JUST_NOW', 'pending'));
      sent = true;
      return list;
    });
    expect(await world.walk()).toMatchObject({ outcome: 'complete', missed: 0, created: 5 });
    // From now on it should be there.
    expect(await world.walk()).toMatchObject({ missed: 1 });
  });

  test('two walks at once: what either of them saw is there, and an absence that both noticed counts once', async () => {
    const list = await allKnown();
    list.hide('R0001');
    const both = await Promise.all([world.walk(), world.walk()]);
    expect(both.map(({ outcome }) => outcome)).toEqual(['complete', 'complete']);
    expect(both.reduce((sum, { missed }) => sum + missed, 0)).toBe(1);
    expect(world.absent).toEqual([]);
    expect(await world.walk()).toMatchObject({ missed: 1, absent: 1 });
  });

  test('any mixture of complete and incomplete walks: a finding after two complete misses in a row, and only then', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ lists: fc.boolean(), ends: fc.boolean() }), { minLength: 1, maxLength: 8 }),
        async (rounds) => {
          const own = new Backfilling();
          try {
            own.db.keepAndApply(refund('X', 'success'));
            own.clock.ms += 60_000;
            let [missed, present] = [0, true];
            const others = names(3).map((name) => listed(name));
            const service = await hostileServer(
              listing(() => (present ? [...others, listed('X')] : others), 'bare', 2),
            );
            own.connect(service.url);
            for (const { lists, ends } of rounds) {
              present = lists;
              const { outcome } = await own.walk({ maxPages: ends ? 100 : 1 });
              expect(outcome).toBe(ends ? 'complete' : 'limited');
              // X stands on the last page, which a walk that is cut off does not see.
              if (ends) missed = lists ? 0 : missed + 1;
              expect(own.absent).toEqual(missed >= 2 ? ['X'] : []);
            }
          } finally {
            own.close();
          }
        },
      ),
      { numRuns: randomRuns(100) },
    );
  });
});

describe('an incomplete walk never passes for a complete one', () => {
  const page = (rows: readonly unknown[], more: object = {}) =>
    answer(200, JSON.stringify({ success: true, data: rows, ...more }));
  const first = () => names(3).map((name) => listed(name));
  const isFirst = (request: string) => request.includes('?page=1 ');
  /** The first page is sound; what comes then is not. */
  const thenBehaving =
    (behave: Behaviour): Behaviour =>
    (socket, request, server) =>
      isFirst(request) ? void socket.write(page(first(), { has_more: true })) : behave(socket, request, server);
  let endless = 0;
  const rows: readonly (readonly [string, string, Behaviour])[] = [
    ['limited', 'a list without end', (socket) => socket.write(page([listed(`E${endless++}`)], { has_more: true }))],
    ['failed', 'pages in a circle', (socket) => socket.write(page(first(), { next_page_url: '/?page=1' }))],
    ['failed', 'pages that repeat', (socket) => socket.write(page(first(), { has_more: true }))],
    [
      'failed',
      'fewer rows than announced',
      (socket, request) => socket.write(page(isFirst(request) ? first() : [], { meta: { total: 9 } })),
    ],
    [
      'failed',
      'a web page',
      thenBehaving((socket) => socket.write(answer(200, '<html>', { 'content-type': 'text/html' }))),
    ],
    [
      'failed',
      'half a page',
      thenBehaving((socket) => socket.write(answer(200, '{"success":true,"data":[{"refund_ref'))),
    ],
    ['failed', 'no list', thenBehaving((socket) => socket.write(answer(200, '{"success":true,"data":"soon"}')))],
    [
      'failed',
      'a redirect',
      thenBehaving((socket) => socket.write(answer(302, '', { location: 'http://169.254.169.254/' }))),
    ],
    ['failed', 'a refusal', thenBehaving((socket) => socket.write(answer(422, '{"success":false,"message":"page"}')))],
    ['failed', 'a closed door', thenBehaving((socket) => socket.write(answer(401, '{"success":false}')))],
    ['failed', '500', thenBehaving((socket) => socket.write(answer(500, '{"success":false}')))],
    [
      'failed',
      '429',
      thenBehaving((socket) => socket.write(answer(429, '{"success":false}', { 'retry-after': '3600' }))),
    ],
    ['failed', 'a reset', thenBehaving((socket) => socket.resetAndDestroy())],
    ['failed', 'silence', thenBehaving(() => {})],
    [
      'failed',
      'a gigabyte',
      thenBehaving((socket, _request, server) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1073741824\r\n\r\n');
        flood(socket, server, Buffer.alloc(16 * 1024, ' '));
      }),
    ],
  ];

  test.each(rows)('%s: %s', async (outcome, _name, behave) => {
    const service = await hostileServer(behave);
    world.db.keepAndApply(refund('ABSENT', 'success'));
    world.clock.ms += 60_000;
    world.connect(service.url, { timeoutMs: 300, idleTimeoutMs: 200, responseLimitBytes: 64 * 1024 });
    for (let round = 0; round < 2; round++) {
      const walk = await world.walk({ maxPages: 20, giveUpMs: 3_000 });
      expect(walk).toMatchObject({ outcome, missed: 0, absent: 0, sinceMs: null });
      expect(walk.detail).toMatch(/\S/);
    }
    expect(world.absent).toEqual([]);
    // What came before is sound, and kept.
    expect(world.references).toEqual(expect.arrayContaining(outcome === 'limited' ? ['E0'] : names(3)));
    expect(world.rows('SELECT 1 FROM refund_listings WHERE absences > 0')).toEqual([]);
    expect(walks()).toMatchObject([
      { outcome, covers: 0 },
      { outcome, covers: 0 },
    ]);
    expect(service.written).toBeLessThan(32 * 1024 * 1024);
  });

  test('unreadable: garbage among the rows costs those rows alone, and the proof of absence', async () => {
    const garbage = [
      null,
      7,
      'R',
      [],
      {},
      { refund_reference: 'NO_STATUS' },
      { status: 'success' },
      { refund_reference: '', status: 'success' },
      { refund_reference: 'x'.repeat(300), status: 'success' },
      { refund_reference: 'NUL\0', status: 'success' },
      { refund_reference: 'SURROGATE\ud800', status: 'success' },
      { refund_reference: { toString: 'R' }, status: 'success' },
      listed('OTHER_ENVIRONMENT', { domain: 'live' }),
    ];
    const list = [...names(3).map((name) => listed(name)), ...garbage, listed('R9999')];
    await serve(() => list, 'bare', 5);
    world.db.keepAndApply(refund('ABSENT', 'success'));
    world.clock.ms += 60_000;
    for (let round = 0; round < 3; round++) {
      expect(await world.walk()).toMatchObject({
        outcome: 'unreadable',
        detail: `${garbage.length} rows have no usable reference or status.`,
        rows: 4 + garbage.length,
        unreadable: garbage.length,
        missed: 0,
      });
    }
    expect(world.references).toEqual(['ABSENT', ...names(3), 'R9999']);
    expect(world.absent).toEqual([]);
  });

  test('odd values cost their field, never the row', async () => {
    const odd = {
      amount: '1e999999999',
      currency: { __proto__: 'USD' },
      updated_at: 'yesterday',
      funding: { fee: [] },
      constructor: 'x',
    };
    await serve(() => [listed('R1', odd), { refund_reference: 17, status: 'SUCCESS' }]);
    expect(await world.walk()).toMatchObject({ outcome: 'complete', created: 2 });
    expect(world.rows('SELECT reference, amount_minor FROM refunds ORDER BY 1')).toEqual([
      { reference: '17', amount_minor: null },
      { reference: 'R1', amount_minor: null },
    ]);
  });

  test('stopped by a signal: after the page under way, with what it read', async () => {
    const list = names(100).map((name) => listed(name));
    let pages = 0;
    const service = await hostileServer((socket, request, server) => {
      if (++pages === 2) world.abort.abort();
      listing(() => list)(socket, request, server);
    });
    world.connect(service.url);
    expect(await world.walk()).toMatchObject({ outcome: 'stopped', rows: 40, created: 40, missed: 0 });
    expect(service.requests).toHaveLength(2);
    expect(walks()).toMatchObject([{ outcome: 'stopped', covers: 0 }]);
  });

  test('stopped between two environments: the second one was not walked, and its result is `stopped`', async () => {
    const service = await hostileServer((socket, request, server) => {
      world.abort.abort();
      listing(() => [])(socket, request, server);
    });
    world.connect(service.url);
    const { walks: found } = await world.backfill({ environments: ['test', 'live'] });
    expect(found).toMatchObject([
      { outcome: 'stopped' },
      { environment: 'live', outcome: 'stopped', pages: 0, rows: 0 },
    ]);
    expect(service.requests).toHaveLength(1);
  });

  test('limits of ours: pages, rows, time', async () => {
    const list = names(100).map((name) => listed(name));
    await serve(() => {
      world.clock.ms += 1_000;
      return list;
    });
    expect(await world.walk({ maxPages: 2 })).toMatchObject({
      outcome: 'limited',
      rows: 40,
      detail: 'The list did not end within 2 pages (backfill.maxPages).',
    });
    expect(await world.walk({ maxRows: 30 })).toMatchObject({
      outcome: 'limited',
      rows: 30,
      detail: 'The list did not end within 30 rows (backfill.maxRows).',
    });
    expect(await world.walk({ maxMs: 1_500 })).toMatchObject({ outcome: 'limited', rows: 40 });
    // The second walk began at page 2 and read no other one whole, so the third began at page 1 again.
    expect(await world.walk({ maxMs: 60_000 })).toMatchObject({ outcome: 'resumed', rows: 80, created: 50 });
    expect(await world.walk({ maxMs: 60_000 })).toMatchObject({ outcome: 'complete', rows: 100 });
  });
});

test('a page that meets a busy moment is fetched again; waits grow, and Retry-After is honoured', async () => {
  const list = names(50).map((name) => listed(name));
  const faults = [answer(503, '{}'), answer(429, '{}', { 'retry-after': '7' }), answer(500, '{}')];
  const service = await hostileServer((socket, request, server) => {
    const fault = request.includes('page=2') ? faults.shift() : undefined;
    if (fault === undefined) listing(() => list)(socket, request, server);
    else socket.write(fault);
  });
  world.connect(service.url);
  expect(await world.walk({ giveUpMs: 60_000 })).toMatchObject({ outcome: 'complete', rows: 50 });
  expect(world.clock.sleptMs).toBe(1_000 + 7_000 + 4_000);
});

test('a page has one retry policy: the retries of the client do not multiply those of the walk', async () => {
  const service = await hostileServer((socket) => socket.write(answer(503, '{}')));
  world.connect(service.url, { retries: 2, retryDelayMs: 0 });
  expect(await world.walk({ giveUpMs: 60_000 })).toMatchObject({ outcome: 'failed', rows: 0 });
  // Waits of 1, 2 and 4 s: the fourth would exceed the 10 s of the first page.
  expect([service.requests.length, world.clock.sleptMs]).toEqual([4, 7_000]);
});

test('pages are spread by the pace', async () => {
  const list = names(100).map((name) => listed(name));
  await serve(() => list, 'meta');
  expect(await world.walk({ perSecond: 10 })).toMatchObject({ pages: 5 });
  expect(world.clock.sleptMs).toBe(500);
});

test('--since leaves out older refunds that we do not know; those that we know are listed all the same', async () => {
  const [old, fresh] = ['2026-11-01T00:00:00Z', '2026-11-20T08:00:00Z'];
  const list = [
    listed('OLD', { updated_at: old }),
    listed('FRESH', { updated_at: fresh }),
    listed('COMPLETED', { updated_at: old, completed_at: fresh }),
    listed('TIMELESS', { updated_at: null }),
    listed('ZONELESS', { updated_at: '2026-11-20 08:00:00' }),
    listed('KNOWN', { updated_at: old }),
  ];
  await serve(() => list);
  world.db.keepAndApply(refund('KNOWN', 'success'));
  const sinceMs = Date.parse('2026-11-19T00:00:00Z');
  expect(await world.walk({ sinceMs })).toMatchObject({ rows: 6, created: 4, known: 1, older: 1 });
  expect(world.references).toEqual(['COMPLETED', 'FRESH', 'KNOWN', 'TIMELESS', 'ZONELESS']);
  expect(world.rows('SELECT 1 FROM refund_listings')).toHaveLength(5);
  expect(await world.walk()).toMatchObject({ created: 1, older: 0 });
});

test('a dry run walks, prints what it would create, and writes nothing', async () => {
  const list = names(150).map((name) => listed(name));
  await serve(() => list);
  world.db.keepAndApply(refund('R0003', 'success'));
  const result = await world.backfill({ dryRun: true });
  expect(result).toMatchObject({
    dryRun: true,
    walks: [{ outcome: 'complete', created: 149, known: 1, sinceMs: null }],
  });
  expect(result.walks[0]?.createdReferences).toHaveLength(100);
  expect(world.references).toEqual(['R0003']);
  expect([walks(), world.rows('SELECT 1 FROM refund_listings')]).toEqual([[], []]);
});

test('each environment is walked with its own key; one without keys is left out', async () => {
  const service = await hostileServer((socket, request, server) => {
    const environment = request.includes(KEYS.live) ? 'LIVE' : 'TEST';
    listing(() => [listed(environment)])(socket, request, server);
  });
  world.connect(service.url);
  await world.backfill({ environments: ['test', 'live'] });
  expect(world.rows('SELECT environment, reference FROM refunds ORDER BY 1')).toEqual([
    { environment: 'live', reference: 'LIVE' },
    { environment: 'test', reference: 'TEST' },
  ]);
  world.connect(service.url, { keys: { live: KEYS.live } });
  expect((await world.backfill({ environments: ['test', 'live'] })).walks).toMatchObject([{ environment: 'live' }]);
});

test('the job counts while it walks, over all its environments, and ends with the same counts', async () => {
  const service = await hostileServer(listing(() => names(50).map((name) => listed(name)), 'paginator', 20));
  const [publicKey, secretKey] = ['pk_test_1', KEYS.test];
  const keys = { TALLYHOOK_TEST_PUBLIC_KEY: publicKey, TALLYHOOK_TEST_SECRET_KEY: secretKey };
  const config = loadConfig({ env: { ...keys, TALLYHOOK_BASE_URL: service.url }, cwd: world.db.folder });
  const seen: Readonly<Record<string, number>>[] = [];
  const { counts } = await backfillBySchedule({
    ...world.parts,
    config,
    onWarning: () => {},
    onCounts: (done) => seen.push(done),
  });
  expect(seen.map(({ rows }) => rows)).toEqual([20, 40, 50]);
  expect(seen.every((done) => Object.keys(done).join() === Object.keys(counts ?? {}).join())).toBe(true);
  expect(counts).toMatchObject({ rows: 50, created: 50 });
});

test('a tracked refund that turns up in the list is seen, and compared with its expectation', async () => {
  await serve(() => [listed('R1')]);
  const expected = { kind: 'refund', environment: 'test', reference: 'R1', currency: 'USD' } as const;
  const amount = parseAmount('51');
  await world.operations.tracking.track({
    expected: [{ ...expected, amount, expectedByMs: START_MS }],
  });
  expect(await world.walk()).toMatchObject({ created: 0, known: 1, news: 1 });
  expect(world.rows('SELECT code, detail FROM findings WHERE closed_at IS NULL')).toEqual([
    { code: 'amount_unexpected', detail: '51.00 USD expected, 50.00 USD came' },
  ]);
});

test('through the writer thread of a running receiver, beside its deliveries', async () => {
  const list = names(200).map((name) => listed(name));
  await serve(() => list, 'paginator', 100);
  world.db.database.close();
  const inbox = await openStore(world.db.path, { zone: 'UTC' }).inbox({ limit: 10_000, onFatal: () => {} });
  const { backfill } = await import('../../src/confirm/backfill.ts');
  const deliveries = Array.from({ length: 50 }, (_, n) => inbox.keep(delivery({ event: `unknown.${n}` })));
  const { walks: found } = await backfill(ORDER, { ...world.parts, operations: inbox.operations });
  expect(found).toMatchObject([{ outcome: 'complete', rows: 200, created: 200 }]);
  expect(await Promise.all(deliveries)).toHaveLength(50);
  await inbox.close();
});
