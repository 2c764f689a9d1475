import type { Environment } from '../../src/domain/environment.ts';
import type { Outage } from '../../src/domain/outage.ts';
import { printableLine } from '../../src/domain/printable.ts';
import type { RefusedRun } from '../../src/domain/refused-run.ts';
import type { RefusalReason } from '../../src/receive/refusals.ts';
import { faultText, type StoreFault } from '../../src/store/error.ts';

type At = (ms: number) => string;

/** Deliveries that are refused or not kept: how many since when, why, and what to do about this reason. */
export function refusedRunText(run: RefusedRun, { environment, at }: { environment: Environment; at: At }) {
  const [why, next] = reasonOf(run);
  return {
    text: `${environment}: ${whatText(run)} since ${at(run.firstAtMs)}: ${why}`,
    next: next.replaceAll('ENVIRONMENT', environment),
  };
}

/** Deliveries that cannot be kept now: how many, since when, why, and what to do. */
export function outageText({ fault, fromMs, lastAtMs, deliveries, keptAgainAtMs }: Outage, at: At) {
  const [why, next] = reasonOfFault(fault) ?? [fault, SEE_ONE];
  const counted = `${deliveries} since ${at(fromMs)}, the last ${at(lastAtMs)}`;
  const text =
    keptAgainAtMs === null
      ? `Deliveries are refused now: ${why}; ${counted}`
      : `Deliveries were refused until just now: ${why}; ${counted}`;
  return { text, next };
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
  const [why, next] = REASONS[run.reason] ?? reasonOfFault(run.reason) ?? [run.reason, SEE_ONE];
  return [why.replace('PATH', () => printableLine(run.path)), next];
}

function reasonOfFault(fault: string): Reason | undefined {
  const next: string | undefined = NEXT_AFTER_FAULT[fault as StoreFault];
  return next === undefined ? undefined : [faultText(fault), next];
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
} satisfies Record<RefusalReason, Reason>;

const NEXT_AFTER_FAULT = {
  busy: 'End the program that has the database open; tallyhook doctor',
  disk_full: 'Free some space, then ask for what was missed: tallyhook sweep, tallyhook backfill',
  read_only: 'Make its file, folder and file system writable, then: tallyhook sweep, tallyhook backfill',
  queue_full: 'Is the disk slow? Look at tallyhook_ack_seconds; or raise receiver.queueLimit',
  closing: 'Start it: tallyhook serve',
  io: DATABASE_FAILED,
  corrupt: DATABASE_FAILED,
  replaced: DATABASE_FAILED,
  no_folder: DATABASE_FAILED,
  no_access: DATABASE_FAILED,
  no_database: DATABASE_FAILED,
  unfit_file_system: DATABASE_FAILED,
  newer_schema: DATABASE_FAILED,
  older_schema: DATABASE_FAILED,
  changed_schema: DATABASE_FAILED,
  locked: 'Wait for it to end, then: tallyhook sweep, tallyhook backfill',
  period_closed: 'Read the log of serve (delivery not kept), then: tallyhook doctor',
  audit_key: 'Put the file back that audit.key names',
  other: 'Read the log of serve (delivery not kept), then: tallyhook doctor',
} as const satisfies Record<StoreFault, string>;
