/*
 * Glossary. One word for one thing, in code, SQL, CLI, logs and docs.
 *
 * environment   `test` or `live`; that of the key pair that verified the delivery
 * key pair      public key + secret key, with an id and optional `notAfter`; several may be active (rotation)
 * delivery      one HTTP request on a webhook path
 * event         the content of a delivery; unique by (environment, event, reference, updatedAt)
 * variant       another content under an event's key; no arrival has privilege over another
 * quarantined   an authentic event that makes no observation
 * record        what we know of one refund, payout or collection
 * observation   what one witness (`webhook`, `api`, `request`, `list`) states about a record: status, time and fields
 * answer        a usable response of the status endpoint (witness `api`)
 * reported      the status by webhooks
 * confirmed     the status by the service's status endpoint
 * settled       the outcome is reached; a settled record is never stuck. Settled but not final: watched for a time
 * final         a status that nothing leaves
 * finding       something about one record that a person or the service must clear up; opens and closes by itself
 * tracked       a reference that the merchant expects, so that its absence can be noticed
 * unproven      a verification endpoint that has never given a usable answer
 * due           a record whose next check time has come
 * status check  (check) one request to the service about one record, and its result
 * lease         a check or job taken by one worker until a time; after that time its result is refused
 * sweep         check every due record
 * backfill      walk the service's lists to find records without a webhook
 * claim         money that a person asks back from the service: an exception resolved as `claim`, until a line pays it
 * standing      where a record stands, as `why` concludes it: awaited, open, stuck, settled, final …; of a row of ours, on a day
 * place         a position in an order or a file, such as a statement's row; `to place` a record is to give it its day
 * row           one entry of a table or a list: of the database, a file, a sheet, a report. A file's row, once read, is a line
 */

import { readTimestamp, type Timestamp } from '../../time/timestamp.ts';
import type { Environment } from '../environment.ts';
import { RECORD_KINDS } from '../records/lifecycle.ts';
import { withTimesInUtc } from './content-times.ts';
import {
  canonicalDigest,
  encryptedPayload,
  isObject,
  type Json,
  type JsonObject,
  member,
  type ParsedBody,
  parseBody,
  sha256,
} from './json.ts';
import { isKeyText, namesOtherEnvironment, objectsToRecord, referenceOf } from './naming.ts';

