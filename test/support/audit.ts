import type { Database } from 'better-sqlite3';
import { type Acks, type Comparison, compareWithAcks, keptContents } from './oracle/contents.ts';
import { type ExpectedRecord, expectedRecords } from './oracle/records.ts';
import { waitingBodies } from './oracle/waiting.ts';
import { readerOf } from './reader.ts';

export interface Audit extends Comparison {
  readonly stored: number;
  readonly integrity: string;
  /** Records that differ from what the kept bodies amount to, in words. */
  readonly wrongRecords: readonly string[];
  readonly records: number;
}

/**
 * Compares a database and its log with the acks that the client read, and with what it sent, and its records with what its own bodies
 * amount to.
 */
export function audit(path: string, acks: Acks, sent?: Acks): Audit {
  const database = readerOf(path);
  try {
    const contents = keptContents(database);
    const expected = expectedRecords(contents);
    const total =
      'SELECT (SELECT count(*) FROM refunds) + (SELECT count(*) FROM payouts) + (SELECT count(*) FROM collections)';
    const records = database.prepare<[], number>(total).pluck().get() ?? 0;
    const wrongRecords = records === expected.size ? [] : [`${records} records for ${expected.size} references`];
    const stateOf = storedStates(database);
    for (const [name, record] of expected) {
      const [wanted, seen] = [stateText(record), stateOf(record)];
      if (wanted !== seen) wrongRecords.push(`${name}: ${seen} instead of ${wanted}`);
    }
    const integrity = String(database.pragma('integrity_check', { simple: true }));
    const waiting = waitingBodies(database);
    if (waiting === null) wrongRecords.push('the log and the books do not agree');
    return {
      ...compareWithAcks(contents, acks, { waiting: waiting ?? new Map(), sent }),
      stored: contents.length,
      integrity,
      wrongRecords,
      records,
    };
  } finally {
    database.close();
  }
}

function stateText({ contents, reported, timeMs, amountMinor, currency, findings }: Omit<ExpectedRecord, 'kind'>) {
  return JSON.stringify([contents, reported, timeMs, amountMinor, currency, findings]);
}

interface StoredRow {
  readonly id: number;
  readonly reported: string | null;
  readonly time: string | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
}

function storedStates(database: Database): (record: ExpectedRecord) => string {
  const rowOf = (kind: ExpectedRecord['kind']) =>
    database.prepare<[string, string], StoredRow>(`
      SELECT id, reported, reported_time AS time, amount_minor AS amountMinor, currency FROM ${kind}s
      WHERE reference = ? AND environment = ?`);
  const rows = { refund: rowOf('refund'), payout: rowOf('payout') };
  const contents = database
    .prepare<[string, number], number>('SELECT count(*) FROM observations WHERE kind = ? AND record_id = ?')
    .pluck();
  const findings = database
    .prepare<[string, number], string>(
      'SELECT DISTINCT code FROM findings WHERE kind = ? AND record_id = ? AND closed_at IS NULL ORDER BY code',
    )
    .pluck();
  return ({ kind, environment, reference }) => {
    const row = rows[kind].get(reference, environment);
    if (row === undefined) return 'nothing';
    return stateText({
      environment,
      reference,
      ...row,
      timeMs: row.time === null ? null : Date.parse(row.time),
      contents: contents.get(kind, row.id) ?? 0,
      findings: findings.all(kind, row.id),
    });
  };
}
