import { z } from 'zod';
import type { Environment } from '../domain/environment.ts';
import { publicKeyProblem, secretKeyProblem } from '../domain/key-text.ts';
import { COLLECTION_VERSIONS } from '../domain/request.ts';
import { Secret } from '../domain/secret.ts';
import { SHORTEST_VERDICT_SECRET } from '../domain/verdict.ts';
import {
  cron,
  folder,
  hexSecret,
  numberFromText,
  onOff,
  pathTemplate,
  reporting,
  section,
  text,
  timeZone,
  waits,
  wholeNumber,
} from './settings.ts';
import { baseUrlProblem, databaseProblem, isProxyAddress, pageProblem } from './values.ts';

// The one description of tallyhook.yaml: load.ts checks files and variables against it, docs/configuration.md explains
// it, and templates/config/tallyhook.schema.json is generated from it for editors. What concerns two settings at once
// is in cross-checks.ts, so that it is reported together with everything else.

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const SHORTEST_TOKEN_LENGTH = 16;

const MEBIBYTE = 1024 * 1024;
const PROXY_RULE = 'must be false or a list of proxy addresses such as [10.0.0.0/8, loopback]';
const ID_RULE = 'must be 1 to 64 letters, digits, dots, dashes or underscores';
const TIME_RULE = 'must be an ISO 8601 time with its offset, such as 2027-01-31T00:00:00Z';
const TOKEN_RULE = `must be text of at least ${SHORTEST_TOKEN_LENGTH} characters`;
const VERDICT_RULE = `must be text of at least ${SHORTEST_VERDICT_SECRET} characters`;
const MOST_DAYS = 36_500;
const DAYS_RULE = `must be null or a whole number of days from 1 to ${MOST_DAYS}`;

