import { statSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Delivery } from '../../../../../src/store/inbox.ts';
import { carriedElsewhere } from '../../../../../src/store/sqlite/carry-out/carried-elsewhere.ts';
import { carrier } from '../../../../../src/store/sqlite/carry-out/carry-out.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { openLog } from '../../../../../src/store/sqlite/log/log-file.ts';
import { delivery, payout, refund } from '../../../../support/deliveries.ts';
import { START_MS } from '../../../../support/fixed-clock.ts';
import { LogWorld } from '../../../../support/log-world.ts';
import { randomRuns } from '../../../../support/random-runs.ts';

let world: LogWorld;
afterEach(() => world.close());

/** What deliveries make. A finding that opened and closed within one transaction is none, and those of one have no order. */
const MADE = [
  ...['events', 'variants', 'refunds', 'payouts', 'observations', 'history', 'arrivals', 'outbox'].map(
    (table) => `SELECT * FROM ${table} ORDER BY 1, 2, 3`,
  ),
  'SELECT kind, record_id, code, subject, detail FROM findings WHERE closed_at IS NULL ORDER BY 1, 2, 3, 4',
];
/** `numberOf` says as which entry one counts. */
const booksOf = ({ books }: LogWorld, numberOf = (seq: number) => seq) =>
  MADE.map((sql) =>
    books
      .prepare<[], Record<string, unknown>>(sql)
      .all()
      .map((row) => ({ ...row, ...('changed_seq' in row && { changed_seq: numberOf(row.changed_seq as number) }) })),
  );

test('what the log holds becomes events with their effect, in its order, and once', () => {
  world = new LogWorld();
  world.append([refund('R1', 'pending'), refund('R1', 'pending')], [refund('R2', 'success')]);
  expect(world.carrier.some(() => START_MS)).toMatchObject({
    seq: 2,
    kept: { new: 2, duplicate: 1, variant: 0 },
    aside: [],
  });
  expect(world.carrier.some(() => START_MS)).toBeNull();
  expect(world.rows('SELECT reference, deliveries FROM events ORDER BY id')).toEqual([
    { reference: 'R1', deliveries: 2 },
    { reference: 'R2', deliveries: 1 },
  ]);
  expect(world.rows('SELECT reference, reported FROM refunds ORDER BY id')).toEqual([
    { reference: 'R1', reported: 'pending' },
    { reference: 'R2', reported: 'success' },
  ]);
});

test('what another process carried out or set aside is counted, each once', () => {
  world = new LogWorld();
  world.append([refund('R0', 'pending')]);
  world.all();
  const elsewhere = carriedElsewhere(world.books);
  const there = openDatabase(world.path);
  there.exec(`CREATE TEMP TRIGGER defect BEFORE INSERT ON main.events WHEN new.reference = 'BAD'
    BEGIN SELECT raise(ABORT, 'a defect'); END`);
  const other = carrier(there, world.log, { zone: 'UTC' });
  const own = () => elsewhere.since(world.carrier.some(() => START_MS));
  expect(own()).toBeNull();

  world.append([refund('R1', 'pending'), refund('R1', 'pending')], [refund('BAD', 'pending')]);
  other.some(() => START_MS);
  expect(own()).toEqual({ kept: { new: 1, duplicate: 1, variant: 0 }, aside: ['a defect'], lagsMs: [] });
  expect(own()).toBeNull();

  // The other one is first, and this one carries out the rest before it looks.
  world.append([refund('R2', 'pending')]);
  other.some(() => START_MS);
  world.append([refund('R3', 'pending'), refund('R3', 'pending', { data: { amount: '51.00' } })]);
  expect(own()).toEqual({ kept: { new: 1, duplicate: 0, variant: 0 }, aside: [], lagsMs: [] });
  world.append([refund('R4', 'pending')]);
  expect(own()).toBeNull();
  world.append([refund('R1', 'pending', { data: { amount: '52.00' } })]);
  other.some(() => START_MS);
  expect(own()).toEqual({ kept: { new: 0, duplicate: 0, variant: 1 }, aside: [], lagsMs: [] });
  there.close();
});

