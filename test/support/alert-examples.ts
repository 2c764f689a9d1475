import type { Condition } from '../../src/domain/alerts/alert.ts';
import type { AlertCause } from '../../src/domain/alerts/alert-cause.ts';
import { NODE_ROLES } from '../../src/domain/cluster/node-role.ts';
import type { AlertFactsNow } from '../../src/jobs/alert-facts.ts';
import { conditionsOf } from '../../src/jobs/conditions.ts';
import type { JobState } from '../../src/store/jobs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const NOW_MS = Date.parse('2026-11-20T21:52:00Z');
export const STUCK_RECORDS = 12;

const backup = {
  ...{
    job: 'backup',
    schedule: '30 2 * * *',
    zone: 'UTC',
    nextRunAtMs: NOW_MS,
    held: null,
    freeSinceMs: null,
    doneAtMs: NOW_MS - DAY_MS,
  },
  last: {
    run: 1,
    cause: 'schedule',
    holder: 'x',
    plannedAtMs: null,
    startedAtMs: NOW_MS,
    finishedAtMs: NOW_MS,
    outcome: 'failed',
    detail: 'x',
  },
} as const satisfies JobState;
const live = 'live' as const;
const channel = {
  ...{
    environment: live,
    kind: 'refund' as const,
    records: 90,
    truncated: false,
    settled: 80,
    byWebhook: 60,
    bySweep: 20,
  },
  ...{ sweepShare: 0.25, repaired: 3, delays: { count: 0, p50Ms: null, p95Ms: null }, problems: [] },
  ...{ lastReceivedAtMs: NOW_MS - 3 * HOUR_MS, usualGapMs: 10 * MINUTE_MS, silentForMs: 3 * HOUR_MS },
} as const;

