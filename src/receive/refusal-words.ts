import { printableLine } from '../domain/text/printable.ts';
import { faultText, type StoreFault } from '../store/error.ts';
import type { RefusalReason } from './refusals.ts';

/** Why a request was refused or a delivery not kept, in a clause, and what to do about it. ENVIRONMENT stands for that of the run. */
export type RefusalWords = readonly [why: string, next: string];

/** The words of a reason; `path`: as it was requested. */
export function refusalWords(reason: string, path: string): RefusalWords {
  const [why, next] = REASONS[reason] ?? wordsOfFault(reason) ?? [reason, SEE_ONE];
  return [why.replace('PATH', () => printableLine(path)), next];
}

function wordsOfFault(fault: string): RefusalWords | undefined {
  const next: string | undefined = NEXT_AFTER_FAULT[fault as StoreFault];
  return next === undefined ? undefined : [faultText(fault), next];
}

const SEE_ONE = 'serve --capture-failed DIR, then tallyhook verify DIR/000.body --headers DIR/000.headers';
export const THROUGH_THE_PROXY = 'Send a probe through the proxy: tallyhook doctor --public-url URL';
const KEY_CHANGED = `Has the key changed at the service? tallyhook doctor; or ${SEE_ONE}`;
const HEADERS_CHANGED = `Something on the way changes the headers. ${THROUGH_THE_PROXY}`;
const LOG_OF_MACHINES_FAILED = 'Look at the PostgreSQL server that holds the log, then: tallyhook doctor';
const DATABASE_FAILED = 'tallyhook doctor; afterwards ask for what was missed: tallyhook sweep, tallyhook backfill';

/** PATH stands for that of the latest request. */
const REASONS: Readonly<Partial<Record<string, RefusalWords>>> = {
  payload_signature_mismatch: ['signature of another key, or of another body', KEY_CHANGED],
  merchant_signature_mismatch: [
    'the public key is not that of the secret key',
    'Put the public and the secret key of one pair under keys.ENVIRONMENT, then reload serve (SIGHUP)',
  ],
  missing_merchant_signature: ['no merchantSignature came', HEADERS_CHANGED],
  key_expired: [
    'the key pair is past its notAfter',
    'Switch the service to the new key, or extend notAfter; then reload serve',
  ],
  no_keys: [
    'there is no key for them',
    'Put the key pair under keys.ENVIRONMENT (tallyhook init asks for it), then reload serve (SIGHUP)',
  ],
  missing_payload_signature: ['no payloadSignature came', HEADERS_CHANGED],
  repeated_payload_signature: ['more than one payloadSignature came', HEADERS_CHANGED],
  malformed_payload_signature: ['the payloadSignature is not 128 hexadecimal characters', HEADERS_CHANGED],
  repeated_merchant_signature: ['more than one merchantSignature came', HEADERS_CHANGED],
  malformed_merchant_signature: ['the merchantSignature is not 128 hexadecimal characters', HEADERS_CHANGED],
  body_is_public_key: ['a merchantSignature that was seen before, repeated', 'Nothing: a stranger sends this'],
  unknown_path: [
    'they come to PATH, which is no path of webhooks',
    'Correct the webhook URL at the service: it must end in /webhooks/test or /webhooks/live',
  ],
  method: ['they do not come by POST', `A redirect turns POST into GET: is the URL https? ${THROUGH_THE_PROXY}`],
  content_encoding: ['a proxy compresses them', 'Switch off the compression of request bodies in the proxy'],
  body_too_large: ['larger than receiver.bodyLimitBytes', 'Raise receiver.bodyLimitBytes, then restart serve'],
  bodies_limit: [
    'unfinished bodies fill receiver.bodiesLimitBytes',
    'Raise receiver.bodiesLimitBytes, or stop the sender of unfinished bodies: tallyhook stats names the refusals',
  ],
  headers_too_large: ['headers over 16 kB', `Does a proxy add many headers? Make it send fewer. ${THROUGH_THE_PROXY}`],
  request_timeout: [
    'they arrive too slowly',
    'Look at the network between proxy and serve; or raise receiver.requestTimeoutMs and headersTimeoutMs',
  ],
  not_http: ['they are not HTTP', 'Does the sender use https:// without a proxy that ends TLS? Put one before serve'],
} satisfies Record<RefusalReason, RefusalWords>;

const NEXT_AFTER_FAULT = {
  busy: 'End the program that holds it; lines of serve name its process (delivery not kept)',
  disk_full: 'Free some space, then ask for what was missed: tallyhook sweep, tallyhook backfill',
  read_only: 'Make its file, folder and file system writable, then: tallyhook sweep, tallyhook backfill',
  queue_full: 'Is the disk slow? Look at tallyhook_ack_seconds; or raise receiver.queueLimit',
  backlog_full: 'Why does the database not carry the log out? See: tallyhook status; or raise receiver.backlogBytes',
  closing: 'Start it: tallyhook serve',
  io: DATABASE_FAILED,
  corrupt: DATABASE_FAILED,
  replaced: DATABASE_FAILED,
  no_folder: DATABASE_FAILED,
  no_access: DATABASE_FAILED,
  no_database: DATABASE_FAILED,
  wrong_log: DATABASE_FAILED,
  crashed: DATABASE_FAILED,
  unfit_file_system: DATABASE_FAILED,
  newer_schema: DATABASE_FAILED,
  older_schema: DATABASE_FAILED,
  changed_schema: DATABASE_FAILED,
  locked: 'Wait for it to end, then: tallyhook sweep, tallyhook backfill',
  period_closed: 'Read the log of serve (delivery not kept), then: tallyhook doctor',
  audit_key: 'Put the file back that audit.key names',
  not_proven: 'Read the log of serve (delivery not kept), then: tallyhook doctor',
  not_allowed: 'Read the log of serve (delivery not kept), then: tallyhook doctor',
  not_fresh: 'Read the log of serve (delivery not kept), then: tallyhook doctor',
  not_approved: 'Read the log of serve (delivery not kept), then: tallyhook doctor',
  cluster_unreachable: LOG_OF_MACHINES_FAILED,
  cluster_unsafe: LOG_OF_MACHINES_FAILED,
  cluster_unconfirmed: LOG_OF_MACHINES_FAILED,
  diverged: LOG_OF_MACHINES_FAILED,
  beside_log: LOG_OF_MACHINES_FAILED,
  fell_behind: LOG_OF_MACHINES_FAILED,
  cluster_refused: LOG_OF_MACHINES_FAILED,
  other: 'Read the log of serve (delivery not kept), then: tallyhook doctor',
} as const satisfies Record<StoreFault, string>;