test('many contents of one record share one fold, and the history shows each move', () => {
  world = new LogWorld();
  const at = (second: number) => ({ updatedAt: new Date(START_MS + second * 1_000).toISOString() });
  world.append(Array.from({ length: 60 }, (_, n) => refund('R1', n % 2 === 0 ? 'processing' : 'failed', at(n))));
  world.all();
  expect(world.rows('SELECT count(*) AS n FROM observations')).toEqual([{ n: 60 }]);
  expect(world.rows('SELECT max(n) AS n, count(*) AS moves FROM history')).toEqual([{ n: 60, moves: 60 }]);
});

/** What a history does. The process dies between transactions, or in the middle of one. */
type Step =
  | { readonly do: 'append'; readonly groups: readonly (readonly number[])[] }
  /** Nothing of it is acknowledged. */
  | { readonly do: 'fail to append'; readonly group: readonly number[] }
  | { readonly do: 'fail to carry out' | 'die while carrying out'; readonly at: string; readonly nth: number }
  | { readonly do: 'carry out' | 'carry out elsewhere' | 'die' | 'stop and start' | 'forget' }
  /** The message how far the log is carried out is late by so many entries. */
  | { readonly do: 'forget late'; readonly by: number };

/** Writes of carrying out, from the first to the last. */
const WRITES = ['INSERT ON main.events', 'INSERT ON main.observations', 'UPDATE ON main.carried_out'];

const CONTENTS = [
  refund('R1', 'pending'),
  refund('R1', 'success', { updatedAt: '2026-11-20T09:05:00Z' }),
  refund('R1', 'pending', { data: { amount: '51.00' } }),
  refund('R1', 'pending', { data: { domain: 'live' } }),
  payout('P1', 'success', {}, { receivedAtMs: START_MS + 60_000 }),
  payout('P1', 'failed', {}, { receivedAtMs: START_MS + 90_000 }),
  delivery('no json'),
];
const groupOf = (indexes: readonly number[]) => indexes.map((index) => CONTENTS[index] as Delivery);

