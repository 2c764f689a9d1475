import type { Environment } from '../environment.ts';
import type { EventKind } from '../events/event.ts';
import type { FindingCode } from '../findings/finding.ts';
import { type Fields, showValue } from '../records/fields.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import { compareTexts } from '../records/observation.ts';
import type { Times } from '../records/service-times.ts';
import { countedAmount, countedMoney, FEE_FIELD, type WitnessMoney } from '../records/witness-money.ts';
import type { News } from './news.ts';

/** The facts of a record that its news carries. */
export interface ForwardedRecord {
  readonly kind: RecordKind;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly confirmedAtMs: number | null;
  readonly facts: Fields;
  readonly details: Fields;
  readonly money: WitnessMoney;
  readonly times: Times;
}

/** What a row of the outbox says, read when its body is built. */
export interface NewsFacts {
  readonly webhookId: string;
  readonly type: string;
  readonly environment: Environment;
  readonly kind: EventKind;
  readonly reference: string;
  /** A move of the confirmed status; null for a received event. */
  readonly move: {
    readonly to: string;
    readonly from: string | null;
    readonly atMs: number;
    readonly n: number;
  } | null;
  /** A received event: the reported status before it, and its `updated_at` as in its key. */
  readonly event: { readonly previous: string | null; readonly updatedAt: string } | null;
  /** Null for an event that makes no record. */
  readonly record: ForwardedRecord | null;
  readonly openFindings: readonly FindingCode[];
  readonly supersedes: readonly string[];
  readonly missing: readonly string[];
  readonly replayed: boolean;
}

/** Returns the payload; its members are in the documented order, all of them always there. Pure. */
export function newsOf(facts: NewsFacts): News {
  const { move, event, record } = facts;
  const news = {
    id: facts.webhookId,
    type: facts.type,
    environment: facts.environment,
    kind: facts.kind,
    reference: facts.reference,
    reported: record?.reported ?? null,
    confirmed: move === null ? (record?.confirmed ?? null) : move.to,
    confirmedAt: isoTime(move === null ? (record?.confirmedAtMs ?? null) : move.atMs),
    previous: move === null ? (event?.previous ?? null) : move.from,
    findings: [...new Set(facts.openFindings)].sort(compareTexts),
    data: record === null ? null : dataOf(record),
    supersedes: facts.supersedes,
    missing: facts.missing,
    replayed: facts.replayed,
    n: move === null ? null : move.n,
    ...(event !== null && { updatedAt: event.updatedAt }),
  };
  return news as News; // a record has the fields of its kind, and a status of the service is a text
}

/** Returns the bytes that are signed and sent. `eventBody`: undefined unless the target wants it. */
export function newsBytes(news: News, eventBody: Uint8Array | null | undefined): Uint8Array {
  const body = eventBody === undefined ? {} : { body: eventBody && Buffer.from(eventBody).toString('base64') };
  return Buffer.from(JSON.stringify({ ...news, ...body }));
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function dataOf(record: ForwardedRecord) {
  const { amount, currency, by, disputed } = countedAmount(record);
  const { reported, confirmed } = record.money;
  return {
    facts: textsOf(record.facts),
    details: textsOf(record.details),
    amount: { amount: showValue(amount), currency, by, disputed },
    money: { reported: textsOf(reported), confirmed: textsOf(confirmed) },
    fee: showValue(countedMoney(record, FEE_FIELD[record.kind])),
    times: record.times,
  };
}

function textsOf(fields: Fields): Record<string, string | null> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, showValue(value ?? null)]));
}
