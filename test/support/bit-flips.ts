import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Examined } from '../../src/store/examination.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { collection, payout, refund } from './deliveries.ts';
import { FixedClock, START_MS } from './fixed-clock.ts';
import { temporaryFolder } from './folder.ts';
import { seededRandom } from './random.ts';

/** Tables whose every column is compared, with those that the lists do not show. */
const TABLES = [
  ...[
    'events',
    'variants',
    'refunds',
    'payouts',
    'collections',
    'observations',
    'history',
    'findings',
    'checks',
    'tracked',
  ],
  ...['refusals', 'refusal_samples', 'requests', 'payment_versions', 'proven_endpoints', 'counters', 'carried_out'],
  ...['backfills', 'refund_listings', 'jobs', 'job_runs', 'key_answers', 'schema_migrations'],
];

export interface Flipped {
  readonly flips: number;
  /** The output was right: the bit is in unused space, or in a copy that nothing reads. */
  readonly harmless: number;
  /** Reported by `doctor`, or by an error of the command that reads. */
  readonly reported: number;
  /** Byte and bit of each flip that changed the output without a word. */
  readonly silent: readonly string[];
}

/** Deliveries of every kind, with a variant, a contradiction, an unreadable amount and an event of no known kind. */
export function deliveriesOf(count: number) {
  const at = (n: number) => ({ updatedAt: new Date(START_MS - n * 1_000).toISOString() });
  const some = Array.from({ length: count }, (_, n) => {
    const make = [refund, payout, collection][n % 3] as typeof payout;
    return make(`REF-${n}`, n % 2 === 0 ? 'success' : 'pending', { ...at(n), data: { narration: `No ${n}` } });
  });
  return [
    ...some,
    refund('REF-0', 'success', { ...at(0), data: { amount: '51.00' } }),
    refund('REF-X', 'failed', { event: 'refund.success', data: { amount: 'much' } }),
  ];
}

/** The file of a database that was written through the port and closed in order. */
export async function stoppedDatabase(events: number): Promise<string> {
  const path = join(temporaryFolder({ inMemory: true }), 'tallyhook.db');
  const store = openStore(path, { zone: 'UTC', clock: new FixedClock() });
  const there = Promise.withResolvers<void>();
  const deliveries = deliveriesOf(events);
  let contents = 0;
  const inbox = await store.inbox({
    limit: 10_000,
    onFatal: (error) => there.reject(error),
    onCarriedOut: ({ kept }) => {
      contents += kept.new + kept.variant;
      if (contents === deliveries.length) there.resolve();
    },
  });
  await Promise.all(deliveries.map(inbox.keep));
  await there.promise;
  const refusal = { atMs: START_MS, path: '/webhooks/test', reason: 'forged', remoteAddress: '192.0.2.1' };
  inbox.countRefusals(
    [
      {
        path: refusal.path,
        reason: refusal.reason,
        count: 3,
        likeness: 'other',
        environments: ['test'],
        lastPath: refusal.path,
        firstAtMs: START_MS,
        lastAtMs: START_MS,
      },
    ],
    [{ ...refusal, contentLength: 17, userAgent: 'curl' }],
  );
  await inbox.operations.tracking.track({
    expected: [
      { kind: 'refund', environment: 'test', reference: 'REF-9', amount: null, currency: null, expectedByMs: START_MS },
    ],
  });
  await inbox.close();
  return path;
}

/** Everything that list, show, export and sql give, as text. */
export async function output(store: Store): Promise<string> {
  const archive = await store.archive();
  try {
    const page = { limit: 10_000, order: 'oldest', afterId: 0 } as const;
    const until = await archive.eventEnd();
    const parts: unknown[] = [
      await archive.events({}, page),
      (await archive.nextBodies({}, { after: null, until, limit: 10_000 })).events,
      await archive.findings({}, page),
      await archive.refusalSamples(),
    ];
    for (const kind of ['refund', 'payout', 'collection'] as const) {
      const records = await archive.records(kind, {}, page);
      parts.push(
        records,
        await Promise.all(records.slice(0, 3).map(({ reference }) => archive.record(kind, reference))),
      );
    }
    for (const table of TABLES) parts.push((await archive.query(`SELECT * FROM ${table}`, 10_000)).rows);
    return JSON.stringify(parts, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value));
  } finally {
    await archive.close();
  }
}

/** The event, reference and status that each delivery states, read from its bytes by this test alone. */
export function sent(count: number): string[] {
  const texts = deliveriesOf(count).map(({ body }) => Buffer.from(body).toString('utf8'));
  return texts.map((text) => {
    const { data } = JSON.parse(text) as { data: Record<string, string> };
    return `${data.refund_reference ?? data.reference} ${data.status} ${text}`;
  });
}

/** The same, as the store gives it back. */
export async function givenBack(store: Store): Promise<string[]> {
  const archive = await store.archive();
  try {
    const rows =
      'SELECT reference, body FROM events UNION ALL SELECT reference, v.body FROM variants v JOIN events e ON e.id = event_id';
    const { rows: bodies } = await archive.query(rows, 10_000);
    return bodies.map(([reference, body]) => {
      const text = Buffer.from(body as Uint8Array).toString('utf8');
      return `${reference} ${JSON.parse(text).data.status} ${text}`;
    });
  } finally {
    await archive.close();
  }
}

/** Flips one random bit of the stopped database after the other, each in a fresh copy, and compares the output with `truth`. */
export async function flipBits(path: string, flips: number, seed: number): Promise<Flipped> {
  const good = readFileSync(path);
  const copy = join(temporaryFolder({ inMemory: true }), 'tallyhook.db');
  const store = openStore(copy, { zone: 'UTC', clock: new FixedClock() });
  const random = seededRandom(seed);
  const truth = await output(openStore(path, { zone: 'UTC', clock: new FixedClock() }));
  let [harmless, reported] = [0, 0];
  const silent: string[] = [];
  for (let flip = 0; flip < flips; flip++) {
    const [byte, bit] = [Math.floor(random() * good.length), Math.floor(random() * 8)];
    const bytes = Buffer.from(good);
    bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
    for (const part of ['-wal', '-shm']) rmSync(copy + part, { force: true });
    writeFileSync(copy, bytes);
    const seen = await output(store).catch(() => null);
    if (seen === truth) harmless++;
    else if (seen === null || (await store.upkeep.examine({ deep: true })).some(isDamage)) reported++;
    else silent.push(`byte ${byte}, bit ${bit}`);
  }
  return { flips, harmless, reported, silent };
}

/** Not a word about the disk of this machine: a check that failed, of the database itself. */
export function isDamage({ name, status }: Examined): boolean {
  return status === 'failed' && !['file system', 'free space'].includes(name);
}