/** Facts of an installation in which everything is wrong at once. */
export const EVERYTHING_WRONG: AlertFactsNow = {
  expectServe: true,
  eclipsed: [],
  serve: {
    pid: 7,
    database: '1:2',
    roles: NODE_ROLES,
    behindFault: 'busy',
    outage: { fault: 'disk_full', fromMs: NOW_MS - HOUR_MS, lastAtMs: NOW_MS, deliveries: 58_976, keptAgainAtMs: null },
  },
  keyPairs: [
    {
      id: 'live-1',
      environment: live,
      publicKey: 'pk_live_x',
      secretKey: null as never,
      notAfter: new Date(NOW_MS + HOUR_MS).toISOString(),
    },
    { id: 'live-2', environment: live, publicKey: 'pk_live_y', secretKey: null as never, notAfter: null },
  ],
  system: {
    ...{
      nowMs: NOW_MS,
      receivers: [],
      arrivals: [],
      waiting: { deliveries: 0, sinceMs: null },
      aside: { deliveries: 0, sinceMs: null },
      lockHolder: null,
      due: [],
      keyRefused: [],
      serviceFailing: [],
      jobs: [backup],
      alerts: [],
    },
    refused: { count: 0, lastAtMs: null, notKept: { count: 0, lastAtMs: null }, runs: [] },
    findings: [
      { environment: live, kind: 'refund', code: 'variant', open: 2 },
      { environment: live, kind: 'refund', code: 'tie', open: 1 },
      { environment: live, kind: 'payout', code: 'absent', open: 4 },
      { environment: live, kind: 'payout', code: 'stuck', open: 99 },
    ],
    stuck: [
      { environment: live, kind: 'refund', records: STUCK_RECORDS - 2 },
      { environment: live, kind: 'payout', records: 2 },
    ],
    stuckAtLeast: true,
    storage: { databaseBytes: 1, logBytes: 3e8, disk: { freeBytes: 1e6, totalBytes: 1e9, freeFiles: 9 } },
    soundness: { damage: ['events 8: its sum differs'], finishedAtMs: null },
  },
  problems: [
    { code: 'damaged', damage: ['events 8: its sum differs'] },
    {
      code: 'serve_not_running',
      last: {
        holder: 'serve on box, process 7',
        pid: 7,
        startedAtMs: 0,
        seenAtMs: NOW_MS - HOUR_MS,
        stoppedAtMs: null,
        isGone: true,
        isThere: false,
      },
    },
    { code: 'disk_low', disk: { freeBytes: 1e6, totalBytes: 1e9, freeFiles: 9 }, shortage: 'full' },
    {
      ...{ code: 'deliveries_refused', environment: live },
      run: {
        environment: live,
        likeness: 'ours',
        count: 5,
        firstAtMs: NOW_MS - HOUR_MS,
        lastAtMs: NOW_MS,
        reason: 'no_keys',
        path: '/x',
      },
    },
    { code: 'keys_missing', environment: null },
    { code: 'key_refused', environment: live, records: 4 },
    {
      ...{ code: 'service_down', environment: live, sinceMs: NOW_MS - HOUR_MS, failedAtMs: NOW_MS },
      outcome: 'no_answer',
    },
    { code: 'silent', environment: live, channel },
    { code: 'sweep_share', environment: live, channel },
    { code: 'target_disabled', target: 'ledger', sinceMs: NOW_MS - HOUR_MS, waiting: 5 },
    { code: 'dead_letter', target: 'shop', rows: 2 },
    {
      ...{ code: 'forwarding_behind', target: 'books', rows: 9041, sinceMs: NOW_MS - HOUR_MS },
      ...{ comePerSecond: 75.2, takenPerSecond: 30.1 },
    },
    { code: 'forwarding_late', target: 'books', rows: 3, sinceMs: NOW_MS - HOUR_MS },
    { code: 'job_failed', job: backup },
    { code: 'job_overdue', job: backup, lateMs: HOUR_MS },
    { code: 'backup_old', doneAtMs: NOW_MS - 2 * DAY_MS, missedAtMs: NOW_MS - DAY_MS },
    { code: 'checks_overdue', environment: live, records: 7, oldestDueAtMs: NOW_MS - HOUR_MS, isSwept: true },
    { code: 'stuck', records: STUCK_RECORDS, atLeast: true },
    { code: 'findings', open: 7, codes: new Map() },
    { code: 'audit_key_lost', file: '/k' },
    { code: 'key_expires', environment: live, keyId: 'live-1', atMs: NOW_MS + HOUR_MS },
    { code: 'cluster_unreachable', reason: 'PostgreSQL at db:5432 does not answer.', next: 'Start it' },
    {
      ...{ code: 'cluster_unsafe', server: 'db:5432', reason: 'no_replica' },
      ...{ text: 'it waits for no replica', next: 'set synchronous_standby_names' },
    },
    {
      code: 'diverged',
      node: 'two',
      reason: null,
      text: 'has other rows than most nodes',
      next: 'tallyhook cluster status',
    },
    { code: 'acts_lost', file: '/var/lib/tallyhook/lost-120.ndjson' },
    {
      code: 'behind',
      node: null,
      deliveries: 9_000,
      sinceMs: NOW_MS - HOUR_MS,
      fault: 'busy',
      holder: { pid: 4711, program: 'sqlite3' },
    },
    { code: 'aside', deliveries: 3, sinceMs: NOW_MS - HOUR_MS },
    { code: 'log_large', logBytes: 3e8 },
  ],
  signals: {
    refused: [
      { reason: 'payload_signature_mismatch', count: 25, lastAtMs: NOW_MS },
      { reason: 'missing_payload_signature', count: 5, lastAtMs: NOW_MS },
      { reason: 'body_too_large', count: 3, lastAtMs: NOW_MS - HOUR_MS },
      { reason: 'content_encoding', count: 2, lastAtMs: NOW_MS - HOUR_MS },
    ],
    quarantined: [{ environment: live, events: 6, lastAtMs: NOW_MS - HOUR_MS }],
    keysUsed: [{ keyId: 'live-1', events: 3, lastAtMs: NOW_MS - MINUTE_MS }],
    logins: { accounts: 1, addresses: 2, lastAtMs: NOW_MS - MINUTE_MS },
    resets: { count: 1, lastAtMs: NOW_MS - MINUTE_MS },
    marks: { bad_signatures: { sinceMs: NOW_MS - MINUTE_MS, base: 1, burstAtMs: null, rose: 0 } },
  },
  unconfirmed: [{ kind: 'payout', environment: live, because: 'unproven', records: 8, atLeast: true }],
  books: {
    unexplained: [
      {
        ...{ environment: live, account: 'wallet-main', currency: 'NGN', amount: '12.50' },
        from: '2026-10-01',
        to: '2026-10-31',
      },
    ],
    missing: [{ environment: live, account: 'bank-main', until: '2026-11-05', statements: 2, days: 15 }],
    overdue: [{ environment: live, exceptions: 9 }],
    late: [{ set: 'live', period: '2026-10', to: '2026-10-31', dueDay: '2026-11-13' }],
  },
  clockOffsetMs: -45_000,
};

/** One condition of every cause, with the facts that its rule gives. */
export const EXAMPLES = Object.fromEntries(
  conditionsOf(EVERYTHING_WRONG).conditions.map((condition) => [condition.cause, condition]),
) as Readonly<Record<AlertCause, Condition>>;
