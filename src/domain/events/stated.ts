import { readTimestamp } from '../../time/timestamp.ts';
import { COLLECTION_FIELDS } from '../records/collection.ts';
import { type Fields, type FieldTable, keptText, readFields } from '../records/fields.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import { canonicalAccount, PAYOUT_FIELDS } from '../records/payout.ts';
import { REFUND_FIELDS } from '../records/refund.ts';
import { instantOf, readTimes, type Times } from '../records/service-times.ts';
import { keyTimestamp, type WebhookEvent } from './event.ts';
import { type Json, type JsonObject, member } from './json.ts';

export const RECORD_FIELDS = {
  refund: REFUND_FIELDS,
  payout: PAYOUT_FIELDS,
  collection: COLLECTION_FIELDS,
} as const satisfies Record<RecordKind, FieldTable>;

/** The status, time and fields that one witness gives for a record, read from one content. */
export interface Stated {
  /** Null when the content has no status, or contradicts itself. */
  readonly status: string | null;
  /** The signed `updated_at` in UTC, else null; never our own time. */
  readonly time: string | null;
  readonly facts: Fields;
  readonly details: Fields;
  /** The service's own times, `updated_at` among them. */
  readonly times: Times;
  /** Names of the amount and currency fields that could not be read. */
  readonly unreadable: readonly string[];
  /** The event's name and its `data.status` disagree. */
  readonly contradiction: boolean;
  /** The content names the other environment; it states nothing else. Missing: it does not. */
  readonly otherEnvironment?: true;
}

const MAX_STATUS_LENGTH = 100;

/** Returns what a webhook states, or null when the event makes no observation. `zone`: of zone-less times (decisions 87). */
export function statedOfEvent(event: WebhookEvent, zone: string): Stated | null {
  if (!isObserved(event)) return null;
  const { status, contradiction } = statusOf(event);
  // The key was made from the same `updated_at`, so it is not parsed again.
  const time = instantOf(keyTimestamp(event), zone);
  return { status, time, ...readContent(event.kind, event.data, { zone, updated: time }), contradiction };
}

/** Returns the `status` of `statedOfEvent` alone; null also when the event makes no observation. */
export function statedStatus(event: WebhookEvent): string | null {
  return isObserved(event) ? statusOf(event).status : null;
}

type ObservedEvent = WebhookEvent & { readonly kind: RecordKind; readonly data: JsonObject };

function isObserved(event: WebhookEvent): event is ObservedEvent {
  return event.state === 'observed' && event.kind !== 'unknown' && event.data !== null;
}

function statusOf({ event, kind, data }: ObservedEvent): Pick<Stated, 'status' | 'contradiction'> {
  const inData = statusText(member(data, 'status'));
  const inName = statusOfName(event);
  const named = inName === 'successful' && kind !== 'refund' ? 'success' : inName;
  const agree = inData === inName || inData === named || (inData === 'completed' && named === 'success');
  const contradiction = inData !== null && named !== null && !agree;
  return { status: contradiction ? null : (inData ?? named), contradiction };
}

/** Returns what a `data` object from any witness states. */
export function readStated(kind: RecordKind, data: JsonObject, zone: string): Stated {
  const status = statusText(member(data, 'status'));
  const updated = member(data, 'updated_at');
  const time = typeof updated === 'string' ? instantOf(readTimestamp(updated), zone) : null;
  return { status, time, ...readContent(kind, data, { zone, updated: time }), contradiction: false };
}

function readContent(
  kind: RecordKind,
  data: JsonObject,
  clock: { readonly zone: string; readonly updated: string | null },
): Pick<Stated, 'facts' | 'details' | 'times' | 'unreadable'> {
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
    times: readTimes(data, table.times, clock),
    unreadable: facts.unreadable.concat(details.unreadable),
  };
}

function statusText(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? keptText(value, MAX_STATUS_LENGTH) : null;
}

/** Returns the status in an event's name: `refund.failed`, `payout.successful`, `payment.success`. */
function statusOfName(event: string): string | null {
  const status = event.split('.')[1] ?? '';
  // A name that cannot be a key was replaced by its digest, which holds no status.
  return status === '' || status.startsWith('sha256:') ? null : status.slice(0, MAX_STATUS_LENGTH);
}