/** The whole file, after `${NAME}` and `{file: …}` have been replaced by what they stand for. */
export const configSchema = z.strictObject({
  database: z
    .string('must be the path of a file')
    .superRefine(reporting(databaseProblem))
    .default('./data/tallyhook.db')
    .describe('Path of the database file, relative to the folder of this file.'),
  baseUrl: z
    .string('must be a URL')
    .superRefine(reporting(baseUrlProblem))
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null)
    .describe('Base address of the payment service; https unless it is on this machine.'),
  timeZone: timeZone().default('Africa/Lagos').describe('Time zone of timestamps that carry none.'),
  receiver: section({
    host: text('127.0.0.1', 'Address the receiver listens on.'),
    port: wholeNumber(0, 65_535, 4600, 'Port of the receiver; 0 takes any free one.'),
    bodyLimitBytes: wholeNumber(1024, 64 * MEBIBYTE, MEBIBYTE, 'Larger bodies are answered 413.'),
    strict: onOff(false, 'Refuse collection and unknown events that carry no merchantSignature.'),
    requestTimeoutMs: wholeNumber(100, 600_000, 10_000, 'A request must have arrived completely within this time.'),
    headersTimeoutMs: wholeNumber(100, 600_000, 5_000, 'The headers of a request must have arrived within this time.'),
    keepAliveTimeoutMs: wholeNumber(100, 3_600_000, 72_000, 'An idle connection is closed after this time.'),
    maxConnections: wholeNumber(1, 1_000_000, 10_000, 'Further connections are refused.'),
    queueLimit: wholeNumber(1, 10_000_000, 10_000, 'Events waiting for the disk; beyond it deliveries get 503.'),
    shutdownTimeoutMs: wholeNumber(100, 600_000, 8_000, 'Time for answering what was accepted when the program stops.'),
    captureFailed: folder(
      'Folder for deliveries whose signature failed, relative to the folder of this file, or null.',
    ),
    trustProxy: z
      .union([z.literal(false), z.array(z.string(PROXY_RULE).refine(isProxyAddress, PROXY_RULE))], PROXY_RULE)
      .default(false)
      .describe('Addresses or networks of the proxies whose X-Forwarded-For is believed, or false.'),
  }),
  admin: section({
    host: text('127.0.0.1', 'Address of the admin listener; beyond loopback it needs a token.'),
    port: wholeNumber(0, 65_535, 4601, 'Port of the admin listener; 0 takes any free one.'),
    token: z
      .string(TOKEN_RULE)
      .min(SHORTEST_TOKEN_LENGTH, TOKEN_RULE)
      .transform((token) => new Secret(token))
      .nullable()
      .default(null)
      .describe('Bearer token of the admin listener.'),
    allowedHosts: z
      .array(z.string('must be a host name').min(1, 'must be a host name'), 'must be a list of host names')
      .default([])
      .describe('Host headers the admin listener answers besides its own address and localhost.'),
  }),
  service: section({
    timeoutMs: wholeNumber(100, 600_000, 15_000, 'One request to the service, from first byte sent to last byte read.'),
    idleTimeoutMs: wholeNumber(100, 600_000, 5_000, 'Longest silence within an answer of the service.'),
    retries: wholeNumber(0, 10, 2, 'Further attempts of a GET, or of a POST with an idempotency key.'),
    maxRetryAfterMs: wholeNumber(0, 3_600_000, 30_000, 'A longer Retry-After is not waited for, but reported.'),
    responseLimitBytes: wholeNumber(1024, 256 * MEBIBYTE, 4 * MEBIBYTE, 'Larger answers of the service are refused.'),
    collectionPath: pathTemplate('/api/v1/transaction/verify/{reference}', 'Path that verifies a collection, or null.'),
    payoutPath: pathTemplate('/api/v1/payout/{reference}', 'Path that tells the status of a payout, or null.'),
    collectionVersion: z
      .enum(COLLECTION_VERSIONS, `must be one of ${COLLECTION_VERSIONS.join(', ')}`)
      .default('v1')
      .describe('Which paths new collections take; legacy is for integrations that began with it.'),
    payoutAmount: z
      .enum(['number', 'string'], 'must be number or string')
      .default('number')
      .describe('How the amount of a payout is written.'),
    encryption: z
      .strictObject(
        { key: hexSecret(32, 'Key of the payload encryption'), iv: hexSecret(16, 'IV of the payload encryption') },
        'must be null or a map with key and iv',
      )
      .nullable()
      .default(null)
      .describe('AES-256-CBC payload encryption (observed, unconfirmed), only for a merchant who has it enabled.'),
  }),
  confirm: section({
    concurrency: wholeNumber(1, 256, 8, 'Questions to the service under way at once.'),
    perSecond: wholeNumber(1, 10_000, 50, 'Questions to the service per second at most.'),
    leaseSeconds: wholeNumber(30, 3_600, 120, 'A question that takes longer may be asked by another process.'),
    debounceSeconds: wholeNumber(0, 600, 2, 'News of a record makes it due after this time.'),
    unsettledMinutes: waits(
      [1, 5, 15, 60, 360, 1_440],
      'Minutes between questions about a record that is not settled; the last goes on.',
    ),
    awaitingSettlementMinutes: wholeNumber(
      1,
      10_080,
      60,
      'Minutes between questions about a refund that awaits settlement.',
    ),
    watchDays: waits([1, 7, 30], 'Days after settling on which a payout or collection is asked about again.'),
    unprovenMinutes: wholeNumber(
      1,
      10_080,
      60,
      'Minutes between questions to an endpoint that has never answered usably.',
    ),
    attempts: wholeNumber(1, 1_000, 40, 'Questions without news before a record is stuck and a person is told.'),
    awaitingSettlementAttempts: wholeNumber(1, 10_000, 672, 'The same for a refund that awaits settlement.'),
    jitterPercent: wholeNumber(0, 100, 10, 'Waits are longer by a random share of up to this.'),
    breakerFailures: wholeNumber(1, 1_000, 5, 'Failures of the service in a row after which asking rests as a whole.'),
    giveUpSeconds: wholeNumber(1, 3_600, 120, 'With the service down for so long a sweep ends; what is due stays due.'),
  }),
  schedule: section({
    timeZone: timeZone().nullable().default(null).describe('Zone of these cron expressions; null: timeZone, above.'),
    sweep: cron().default('* * * * *').describe('When the service is asked about every due record, or null.'),
    backfill: cron().default('17 * * * *').describe('When its list is walked for what no webhook told of, or null.'),
    health: cron().default('*/15 * * * *').describe('When it is judged how well webhooks come, or null.'),
    backup: cron().default(null).describe('When the database is copied into backupFolder, or null.'),
    backupFolder: folder('Folder for scheduled backups, relative to the folder of this file; needed by backup.'),
    backupKeep: wholeNumber(1, 10_000, 14, 'Scheduled backups that stay in it; older ones are deleted.'),
    prune: cron()
      .optional()
      .describe('When old bodies and personal data go, or null; 15 3 * * * with prune.afterDays.'),
  }),
  callback: section({
    page: z
      .string('must be a URL')
      .superRefine(reporting(pageProblem))
      .nullable()
      .default(null)
      .describe('Page that customers are sent on to after an inline checkout, or null; https unless on this machine.'),
    secret: z
      .string(VERDICT_RULE)
      .min(SHORTEST_VERDICT_SECRET, VERDICT_RULE)
      .transform((secret) => new Secret(secret))
      .nullable()
      .default(null)
      .describe(`Signs the verdict for that page; better \${NAME} or {file: path} than the secret itself.`),
    ttlSeconds: wholeNumber(10, 86_400, 600, 'A verdict is good for so long.'),
    timeoutMs: wholeNumber(
      100,
      30_000,
      3_000,
      'The customer waits for the service so long; then the verdict is pending.',
    ),
    perMinute: wholeNumber(1, 100_000, 120, 'Questions to the service in a minute, for all customers together.'),
    perAddressPerMinute: wholeNumber(1, 100_000, 20, 'Visits of one address in a minute that are looked at.'),
  }),
  backfill: section({
    maxPages: wholeNumber(1, 1_000_000, 10_000, 'Pages of the list of refunds that one walk reads at most.'),
    maxRows: wholeNumber(1, 10_000_000, 200_000, 'Rows of it; the reference of each is remembered during the walk.'),
    maxMinutes: wholeNumber(1, 1_440, 60, 'How long one walk takes at most.'),
    overlapHours: wholeNumber(0, 8_760, 24, 'How much further back than the last complete walk absence is judged.'),
  }),
  prune: section({
    afterDays: z
      .preprocess(numberFromText, z.int(DAYS_RULE).min(1, DAYS_RULE).max(MOST_DAYS, DAYS_RULE).nullable())
      .default(null)
      .meta({
        description: 'Bodies and personal data go so many days after the last change of a settled record; null: never.',
        default: null,
      }),
  }),
  keys: section({ test: keyList('test'), live: keyList('live') }),
  log: section({
    level: z
      .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
      .default('info')
      .describe('Least severe log line that is written.'),
  }),
});

export type ConfigValues = z.infer<typeof configSchema>;

function keyList(environment: Environment) {
  const keyPair = z.strictObject(
    {
      id: z
        .string(ID_RULE)
        .regex(/^[A-Za-z0-9._-]{1,64}$/, ID_RULE)
        .optional()
        .describe(`Name of the pair, kept with every event it verified; ${environment}-1 and so on by default.`),
      publicKey: z
        .string('must be the public key')
        .superRefine(reporting((key) => publicKeyProblem(key, environment)))
        .describe(`Public key, pk_${environment}_…`),
      secretKey: z
        .string('must be the secret key')
        .superRefine(reporting((key) => secretKeyProblem(key, environment)))
        .transform((key) => new Secret(key))
        .describe(`Secret key, sk_${environment}_…; better \${NAME} or {file: path} than the key itself.`),
      notAfter: z.iso
        .datetime({ offset: true, error: TIME_RULE })
        .nullable()
        .default(null)
        .describe('After this time the pair verifies nothing: for the old pair of a rotation.'),
    },
    'must be a map with publicKey and secretKey',
  );
  return z
    .array(keyPair, 'must be a list of key pairs')
    .default([])
    .describe(`Key pairs of the ${environment} environment; several may be active during a rotation.`);
}