export const EVENT_KINDS = [...RECORD_KINDS, 'unknown'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** `observed`: makes an observation. `unknown`: authentic, of an unknown kind. `quarantined`: see the glossary. */
export const EVENT_STATES = ['observed', 'unknown', 'quarantined'] as const;
export type EventState = (typeof EVENT_STATES)[number];

export const QUARANTINE_REASONS = ['unreadable_body', 'no_reference', 'other_environment'] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

/** The dedupe key, together with the environment (decision 18). */
export interface EventKey {
  readonly event: string;
  readonly reference: string;
  readonly updatedAt: string;
}

export interface WebhookEvent extends EventKey {
  readonly kind: EventKind;
  readonly state: EventState;
  readonly quarantine: QuarantineReason | null;
  /** The event's `data` object; null when the body is unreadable or has none. */
  readonly data: JsonObject | null;
}

/** Prefixes of key parts that differ from the text that was sent: a time without a zone, and a digest. */
const LOCAL = 'local:';
const DIGEST = 'sha256:';

/** Decrypts a payload; null when it was not made with the merchant's key. */
export type PayloadDecoder = (payload: string) => Uint8Array | null;

/**
 * Returns the event of an authentic body. Never throws: a body that cannot be read is quarantined, not refused. A body
 * that is exactly `{"data":"<string>"}` is decrypted with `decode`, if given; its signature was checked before
 * (decision 86).
 */
export function readEvent(body: Uint8Array, environment: Environment, decode?: PayloadDecoder): WebhookEvent {
  const parsed = parseInner(parseBody(body), decode);
  if (!parsed.ok || !isObject(parsed.value)) {
    const digest = `${DIGEST}${parsed.ok ? canonicalDigest(parsed.value) : sha256(body)}`;
    const key = { event: 'unreadable', reference: digest, updatedAt: digest };
    return { ...key, kind: 'unknown', state: 'quarantined', quarantine: 'unreadable_body', data: null };
  }
  return classify(parsed.value, environment);
}

function parseInner(parsed: ParsedBody, decode: PayloadDecoder | undefined): ParsedBody {
  const payload = decode === undefined || !parsed.ok ? null : encryptedPayload(parsed.value);
  const bytes = payload === null ? null : (decode?.(payload) ?? null);
  return bytes === null ? parsed : parseBody(bytes);
}

/**
 * Returns the sha256 (hex) that all encodings of one content share, also all spellings of its instants; of the raw bytes when
 * the body is unreadable.
 */
export function contentDigest(body: Uint8Array): string {
  const parsed = parseBody(body);
  return parsed.ok ? digestOf(parsed.value) : sha256(body);
}

function digestOf(content: Json): string {
  return canonicalDigest(withTimesInUtc(content));
}

function classify(root: JsonObject, environment: Environment): WebhookEvent {
  const { kind, event } = nameOf(root);
  const content = member(root, 'data');
  const data = isObject(content) ? content : null;
  const named = data === null ? null : referenceOf(data, kind);
  const time = updatedAtOf(data);
  const digest = named === null || time === null ? `${DIGEST}${digestOf(root)}` : '';
  const reference = named ?? digest;
  const updatedAt = time ?? digest;
  const isOther = namesOtherEnvironment(objectsToRecord(root, 'unknown'), environment);
  const quarantine = named === null ? 'no_reference' : isOther ? 'other_environment' : null;
  const state = quarantine !== null ? 'quarantined' : kind === 'unknown' ? 'unknown' : 'observed';
  return { event, reference, updatedAt, kind, state, quarantine, data };
}

/** Interface 6.2, 6.3 and the collection shapes A, B, C of decisions, part 1. */
function nameOf(root: JsonObject): { kind: EventKind; event: string } {
  const event = nameText(member(root, 'event'));
  const notify = nameText(member(root, 'notify'));
  const type = nameText(member(root, 'type'));
  if (event !== null) {
    const kind = event.startsWith('refund.') ? 'refund' : event === 'transaction' ? 'collection' : 'unknown';
    return { kind, event };
  }
  if (notify !== null) {
    const notifyType = nameText(member(root, 'notifyType'));
    const kind = notify === 'payout' ? 'payout' : notify === 'transaction' ? 'collection' : 'unknown';
    return { kind, event: notifyType === null ? notify : `${notify}.${notifyType}` };
  }
  if (type !== null) return { kind: type.startsWith('payment.') ? 'collection' : 'unknown', event: type };
  return { kind: 'unknown', event: 'unknown' };
}

function nameText(value: Json | undefined): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return isKeyText(value) ? value : `${DIGEST}${sha256(JSON.stringify(value))}`;
}

/** Returns the timestamp in the `updatedAt` of an event's key; `unreadable` when it is a digest. */
export function keyTimestamp({ updatedAt }: EventKey): Timestamp {
  if (updatedAt.startsWith(DIGEST)) return { kind: 'unreadable' };
  if (updatedAt.startsWith(LOCAL)) return { kind: 'local', text: updatedAt.slice(LOCAL.length) };
  return { kind: 'instant', text: updatedAt };
}

/** With an offset: UTC. Without a zone: marked local, so that a changed timeZone never changes keys. Else null. */
function updatedAtOf(data: JsonObject | null): string | null {
  const value = data === null ? undefined : member(data, 'updated_at');
  if (typeof value !== 'string') return null;
  const time = readTimestamp(value);
  if (time.kind === 'unreadable') return null;
  return time.kind === 'local' ? `${LOCAL}${time.text}` : time.text;
}
