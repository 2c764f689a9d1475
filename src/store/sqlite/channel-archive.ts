import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Environment } from '../../domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../domain/lifecycle.ts';
import type { ChannelQuery, ChannelRecord, ChannelSample, FirstReport, Receipt } from '../channels.ts';
import type { Move } from '../evidence.ts';
import type { Database } from './database.ts';
import { snapshot } from './reading.ts';
import { firstIdAt, type IdRange } from './scan.ts';

/** Records read by one statement, so that a long look holds no old state of the database. */
const WINDOW = 1_000;

interface RecordRow {
  id: number;
  environment: Environment;
  reported: string | null;
}

interface MoveRow {
  record_id: number;
  at: number;
  field: Move['field'];
  to_status: string | null;
}

interface ReceiptRow {
  record_id: number;
  time: string | null;
  received_at: number;
  last_received_at: number;
}

/**
 * How news reached us lately. Records stand in the order in which they were first seen, and what belongs to them beside
 * each other, so a look at the latest ones costs the same in a small and in a large database.
 */
export function channelArchive(database: Database) {
  const statements = RECORD_KINDS.map((kind) => ({ kind, ...statementsOf(database, kind) }));

  return async function channels(query: ChannelQuery): Promise<ChannelSample[]> {
    const samples: ChannelSample[] = [];
    for (const each of statements) samples.push(await sampleOf(database, each, query));
    return samples;
  };
}

type Statements = ReturnType<typeof statementsOf> & { readonly kind: RecordKind };

async function sampleOf(database: Database, statements: Statements, query: ChannelQuery): Promise<ChannelSample> {
  const { kind, lastId, firstSeenAt, firstReport } = statements;
  const bounds = snapshot(database, () => {
    const all = { first: 1, last: lastId.get() ?? 0 };
    const firstAt = (timeMs: number) => firstIdAt(all, timeMs, (id) => firstSeenAt.get(id) ?? null);
    return { last: all.last, since: firstAt(query.sinceMs), rhythmSince: firstAt(query.rhythmSinceMs) };
  })();
  const first = Math.max(bounds.since, bounds.last - query.records + 1);
  const sample = {
    records: [] as ChannelRecord[],
    receipts: [] as Receipt[],
    firstReports: [] as FirstReport[],
  };
  const read = snapshot(database, (range: IdRange) => readInto(sample, statements, range));
  for (let id = first; id <= bounds.last; id += WINDOW) {
    read({ first: id, last: Math.min(id + WINDOW - 1, bounds.last) });
    await nextTurn();
  }
  const older = first - bounds.rhythmSince;
  const stride = Math.max(1, Math.ceil(older / query.rhythmRecords));
  const look = snapshot(database, (from: number, to: number) => {
    for (let id = from; id < to; id += stride) {
      const report = firstReport.get(id);
      if (report !== undefined) sample.firstReports.push(report);
    }
  });
  for (let id = bounds.rhythmSince; id < first; id += WINDOW * stride) {
    look(id, Math.min(id + WINDOW * stride, first));
    await nextTurn();
  }
  return { kind, truncated: first > bounds.since, ...sample };
}

interface Gathered {
  readonly records: ChannelRecord[];
  readonly receipts: Receipt[];
  readonly firstReports: FirstReport[];
}

function readInto({ records, receipts, firstReports }: Gathered, statements: Statements, { first, last }: IdRange) {
  const byId = new Map<number, ChannelRecord & { moves: Pick<Move, 'field' | 'to'>[]; toldOf: boolean }>();
  for (const { id, environment, reported } of statements.records.all(first, last)) {
    byId.set(id, { environment, reported, moves: [], toldOf: false });
  }
  for (const { record_id, at, field, to_status } of statements.moves.all(first, last)) {
    const record = byId.get(record_id);
    if (record === undefined) continue;
    record.moves.push({ field, to: to_status });
    if (field !== 'reported' || record.toldOf) continue;
    record.toldOf = true;
    firstReports.push({ environment: record.environment, atMs: at });
  }
  for (const { record_id, time, received_at, last_received_at } of statements.receipts.all(first, last)) {
    const environment = byId.get(record_id)?.environment;
    if (environment === undefined) continue;
    receipts.push({ environment, time, receivedAtMs: received_at, lastReceivedAtMs: last_received_at });
  }
  for (const { environment, reported, moves } of byId.values()) records.push({ environment, reported, moves });
}

function statementsOf(database: Database, kind: RecordKind) {
  const between = `kind = '${kind}' AND record_id BETWEEN ? AND ?`;
  return {
    lastId: database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${kind}s`).pluck(),
    firstSeenAt: database
      .prepare<[number], number>(`SELECT first_seen_at FROM ${kind}s WHERE id >= ? ORDER BY id LIMIT 1`)
      .pluck(),
    records: database.prepare<[number, number], RecordRow>(
      `SELECT id, environment, reported FROM ${kind}s WHERE id BETWEEN ? AND ?`,
    ),
    moves: database.prepare<[number, number], MoveRow>(
      `SELECT record_id, at, field, to_status FROM history WHERE ${between} ORDER BY record_id, n`,
    ),
    // An event is received once, in however many contents it came.
    receipts: database.prepare<[number, number], ReceiptRow>(`
      SELECT o.record_id, o.time, e.received_at, e.last_received_at
      FROM observations o CROSS JOIN events e ON e.id = o.event_id
      WHERE o.${between.replace('record_id', 'o.record_id')} AND o.identity = 'event ' || o.event_id`),
    // Nearly always a webhook is the first to tell; looking each one up in the history would cost as much again.
    firstReport: database.prepare<[number], FirstReport>(
      `SELECT environment, first_seen_at AS atMs FROM ${kind}s WHERE id = ? AND reported IS NOT NULL`,
    ),
  };
}
