import { join } from 'node:path';
import { openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../../src/store/sqlite/engine/migrate.ts';
import { temporaryFolder } from '../folder.ts';
import { RECEIVED_MS } from '../shop/records.ts';
import { minorOf, moneyText } from './money.ts';
import type { OurRecord } from './story.ts';

/*
 * The fast way into a store, for a million records: one row each in the tables of records, as they are after a webhook and an
 * answer of the service that agree. There are no events, observations or findings, so a report has no evidence, and months
 * with findings take the real path (fill.ts).
 */

/** Writes records into a new database; returns its folder and path. */
export function fillInBulk(records: readonly OurRecord[]): { readonly folder: string; readonly database: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'tallyhook.db');
  const database = openDatabase(path, { create: true });
  migrate(database, RECEIVED_MS);
  database.pragma('synchronous = OFF');
  const statements = new Map<string, ReturnType<typeof database.prepare>>();
  const insert = (kind: OurRecord['kind'], row: Record<string, unknown>) => {
    const columns = Object.keys(row);
    const known = statements.get(kind);
    const sql = `INSERT INTO ${kind}s (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`;
    const statement = known ?? database.prepare(sql);
    statements.set(kind, statement);
    statement.run(row);
  };
  database.transaction(() => {
    for (const record of records) insert(record.kind, rowOf(record));
    const proven = database.prepare('INSERT INTO proven_endpoints (environment, endpoint, proven_at) VALUES (?, ?, 1)');
    for (const environment of ['test', 'live'])
      for (const kind of ['payout', 'collection']) proven.run(environment, kind);
  })();
  database.close();
  return { folder, database: path };
}

type Row = Record<string, string | bigint | number | null>;

function rowOf(record: OurRecord): Row {
  const { kind, status, amount, currency, beganAt, endedAt } = record;
  const updated = endedAt ?? beganAt;
  const shared: Row = {
    ...{ environment: record.environment, reference: record.reference, reported: status, reported_time: updated },
    ...{ confirmed: status, confirmed_at: RECEIVED_MS, currency, amount_minor: amount, reported_amount_minor: amount },
    ...{ reported_currency: currency, confirmed_amount_minor: amount, confirmed_currency: currency },
    ...{ updated_at: updated, updated_at_utc: updated, first_seen_at: RECEIVED_MS, changed_at: RECEIVED_MS },
  };
  return { ...shared, ...{ refund: refundRow, payout: payoutRow, collection: collectionRow }[kind](record) };
}

function collectionRow({ amount, fee, beganAt, endedAt, status }: OurRecord): Row {
  const paid = status === 'success' ? endedAt : null;
  return {
    ...{ requested_amount_minor: amount, reported_requested_amount_minor: amount },
    ...{ confirmed_requested_amount_minor: amount, channel: 'bank_transfer', created_at: beganAt },
    ...{ created_at_utc: beganAt, paid_at: paid, paid_at_utc: paid, ...byWitness('fees', fee) },
  };
}

function payoutRow({ fee, duty, sessionId, data, beganAt }: OurRecord): Row {
  return {
    ...{ ...byWitness('fee', fee), ...byWitness('stamp_duty', duty), session_id: sessionId },
    ...{ bank_code: String(data.bank_code), account_number: String(data.account_number) },
    ...{ created_at: beganAt, created_at_utc: beganAt },
  };
}

function refundRow({ fee, transactionReference, data, beganAt, endedAt }: OurRecord): Row {
  const funding = data.funding as Readonly<Record<string, string | null>>;
  const sum = (name: string, text: unknown) => stated(name, minorOf(String(text)));
  return {
    ...{ ...byWitness('fee', fee), transaction_reference: transactionReference },
    ...{ ...sum('total_reserved', data.total_reserved), funding_status: funding.status ?? null },
    ...{
      ...sum('available_reserved', funding.available_reserved),
      ...sum('pending_reserved', funding.pending_reserved),
    },
    ...sum('pending_funded', funding.pending_funded_amount),
    ...{ ...sum('pending_remaining', funding.pending_remaining), funded_at: funding.funded_at ?? null },
    ...{ requested_at: beganAt, requested_at_utc: beganAt, completed_at: endedAt, completed_at_utc: endedAt },
  };
}

/** A detail as the record has it, as the webhooks report it, and as the service confirmed it. */
function byWitness(name: string, minor: bigint): Row {
  return { ...stated(name, minor), ...stated(`reported_${name}`, minor), ...stated(`confirmed_${name}`, minor) };
}

function stated(name: string, minor: bigint): Row {
  return { [`${name}_minor`]: minor, [`${name}_exact`]: moneyText(minor) };
}
