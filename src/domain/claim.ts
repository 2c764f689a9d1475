import { localToInstant, readTimestamp, type Timestamp } from '../time/timestamp.ts';
import { COLLECTION_FIELDS } from './collection.ts';
import { keyTimestamp, type WebhookEvent } from './event.ts';
import { type Fields, type FieldTable, keptText, readFields } from './fields.ts';
import { type Json, type JsonObject, member } from './json.ts';
import type { RecordKind } from './lifecycle.ts';
import { canonicalAccount, PAYOUT_FIELDS } from './payout.ts';
import { REFUND_FIELDS } from './refund.ts';

export const RECORD_FIELDS = {
  refund: REFUND_FIELDS,
  payout: PAYOUT_FIELDS,
  collection: COLLECTION_FIELDS,
} as const satisfies Record<RecordKind, FieldTable>;

/** What one witness says of a record, read from one content. */
export interface Claim {
  /** Null when the content names none, or contradicts itself. */
  readonly status: string | null;
  /** The signed `updated_at` in UTC, else null; never a time of ours. */
  readonly time: string | null;
  readonly facts: Fields;
  readonly details: Fields;
  /** Names of the amount fields that could not be read. */
  readonly unreadable: readonly string[];
  /** The event's name and its `data.status` say different things. */
  readonly contradiction: boolean;
}

const MAX_STATUS_LENGTH = 100;

/** What a webhook claims. `zone` reads zone-less times (decisions 87). Null when the event makes no observation. */
export function claimOfEvent(event: WebhookEvent, zone: string): Claim | null {
  if (event.state !== 'observed' || event.kind === 'unknown' || event.data === null) return null;
  const said = statusText(member(event.data, 'status'));
  const word = statusWord(event.event);
  const named = word === 'successful' && event.kind !== 'refund' ? 'success' : word;
  const agree = said === word || said === named || (said === 'completed' && named === 'success');
  const contradiction = said !== null && named !== null && !agree;
  const status = contradiction ? null : (said ?? named);
  // Of the same `updated_at`, which reading the key has read already.
  const time = instantOf(keyTimestamp(event), zone);
  return { status, time, ...readContent(event.kind, event.data), contradiction };
}

/** What a `data` object claims, whoever sent it. */
export function readClaim(kind: RecordKind, data: JsonObject, zone: string): Claim {
  const status = statusText(member(data, 'status'));
  const time = timeOf(member(data, 'updated_at'), zone);
  return { status, time, ...readContent(kind, data), contradiction: false };
}

function readContent(kind: RecordKind, data: JsonObject): Pick<Claim, 'facts' | 'details' | 'unreadable'> {
  const table: FieldTable = RECORD_FIELDS[kind];
  const facts = readFields(data, table.facts);
  const details = readFields(data, table.details);
  const { accountNumber, currency } = facts.fields;
  if (typeof accountNumber === 'string') {
    facts.fields.accountNumber = canonicalAccount(accountNumber, typeof currency === 'string' ? currency : null);
  }
  return {
    facts: facts.fields,
    details: details.fields,
    unreadable: facts.unreadable.concat(details.unreadable),
  };
}

function statusText(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? keptText(value, MAX_STATUS_LENGTH) : null;
}

/** The status that an event's own name carries: `refund.failed`, `payout.successful`, `payment.success`. */
function statusWord(event: string): string | null {
  const word = event.split('.')[1] ?? '';
  // A name too odd to be a key was replaced by its digest, which says nothing.
  return word === '' || word.startsWith('sha256:') ? null : word.slice(0, MAX_STATUS_LENGTH);
}

function timeOf(value: Json | undefined, zone: string): string | null {
  return typeof value === 'string' ? instantOf(readTimestamp(value), zone) : null;
}

function instantOf(time: Timestamp, zone: string): string | null {
  if (time.kind === 'unreadable') return null;
  return time.kind === 'local' ? localToInstant(time.text, zone) : time.text;
}
