import { RECORD_FIELDS } from '../domain/events/stated.ts';
import { type ForwardedRecord, newsBytes, newsOf } from '../domain/forwarding/forward-body.ts';
import { type ForwardMoment, KNOWN_EVENTS } from '../domain/forwarding/forward-target.ts';
import type { News } from '../domain/forwarding/news.ts';
import { parseAmount } from '../domain/money/amount.ts';
import type { Fields, FieldTable } from '../domain/records/fields.ts';
import { LIFECYCLES, RECORD_KINDS, type RecordKind } from '../domain/records/lifecycle.ts';
import type { Times } from '../domain/records/service-times.ts';
import { MONEY_FIELDS } from '../domain/records/witness-money.ts';
import type { Parcel } from './deliver.ts';

/** The type of news that is about no record. */
export const TEST_TYPE = 'tallyhook.test';

/** The types of which there is an example, for a target of each moment. */
export const EXAMPLE_TYPES: Readonly<Record<ForwardMoment, readonly string[]>> = {
  confirmed: [TEST_TYPE, ...RECORD_KINDS.flatMap((kind) => LIFECYCLES[kind].ranks.flat().map((to) => `${kind}.${to}`))],
  received: [TEST_TYPE, ...KNOWN_EVENTS],
};

/** The reference of every example: no record has it. */
const REFERENCE = 'tallyhook-test';

const AT = '2026-11-20T10:00:00';
const AT_MS = Date.parse(`${AT}Z`);

/** What the service would say of the record of an example; every other field is null. */
const TEXTS: Readonly<Record<RecordKind, Readonly<Record<string, string>>>> = {
  refund: { amount: '50.00', currency: 'USD', transactionReference: 'TX-1', fee: '0.50', totalReserved: '50.50' },
  payout: {
    ...{ amount: '250.00', currency: 'NGN', bankCode: '058', accountNumber: '0123456789', fee: '25.00' },
    ...{ accountName: 'ADA EXAMPLE', narration: 'Invoice 1' },
  },
  collection: {
    ...{ requestedAmount: '1000.00', currency: 'NGN', amount: '1000.00', fees: '15.00', channel: 'card' },
    customerEmail: 'ada@example.com',
  },
};

/** The status that a webhook reports by an event whose name does not end in it. */
const REPORTED: Readonly<Record<string, string>> = { successful: 'success', transaction: 'success' };

/** Returns signed news to send, with the body that a target of this moment would get. */
export function exampleParcel(webhookId: string, type: string, when: ForwardMoment): Parcel {
  const news = exampleNews(webhookId, type, when);
  const { environment, kind, reference } = news;
  return { webhookId, environment, kind, reference, body: newsBytes(news, undefined) };
}

/** Returns an example of a type of `EXAMPLE_TYPES`: every member of such news, about a record that does not exist. */
export function exampleNews(webhookId: string, type: string, when: ForwardMoment): News {
  const links = { openFindings: [], supersedes: [], missing: [], replayed: false };
  const about = { webhookId, type, environment: 'test', reference: REFERENCE, ...links } as const;
  if (type === TEST_TYPE) return newsOf({ ...about, kind: 'unknown', move: null, event: null, record: null });
  const [named = '', ending = ''] = type.split('.');
  const kind = RECORD_KINDS.find((one) => one === named) ?? 'collection';
  const status = when === 'confirmed' ? ending : (REPORTED[ending || named] ?? ending);
  const isConfirmed = when === 'confirmed';
  const record = exampleRecord(kind, status, isConfirmed);
  const move = isConfirmed ? { to: status, from: null, atMs: AT_MS, n: 1 } : null;
  const event = isConfirmed ? null : { previous: null, updatedAt: `${AT}Z` };
  return newsOf({ ...about, kind, move, event, record });
}

function exampleRecord(kind: RecordKind, status: string, isConfirmed: boolean): ForwardedRecord {
  const table: FieldTable = RECORD_FIELDS[kind];
  const money = fieldsOf(kind, MONEY_FIELDS[kind]);
  const none = Object.fromEntries(MONEY_FIELDS[kind].map((name) => [name, null]));
  const times: Times = Object.fromEntries(
    Object.keys(table.times).map((name) => [name, name === 'updatedAt' ? { text: `${AT}Z`, utc: `${AT}Z` } : null]),
  );
  return {
    kind,
    reported: status,
    confirmed: isConfirmed ? status : null,
    confirmedAtMs: isConfirmed ? AT_MS : null,
    facts: fieldsOf(kind, Object.keys(table.facts)),
    details: fieldsOf(kind, Object.keys(table.details)),
    money: { reported: money, confirmed: isConfirmed ? money : none },
    times,
  };
}

function fieldsOf(kind: RecordKind, names: readonly string[]): Fields {
  const { facts, details }: FieldTable = RECORD_FIELDS[kind];
  return Object.fromEntries(
    names.map((name) => {
      const text = TEXTS[kind][name];
      const form = (facts[name] ?? details[name])?.form;
      if (text === undefined) return [name, null];
      return [name, form === 'amount' || form === 'exact' ? parseAmount(text) : text];
    }),
  );
}
