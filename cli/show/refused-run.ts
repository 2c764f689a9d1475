import type { Environment } from '../../src/domain/environment.ts';
import { printableLine } from '../../src/domain/printable.ts';
import type { RefusedRun } from '../../src/domain/refused-run.ts';
import type { RefusalReason } from '../../src/receive/refusals.ts';
import type { StoreFault } from '../../src/store/error.ts';

type At = (ms: number) => string;

/** Deliveries that are refused or not kept: how many since when, why, and what to do about this reason. */
export function refusedRunText(run: RefusedRun, { environment, at }: { environment: Environment; at: At }) {
  const [why, next] = reasonOf(run);
  return {
    text: `${environment}: ${whatText(run)} since ${at(run.firstAtMs)}: ${why}`,
    next: next.replaceAll('ENVIRONMENT', environment),
  };
}

function whatText(run: RefusedRun): string {
  const { likeness, count } = run;
  const deliveries = count === 1 ? 'delivery' : 'deliveries';
  if (likeness === 'ours') return `${count} authentic ${deliveries} refused`;
  if (likeness === 'not_kept') return `${count} authentic ${deliveries} answered 503 or 500, and none kept`;
  if (isOtherBody(run)) return `${count} requests with our merchantSignature and another body`;
  if (likeness === 'merchant_only') return `${count} requests with our merchantSignature refused`;
  return `${count} of the last ${count} deliveries refused`;
}

/** Our merchantSignature came, and the payloadSignature is not that of the body. */
function isOtherBody({ likeness, reason }: RefusedRun): boolean {
  return likeness === 'merchant_only' && reason === 'payload_signature_mismatch';
}

type Reason = readonly [why: string, next: string];

function reasonOf(run: RefusedRun): Reason {
  if (isOtherBody(run)) return OTHER_BODY;
  const [why, next] = REASONS[run.reason] ?? [run.reason, SEE_ONE];
  return [why.replace('PATH', () => printableLine(run.path)), next];
}

const SEE_ONE = 'serve --capture-failed DIR, then tallyhook verify DIR/000.body --headers DIR/000.headers';
const THROUGH_THE_PROXY = 'Send a probe through the proxy: tallyhook doctor --public-url URL';
const KEY_CHANGED = `Has the key changed at the service? tallyhook doctor; or ${SEE_ONE}`;
const HEADERS_CHANGED = `Something on the way changes the headers. ${THROUGH_THE_PROXY}`;
const DATABASE_FAILED = 'tallyhook doctor; afterwards ask for what was missed: tallyhook sweep, tallyhook backfill';

const OTHER_BODY: Reason = ['a proxy changes the body, or a stranger repeats the header', THROUGH_THE_PROXY];

/** Why, in a clause, and what to do. PATH and ENVIRONMENT stand for those of the run. */
const REASONS: Readonly<Partial<Record<string, Reason>>> = {
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
  busy: [
    'another program held the lock of the database',
    'End the program that has the database open; tallyhook doctor',
  ],
  disk_full: ['the disk is full', 'Free some space, then ask for what was missed: tallyhook sweep, tallyhook backfill'],
  read_only: [
    'the database cannot be written',
    'Make its file, folder and file system writable, then: tallyhook sweep, tallyhook backfill',
  ],
  queue_full: [
    'more waited than receiver.queueLimit',
    'Is the disk slow? Look at tallyhook_ack_seconds; or raise receiver.queueLimit',
  ],
  closing: ['serve was stopping', 'Start it: tallyhook serve'],
  io: ['the disk failed', DATABASE_FAILED],
  corrupt: ['the database is damaged', DATABASE_FAILED],
  replaced: ['the file of the database was moved or deleted', DATABASE_FAILED],
  no_folder: ['the folder of the database is gone', DATABASE_FAILED],
  no_access: ['the database cannot be opened', DATABASE_FAILED],
  no_database: ['the database is gone', DATABASE_FAILED],
  newer_schema: ['the database is of a newer version', DATABASE_FAILED],
  older_schema: ['the database is of an older version', DATABASE_FAILED],
  locked: ['tallyhook restore had the database', 'Wait for it to end, then: tallyhook sweep, tallyhook backfill'],
  period_closed: [
    'a closed period was to be changed',
    'Read the log of serve (delivery not kept), then: tallyhook doctor',
  ],
  audit_key: ['the key of the audit chain is gone', 'Put the file back that audit.key names'],
  other: ['the receiver failed', 'Read the log of serve (delivery not kept), then: tallyhook doctor'],
} satisfies Record<RefusalReason | StoreFault, Reason>;
