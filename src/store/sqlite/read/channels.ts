import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Environment } from '../../../domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { ChannelQuery, ChannelRecord, ChannelSample, FirstReport, Receipt } from '../../channels.ts';
import type { Move } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { snapshot } from '../engine/reading.ts';
import { firstIdAt, type IdRange } from './scan.ts';

/** Records read by one statement, so that a long read holds no old state of the database. */
const WINDOW = 1_000;
/** Records passed over at most while searching for those of an environment that is quiet beside a busy one. */
const MOST_PASSED = 50_000;

interface RecordRow {
  id: number;
  environment: Environment;
  reported: string | null;
  confirmed: string | null;
  first_seen_at: number;
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
 * Samples of how news arrived lately. Ids follow the order in which records were first seen, and rows are clustered by
 * record, so reading the latest ones costs the same in a small and in a large database.
 */
export function channelReads(database: Database) {
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
  const sample: Gathered = {
    records: [],
    receipts: [],
    firstReports: [],
    left: { test: query.records, live: query.records },
    truncated: { test: false, live: false },
    stride: Math.max(1, Math.ceil((bounds.last + 1 - bounds.rhythmSince) / query.rhythmRecords)),
  };
  const read = snapshot(database, (range: IdRange) => readInto(sample, statements, range));
  let first = bounds.last + 1;
  const isFull = () => sample.truncated.test && sample.truncated.live;
  while (first > bounds.since && !isFull() && bounds.last - first < MOST_PASSED) {
    const last = first - 1;
    first = Math.max(bounds.since, first - WINDOW);
    read({ first, last });
    await nextTurn();
  }
  const { records, receipts, firstReports, truncated, stride } = sample;
  const readReports = snapshot(database, (from: number, to: number) => {
    for (let id = from; id < to; id += stride) {
      const report = firstReport.get(id);
      if (report !== undefined) firstReports.push(report);
    }
  });
  for (let id = bounds.rhythmSince; id < first; id += WINDOW * stride) {
    readReports(id, Math.min(id + WINDOW * stride, first));
    await nextTurn();
  }
  const all = first <= bounds.since;
  return {
    kind,
    records,
    receipts,
    firstReports,
    truncated: { test: truncated.test || !all, live: truncated.live || !all },
  };
}

interface Gathered {
  readonly records: ChannelRecord[];
  readonly receipts: Receipt[];
  readonly firstReports: FirstReport[];
  /** Records that may still be read in full, per environment, so that a busy one never hides the other. */
  readonly left: Record<Environment, number>;
  /** There were more records than that. */
  readonly truncated: Record<Environment, boolean>;
  /** Of the other records each `stride`-th counts for the rhythm. */
  readonly stride: number;
}

function readInto(sample: Gathered, statements: Statements, { first, last }: IdRange) {
  const { records, receipts, firstReports } = sample;
  const byId = new Map<number, ChannelRecord & { moves: Pick<Move, 'field' | 'to'>[]; hasReport: boolean }>();
  for (const row of statements.records.all(first, last).reverse()) {
    const { id, environment, reported } = row;
    // Tracked without any status: there is no news that could have arrived.
    if (reported === null && row.confirmed === null) continue;
    if (sample.left[environment] > 0) {
      sample.left[environment]--;
      byId.set(id, { environment, reported, moves: [], hasReport: false });
    } else {
      sample.truncated[environment] = true;
      if (reported !== null && id % sample.stride === 0) firstReports.push({ environment, atMs: row.first_seen_at });
    }
  }
  if (byId.size === 0) return;
  for (const { record_id, at, field, to_status } of statements.moves.all(first, last)) {
    const record = byId.get(record_id);
    if (record === undefined) continue;
    record.moves.push({ field, to: to_status });
    if (field !== 'reported' || record.hasReport) continue;
    record.hasReport = true;
    firstReports.push({ environment: record.environment, atMs: at });
  }
  for (const { record_id, time, received_at, last_received_at } of statements.receipts.all(first, last)) {
    const environment = byId.get(record_id)?.environment;
    if (environment === undefined) continue;
    receipts.push({ environment, time, receivedAtMs: received_at, lastReceivedAtMs: last_received_at });
  }
  for (const { environment, reported, moves } of [...byId.values()].reverse()) {
    records.push({ environment, reported, moves });
  }
}

function statementsOf(database: Database, kind: RecordKind) {
  const between = `kind = '${kind}' AND record_id BETWEEN ? AND ?`;
  return {
    lastId: database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${kind}s`).pluck(),
    firstSeenAt: database
      .prepare<[number], number>(`SELECT first_seen_at FROM ${kind}s WHERE id >= ? ORDER BY id LIMIT 1`)
      .pluck(),
    records: database.prepare<[number, number], RecordRow>(
      `SELECT id, environment, reported, confirmed, first_seen_at FROM ${kind}s WHERE id BETWEEN ? AND ? ORDER BY id`,
    ),
    moves: database.prepare<[number, number], MoveRow>(
      `SELECT record_id, at, field, to_status FROM history WHERE ${between} ORDER BY record_id, n`,
    ),
    // An event with several contents counts as one receipt.
    receipts: database.prepare<[number, number], ReceiptRow>(`
      SELECT o.record_id, o.time, e.received_at, e.last_received_at
      FROM observations o CROSS JOIN events e ON e.id = o.event_id
      WHERE o.${between.replace('record_id', 'o.record_id')} AND o.identity = 'event ' || o.event_id`),
    // A webhook is nearly always the first witness; reading each history would double the cost.
    firstReport: database.prepare<[number], FirstReport>(
      `SELECT environment, first_seen_at AS atMs FROM ${kind}s WHERE id = ? AND reported IS NOT NULL`,
    ),
  };
}
