import { statSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { digits, megabytes, table, whole } from '../table.ts';
import type { Bench } from './bench.ts';
import { senderLoad } from './load.ts';
import { expectClean } from './load-result.ts';
import { SubjectProcess } from './subject-process.ts';

const CONNECTIONS = 64;

export interface EndToEndResult {
  readonly events: number;
  /** Until the last delivery was answered, and until the last event was carried out. */
  readonly keptSeconds: number;
  readonly carriedOutSeconds: number;
  readonly firstTenthPerSecond: number;
  readonly lastTenthPerSecond: number;
  readonly peakRssBytes: number;
  readonly bodyBytes: number;
  /** The table and its indexes. */
  readonly eventsTableBytes: number;
  readonly databaseBytes: number;
}

/** Path of the filled database, which the part `start` uses afterwards. */
export function filledDatabase(bench: Bench): string {
  return bench.workplace.path('end-to-end.db');
}

/** Sends distinct events into one database and measures until the last one is carried out. */
export async function endToEnd(bench: Bench): Promise<EndToEndResult> {
  const database = filledDatabase(bench);
  bench.progress(`end to end: signing ${whole(bench.endToEndEvents)} events`);
  const file = bench.events.file(bench.endToEndEvents);
  // The first start in a clone strips the types of the bench's own sources, in the process that is measured.
  await (await SubjectProcess.start(bench.workplace, 'tallyhook')).discard();
  const subject = await SubjectProcess.start(bench.workplace, 'tallyhook', { database });
  bench.progress('end to end: sending them');
  const startMs = performance.now();
  const load = { port: subject.port, connections: CONNECTIONS, file };
  const result = await senderLoad(bench.workplace, load, { kind: 'all' });
  expectClean('end to end', result);
  await subject.settle();
  const carriedOutSeconds = (performance.now() - startMs) / 1_000;
  const peakRssBytes = subject.memory().peakBytes;
  await subject.stop();
  bench.events.discard(file);

  const sizes = sizesOf(database, bench.endToEndEvents);
  const [first = Number.NaN] = result.tenths;
  const [beforeLast = Number.NaN, last = Number.NaN] = result.tenths.slice(-2);
  const tenth = bench.endToEndEvents / 10;
  return {
    events: bench.endToEndEvents,
    keptSeconds: result.seconds,
    carriedOutSeconds,
    firstTenthPerSecond: tenth / first,
    lastTenthPerSecond: tenth / (last - beforeLast),
    peakRssBytes,
    bodyBytes: file.bodyBytes,
    ...sizes,
  };
}

function sizesOf(path: string, expected: number): { eventsTableBytes: number; databaseBytes: number } {
  const database = new SQLite(path, { readonly: true });
  try {
    const count = database.prepare<[], number>('SELECT count(*) FROM events').pluck().get();
    if (count !== expected) throw new Error(`${expected} distinct events were sent and ${count} are kept`);
    const eventsTableBytes = database
      .prepare<[], number>(`
        SELECT sum(pgsize) FROM dbstat
        WHERE aggregate = TRUE AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'events')`)
      .pluck()
      .get();
    return { eventsTableBytes: eventsTableBytes ?? Number.NaN, databaseBytes: statSync(path).size };
  } finally {
    database.close();
  }
}

export function endToEndText(result: EndToEndResult): string {
  const perEvent = (bytes: number) => `${whole(bytes / result.events)} (${digits(bytes / result.bodyBytes)} × bodies)`;
  return table(
    [`${whole(result.events)} distinct events`, 'value'],
    [
      ['kept after s', digits(result.keptSeconds, 1)],
      ['carried out after s', digits(result.carriedOutSeconds, 1)],
      ['kept per second', whole(result.events / result.keptSeconds)],
      ['first tenth, per second', whole(result.firstTenthPerSecond)],
      ['last tenth, per second', whole(result.lastTenthPerSecond)],
      ['last of first', digits(result.lastTenthPerSecond / result.firstTenthPerSecond)],
      ['highest RSS', megabytes(result.peakRssBytes)],
      ['bytes of a body', whole(result.bodyBytes / result.events)],
      ['bytes per event, events table', perEvent(result.eventsTableBytes)],
      ['bytes per event, whole database', perEvent(result.databaseBytes)],
    ],
  );
}
