import type { Database } from 'better-sqlite3';
import { readEvent } from '../../src/domain/event.ts';
import type { RecordObservation } from '../../src/domain/observation.ts';
import { fold } from '../../src/domain/observe.ts';
import { observationOf } from '../../src/domain/webhook-observation.ts';
import { columnNames, toColumns } from '../../src/store/sqlite/rows/record-columns.ts';
import { readerOf } from './receiver.ts';

export interface Audit {
  /** Bodies that were answered 200 and are not there, byte for byte. */
  readonly lost: number;
  /** Bodies that are there more than once. */
  readonly doubled: number;
  /** Events counted with fewer deliveries than 200s were read. */
  readonly undercounted: number;
  readonly stored: number;
  readonly integrity: string;
  /** Records that differ from the fold over everything stored, in words. */
  readonly wrongRecords: readonly string[];
  readonly records: number;
}

interface ContentRow {
  source: 'events' | 'variants';
  id: number;
  event_id: number;
  environment: 'test' | 'live';
  body: Buffer;
  deliveries: number;
}

/** Compares a database with the acks that the client read, and its records with the fold over its own contents. */
export function audit(path: string, acked: ReadonlyMap<string, number>): Audit {
  const database = readerOf(path);
  try {
    const contents = database
      .prepare<[], ContentRow>(`
        SELECT 'events' AS source, id, id AS event_id, environment, body, deliveries FROM events UNION ALL
        SELECT 'variants', variants.id, event_id, environment, variants.body, variants.deliveries
        FROM variants JOIN events ON events.id = event_id`)
      .all();
    const copies = new Map<string, number>();
    const deliveries = new Map<string, number>();
    for (const { body, deliveries: count } of contents) {
      const text = body.toString('latin1');
      copies.set(text, (copies.get(text) ?? 0) + 1);
      deliveries.set(text, count);
    }
    const acks = [...acked].map(([body, count]) => [Buffer.from(body).toString('latin1'), count] as const);
    return {
      lost: acks.filter(([body]) => !copies.has(body)).length,
      doubled: [...copies.values()].filter((count) => count > 1).length,
      undercounted: acks.filter(([body, count]) => (deliveries.get(body) ?? 0) < count).length,
      stored: contents.length,
      integrity: String(database.pragma('integrity_check', { simple: true })),
      ...auditRecords(database, contents),
    };
  } finally {
    database.close();
  }
}

function auditRecords(
  database: Database,
  contents: readonly ContentRow[],
): { wrongRecords: string[]; records: number } {
  const sets = new Map<string, RecordObservation[]>();
  for (const { source, id, event_id, environment, body } of contents) {
    const event = readEvent(body, environment);
    const one = observationOf({ source, id, eventId: event_id, environment, event, receivedAtMs: 0 }, 'Africa/Lagos');
    if (one === null) continue;
    const record = `${one.kind} ${one.environment} ${one.reference}`;
    sets.set(record, [...(sets.get(record) ?? []), one]);
  }
  const total =
    'SELECT (SELECT count(*) FROM refunds) + (SELECT count(*) FROM payouts) + (SELECT count(*) FROM collections)';
  const records = database.prepare<[], number>(total).pluck().get() ?? 0;
  const wrongRecords = records === sets.size ? [] : [`${records} records for ${sets.size} references`];
  for (const [name, set] of sets) {
    const [expected, seen] = [foldedState(set), storedState(database, set[0] as RecordObservation)];
    if (expected !== seen) wrongRecords.push(`${name}: ${seen} instead of ${expected}`);
  }
  return { wrongRecords, records };
}

function foldedState(set: readonly RecordObservation[]): string {
  const { kind } = set[0] as RecordObservation;
  const { reported, findings, ...fields } = fold(
    kind,
    set.map(({ observation }) => observation),
  );
  const columns = toColumns(kind, fields).map(plain);
  const open = findings.map(({ code, subject, detail }) => `${code} ${subject} ${detail}`).sort();
  return JSON.stringify([set.length, reported?.status ?? null, reported?.time ?? null, columns, open]);
}

function storedState(database: Database, { kind, environment, reference }: RecordObservation): string {
  const record = database
    .prepare<[string, string], Record<string, unknown>>(
      `SELECT * FROM ${kind}s WHERE reference = ? AND environment = ?`,
    )
    .get(reference, environment);
  if (record === undefined) return 'nothing';
  const count = database.prepare('SELECT count(*) FROM observations WHERE kind = ? AND record_id = ?').pluck();
  const open = database
    .prepare<[string, unknown], { code: string; subject: string; detail: string }>(
      'SELECT code, subject, detail FROM findings WHERE kind = ? AND record_id = ? AND closed_at IS NULL',
    )
    .all(kind, record.id);
  return JSON.stringify([
    count.get(kind, record.id),
    record.reported,
    record.reported_time,
    columnNames(kind).map((name) => plain(record[name])),
    open.map(({ code, subject, detail }) => `${code} ${subject} ${detail}`).sort(),
  ]);
}

const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : (value ?? null));