const aGroup = fc.array(fc.nat(CONTENTS.length - 1), { minLength: 1, maxLength: 4 });
const aWrite = fc.constantFrom(...WRITES);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('append'), groups: fc.array(aGroup, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail to append'), group: aGroup }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('fail to carry out', 'die while carrying out'),
      at: aWrite,
      nth: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('carry out', 'carry out elsewhere', 'die', 'stop and start', 'forget'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget late'), by: fc.nat(3) }) },
) as fc.Arbitrary<Step>;

function take(step: Step): void {
  if (step.do === 'append') world.append(...step.groups.map(groupOf));
  else if (step.do === 'fail to append') failToAppend(groupOf(step.group));
  else if (step.do === 'fail to carry out') failToCarryOut(step);
  else if (step.do === 'die while carrying out') dieWhileCarryingOut(step);
  else if (step.do === 'carry out') world.carrier.some(() => START_MS);
  else if (step.do === 'carry out elsewhere') carryOutElsewhere();
  else if (step.do === 'die') world.goOnWith(world.copy());
  else if (step.do === 'forget') world.forget();
  else if (step.do === 'forget late') {
    world.appender.carriedOut(Math.max(0, world.carrier.carriedOut() - step.by));
    world.appender.forget();
  } else {
    world.close();
    world.open();
  }
}

/** A write of carrying out, by how often it was passed. */
interface Write {
  readonly at: string;
  readonly nth: number;
}

/** Returns 1 at the `nth` call, else 0. */
function passed(nth: number): () => 0 | 1 {
  let calls = 0;
  return () => (++calls === nth ? 1 : 0);
}

/** The commit of the log fails once, as on a full disk. */
function failToAppend(group: readonly Delivery[]): void {
  const writer = openLog(world.log.name);
  writer.exec("CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT raise(ROLLBACK, 'full'); END");
  expect(() => world.append(group)).toThrow('full');
  writer.exec('DROP TRIGGER full');
  writer.close();
}

/** The books take nothing once, as on a full disk. */
function failToCarryOut({ at, nth }: Write): void {
  world.books.function('nth', { deterministic: false }, passed(nth));
  world.books.exec(`CREATE TEMP TRIGGER full BEFORE ${at} WHEN nth() BEGIN SELECT raise(ROLLBACK, 'full'); END`);
  try {
    world.carrier.some(() => START_MS);
  } catch (error) {
    expect(String(error)).toContain('full');
  }
  world.books.exec('DROP TRIGGER full');
}

/** The files are as they were at that write; without it nothing dies. */
function dieWhileCarryingOut({ at, nth }: Write): void {
  let copy: string | null = null;
  const isNth = passed(nth);
  world.books.function('die', { deterministic: false }, () => {
    if (isNth() === 1) copy = world.copy();
    return null;
  });
  world.books.exec(`CREATE TEMP TRIGGER dies BEFORE ${at} BEGIN SELECT die(); END`);
  world.carrier.some(() => START_MS);
  world.books.exec('DROP TRIGGER dies');
  if (copy !== null) world.goOnWith(copy);
}

/** Another process carries out some. */
function carryOutElsewhere(): void {
  const [books, log] = [openDatabase(world.path), openLog(world.log.name, { readonly: true })];
  carrier(books, log, { zone: 'UTC' }).some(() => START_MS);
  for (const one of [books, log]) one.close();
}

const HISTORIES = randomRuns(25);

test('any history of appends, crashes, faults and carryings out ends in the same books as carrying out one by one', () => {
  fc.assert(
    fc.property(fc.array(aStep, { minLength: 1, maxLength: 16 }), (steps) => {
      world = new LogWorld();
      for (const step of steps) take(step);
      world.all();
      const appended = steps.flatMap((step) => (step.do === 'append' ? step.groups : []));
      const oneByOne = new LogWorld();
      /** By entry of `oneByOne`: that of `world` which has the same delivery. */
      const entryOf: number[] = [0];
      for (const [index, group] of appended.entries())
        for (const each of groupOf(group)) {
          oneByOne.append([each]);
          entryOf.push(index + 1);
          oneByOne.all();
        }
      expect(booksOf(world)).toEqual(booksOf(oneByOne, (seq) => entryOf[seq] as number));
      expect(world.rows('SELECT * FROM aside')).toEqual([]);
      oneByOne.remove();
      world.remove();
    }),
    { numRuns: HISTORIES },
  );
  world = new LogWorld();
});

test('a delivery whose effect is a defect of ours is set aside with its bytes and the reason, and the others go on', () => {
  world = new LogWorld();
  world.books.exec(`CREATE TEMP TRIGGER defect BEFORE INSERT ON main.events WHEN new.reference = 'BAD'
    BEGIN SELECT raise(ABORT, 'a defect'); END`);
  const bad = refund('BAD', 'pending');
  world.append([refund('R1', 'pending'), bad, refund('R2', 'pending')], [bad]);
  const carried = world.carrier.some(() => START_MS);
  expect(carried).toMatchObject({
    seq: 2,
    kept: { new: 2 },
    aside: ['delivery 2 of entry 1: a defect', 'delivery 1 of entry 2: a defect'],
  });
  expect(world.rows('SELECT reference FROM events ORDER BY id')).toEqual([{ reference: 'R1' }, { reference: 'R2' }]);
  expect(world.rows('SELECT seq, place, reason, key_id, bytes FROM aside ORDER BY id')).toEqual([
    { seq: 1, place: 1, reason: 'a defect', key_id: 'test-1', bytes: bad.body },
    { seq: 2, place: 0, reason: 'a defect', key_id: 'test-1', bytes: bad.body },
  ]);
});

test('a delivery whose variant is damaged is set aside, and the others go on', () => {
  world = new LogWorld();
  const variant = refund('R1', 'pending', { data: { amount: '51.00' } });
  world.append([refund('R1', 'pending'), variant]);
  world.all();
  world.books.exec("UPDATE variants SET body = CAST(replace(CAST(body AS TEXT), '51.00', '51.01') AS BLOB)");
  world.append([variant, refund('R2', 'pending')]);
  expect(world.carrier.some(() => START_MS)).toMatchObject({
    kept: { new: 1 },
    aside: [expect.stringMatching(/delivery 1 of entry 2: a variant of event 1 is damaged/)],
  });
  expect(world.rows('SELECT bytes FROM aside')).toEqual([{ bytes: variant.body }]);
});

test('an entry whose bytes are not those of its digest is set aside whole, and the rest goes on', () => {
  world = new LogWorld();
  world.append([refund('R1', 'pending')], [refund('R2', 'pending')], [refund('R3', 'pending')]);
  const writer = openLog(world.log.name);
  writer.exec("UPDATE entries SET bytes = CAST(replace(CAST(bytes AS TEXT), '50.00', '51.00') AS BLOB) WHERE seq = 2");
  writer.close();
  expect(world.carrier.some(() => START_MS)).toMatchObject({
    seq: 3,
    kept: { new: 2 },
    aside: [expect.stringContaining('entry 2: its bytes')],
  });
  expect(world.rows('SELECT seq, place, length(bytes) > 50 AS whole FROM aside')).toEqual([
    { seq: 2, place: null, whole: 1 },
  ]);
});

test('what is the fault of the machine is tried again and sets nothing aside', () => {
  world = new LogWorld();
  const other = openDatabase(world.path);
  other.exec('BEGIN IMMEDIATE');
  world.books.pragma('busy_timeout = 0');
  expect(world.carrier.some(() => START_MS)).toBeNull(); // with nothing to carry out it needs no lock
  world.append([refund('R1', 'pending')]);
  expect(() => world.carrier.some(() => START_MS)).toThrow(/locked/);
  other.exec('ROLLBACK');
  other.close();
  expect(world.carrier.some(() => START_MS)).toMatchObject({ kept: { new: 1 }, aside: [] });
});

test('an entry that is missing between others ends carrying out: it may have been acknowledged', () => {
  world = new LogWorld();
  world.append([refund('R1', 'pending')], [refund('R2', 'pending')]);
  const writer = openLog(world.log.name);
  writer.exec('DELETE FROM entries WHERE seq = 1');
  writer.close();
  expect(() => world.carrier.some(() => START_MS)).toThrow(/goes on at entry 2; entry 1 is missing/);
});

test('contents that an earlier version kept and did not observe are observed first, once', () => {
  world = new LogWorld();
  world.append([refund('R1', 'pending'), refund('R1', 'pending', { data: { amount: '51.00' } })]);
  world.all();
  const observed = () => booksOf(world, () => 0).slice(2, 6);
  const expected = observed();
  world.books.exec(`DELETE FROM observations; DELETE FROM history; DELETE FROM findings; DELETE FROM refunds;
    INSERT INTO unapplied SELECT 'events', id FROM events UNION ALL SELECT 'variants', id FROM variants`);
  world.close();
  world.open();
  world.all();
  expect(observed()).toEqual(expected);
  expect(world.rows('SELECT * FROM unapplied')).toEqual([]);
});

const ASK = 'UPDATE aside SET retry_at = 1';

test('what was set aside is carried out when a person asks for it, as it was received, and counts as carried out now', () => {
  world = new LogWorld();
  world.books.exec(`CREATE TEMP TRIGGER defect BEFORE INSERT ON main.events WHEN new.reference IN ('R1', 'R2')
    BEGIN SELECT raise(ABORT, 'a defect'); END`);
  const [one, other] = [
    refund('R1', 'pending'),
    refund('R2', 'pending', {}, { sentAt: 'then', merchantSignature: 'absent' }),
  ];
  world.append([one, refund('R3', 'pending'), other], [refund('R4', 'pending')]);
  world.all();
  expect(world.rows('SELECT place FROM aside ORDER BY id')).toEqual([{ place: 0 }, { place: 2 }]);
  world.all();
  expect(world.rows('SELECT count(*) AS n FROM aside')).toEqual([{ n: 2 }]); // nobody asked
  world.books.exec(`DROP TRIGGER defect; ${ASK}`);
  // As serve looks for it, one at a time, also when nothing arrives.
  for (const _ of [one, other]) expect(world.carrier.some(() => START_MS)).toMatchObject({ kept: { new: 1 }, seq: 2 });
  expect(world.carrier.some(() => START_MS)).toBeNull();
  expect(world.rows('SELECT count(*) AS n FROM aside')).toEqual([{ n: 0 }]);
  expect(
    world.rows("SELECT reference, sent_at, merchant_signature FROM events WHERE reference < 'R3' ORDER BY id"),
  ).toEqual([
    { reference: 'R1', sent_at: one.sentAt, merchant_signature: one.merchantSignature },
    { reference: 'R2', sent_at: 'then', merchant_signature: 'absent' },
  ]);
  expect(world.rows("SELECT changed_seq FROM refunds WHERE reference = 'R1'")).toEqual([{ changed_seq: 2 }]);
});

test('one that cannot be carried out again is set aside again in its place, and holds nothing up', () => {
  world = new LogWorld();
  world.books.exec(`CREATE TEMP TRIGGER defect BEFORE INSERT ON main.events WHEN new.reference = 'BAD'
    BEGIN SELECT raise(ABORT, 'a defect'); END`);
  world.append([refund('R1', 'pending'), refund('BAD', 'pending')]);
  world.all();
  world.books.exec(ASK);
  world.append([refund('R2', 'pending')]);
  world.all();
  expect(world.rows('SELECT seq, place, reason, retry_at FROM aside')).toEqual([
    { seq: 1, place: 1, reason: 'a defect', retry_at: null },
  ]);
  expect(world.rows('SELECT reference FROM events ORDER BY id')).toEqual([{ reference: 'R1' }, { reference: 'R2' }]);
});

test('an entry is carried out again only with the bytes that were acknowledged', () => {
  world = new LogWorld();
  world.append([refund('R1', 'pending'), refund('R2', 'pending')]);
  const writer = openLog(world.log.name);
  const bytes = writer.prepare<[], Buffer>('SELECT bytes FROM entries').pluck().get();
  writer.exec("UPDATE entries SET bytes = CAST(x'00' || bytes AS BLOB)");
  writer.close();
  world.all();
  world.books.exec(ASK);
  world.all();
  expect(world.rows('SELECT place, retry_at, reason FROM aside')).toEqual([
    { place: null, retry_at: null, reason: 'its bytes do not match their digest' },
  ]);
  world.books.prepare('UPDATE aside SET bytes = ?, retry_at = 1').run(bytes);
  world.all();
  expect(world.rows('SELECT reference FROM events ORDER BY id')).toEqual([{ reference: 'R1' }, { reference: 'R2' }]);
  expect(world.rows('SELECT count(*) AS n FROM aside')).toEqual([{ n: 0 }]);
});

test('the write-ahead logs of log and books stay bounded under load, and an empty log gives its space back', () => {
  world = new LogWorld();
  const MEBIBYTE = 1024 * 1024;
  const sizeOf = (file: string) => statSync(file).size;
  const [mostOfLog, mostOfBooks] = [0, 0].map(() => ({ bytes: 0 })) as [{ bytes: number }, { bytes: number }];
  const note = 'x'.repeat(20_000);
  for (let turn = 0; turn < 40; turn++) {
    const group = (n: number) =>
      Array.from({ length: 20 }, (_, m) => refund(`R${turn}-${n}-${m}`, 'pending', { data: { note } }));
    world.append(group(0), group(1));
    // The books lag behind, as beside a run: they carry out every tenth turn.
    if (turn % 10 === 9) {
      world.all();
      world.appender.carriedOut(world.carrier.carriedOut());
    }
    while (world.appender.forget());
    mostOfLog.bytes = Math.max(mostOfLog.bytes, sizeOf(`${world.log.name}-wal`));
    mostOfBooks.bytes = Math.max(mostOfBooks.bytes, sizeOf(`${world.path}-wal`));
  }
  expect(world.rows('SELECT count(*) AS n FROM events')).toEqual([{ n: 1_600 }]); // 32 MB of bodies
  expect(mostOfLog.bytes).toBeLessThan(8 * MEBIBYTE);
  expect(mostOfBooks.bytes).toBeLessThan(24 * MEBIBYTE);
  world.appender.shrink();
  expect(sizeOf(world.log.name)).toBeLessThan(4 * MEBIBYTE);
});
