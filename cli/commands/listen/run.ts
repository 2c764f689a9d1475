import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { didYouMean } from '../../../src/config/did-you-mean.ts';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { KNOWN_EVENTS, matchesEvent } from '../../../src/domain/forwarding/forward-target.ts';
import { RECORD_KINDS, type RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { classOf } from '../../../src/http/addresses.ts';
import { requireSafeLiteral } from '../../../src/http/checked-agent.ts';
import { unscheduled } from '../../../src/jobs/catalogue.ts';
import { startApp } from '../../../src/serve/app.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { reportError } from '../../context/process.ts';
import { serveLog } from '../../context/serve-log.ts';
import { onStopSignal } from '../../context/stop-signal.ts';
import { UsageError } from '../../options/options.ts';
import { note, print, printJsonLine } from '../../show/output.ts';
import { calledAs } from '../../show/program.ts';
import { DEFAULT_URL, RECEIVER_URLS } from '../sandbox/connection.ts';
import { type KeySource, keySource } from './keys.ts';
import { Lines } from './lines.ts';

export interface ListenArguments {
  readonly forwardTo: string | undefined;
  readonly events: string | undefined;
  readonly when: 'both' | 'received' | 'confirmed';
  readonly printBody: boolean;
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
  readonly json: boolean | undefined;
}

/** Of this machine: a person reads the lines as they come. */
const LOCAL_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Receives until a signal; prints each webhook, and each attempt to hand it on. */
export async function listen(argv: ListenArguments): Promise<void> {
  const url = argv.forwardTo === undefined ? null : targetUrl(argv.forwardTo, argv.port);
  const events = argv.events === undefined ? null : knownEvents(argv.events);
  // Before anything starts that a signal must end.
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const forgetSignals = onStopSignal(() => stop());
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-listen-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove); // a second signal ends the process at once
  try {
    const keys = await keySource(process.env);
    await receive(argv, { url, events, folder, keys }, stopped).finally(() => keys.close());
  } finally {
    forgetSignals();
    process.off('exit', remove);
    remove();
  }
}

async function receive(argv: ListenArguments, where: Where, stopped: Promise<void>): Promise<void> {
  const { url, keys } = where;
  const json = argv.json === true;
  const { config, secret } = listenConfig(argv, where);
  const lines = new Lines({ ...argv, json, zone: LOCAL_ZONE, now: systemClock.nowMs });
  const { log } = serveLog({ ...config, log: { level: 'error' } }, json);
  const unsafeFileSystem = argv.database === undefined; // of a temporary one nothing is to be kept
  const parts = { clock: systemClock, log, unsafeFileSystem, watcher: lines, onFatal };
  const app = await startApp(config, parts).catch((error) => {
    throw withOwnOption(error);
  });
  try {
    const receiver = `${app.receiverUrl}/webhooks/${config.keyPairs[0]?.environment ?? 'test'}`;
    keys.sendWebhooksTo(receiver);
    ready({ receiver, url, secret, config, keys, json });
    await stopped;
  } finally {
    await app.close();
  }
  lines.summary();
}

/** What `--forward-to` names: a port and a host without a scheme are on http. Never the receiver itself. */
function targetUrl(text: string, receiverPort: number): string {
  const full = /^\d{1,5}$/.test(text)
    ? `http://localhost:${text}/`
    : /^[a-z]+:\/\//i.test(text)
      ? text
      : `http://${text}`;
  const url = URL.parse(full);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new UsageError(
      `--forward-to is ${JSON.stringify(text)}: it must be a URL of http or https, host and port, or a port.`,
      'Such as: --forward-to http://localhost:3000/hook',
    );
  if (url.port === String(receiverPort) && isThisMachine(url.hostname))
    throw new UsageError(
      `--forward-to is ${JSON.stringify(text)}: there listen itself receives webhooks.`,
      'Give the address of your application, or another --port to listen.',
    );
  try {
    requireSafeLiteral(url, OPEN_POLICY);
  } catch (error) {
    throw new UsageError(`--forward-to is ${JSON.stringify(text)}: ${(error as Error).message}.`);
  }
  return url.href;
}

/** A developer's own application: on plain HTTP, and in the own network. */
const OPEN_POLICY = { allowHttp: true, allowPrivate: true };

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || classOf(hostname) === 'loopback';
}

function knownEvents(text: string): string[] {
  return text.split(',').map((part) => {
    const name = part.trim();
    if (KNOWN_EVENTS.some((known) => matchesEvent(name, known))) return name;
    const meant = didYouMean(name, KNOWN_EVENTS);
    throw new UsageError(
      `--events has ${JSON.stringify(name)}, which matches no known event.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      `Known: ${KNOWN_EVENTS.join(', ')}.`,
    );
  });
}

/** Kinds of the events that the patterns name. */
function kindsOf(events: readonly string[] | null): RecordKind[] {
  const named = KNOWN_EVENTS.filter((known) => events?.some((pattern) => matchesEvent(pattern, known)) ?? true);
  const kindOf = (event: string) => RECORD_KINDS.find((kind) => event.startsWith(`${kind}.`)) ?? 'collection';
  return RECORD_KINDS.filter((kind) => named.some((event) => kindOf(event) === kind));
}

interface Where {
  readonly url: string | null;
  readonly events: readonly string[] | null;
  readonly folder: string;
  readonly keys: KeySource;
}

/** A configuration of the variables alone, with one target for each moment at which a webhook is handed on. */
function listenConfig(argv: ListenArguments, { url, events, folder, keys }: Where): { config: Config; secret: string } {
  const database = argv.database === undefined ? join(folder, 'tallyhook.db') : resolve(argv.database);
  const { TALLYHOOK_CONFIG: _, ...variables } = { ...process.env, ...keys.variables };
  const own = { TALLYHOOK_HOST: argv.host, TALLYHOOK_PORT: String(argv.port), TALLYHOOK_ADMIN_PORT: '0' };
  const config = loadConfig({ env: { ...variables, ...own, TALLYHOOK_DATABASE: database }, cwd: folder });
  const secret = secretFor(config);
  const moments = argv.when === 'both' ? (['received', 'confirmed'] as const) : [argv.when];
  const targets = moments.map((when) => ({
    ...{ name: when, url: url ?? '', secrets: [secret], when },
    ...(when === 'received' ? { events: events === null ? null : [...events] } : { kinds: kindsOf(events) }),
    // A person waits: an application that was started late gets its news soon.
    retry: { firstMs: 1_000, maxMs: 5_000, giveUpMs: 600_000 },
    breaker: { failures: 10_000 },
  }));
  const { forward } = configSchema.parse({
    forward: { ...OPEN_POLICY, targets: url === null ? [] : targets },
  });
  const schedule = { ...unscheduled(config.schedule), sweep: '* * * * *' };
  const confirm = { ...config.confirm, debounceSeconds: 0 };
  return { config: { ...config, forward, schedule, confirm }, secret };
}

/** Made from the secret key, so that it is the same at each start, and an application keeps it in its settings. */
function secretFor({ keyPairs }: Config): string {
  const key = keyPairs[0]?.secretKey.reveal() ?? '';
  return `whsec_${createHmac('sha256', key).update('tallyhook listen').digest('base64')}`;
}

interface Ready {
  readonly receiver: string;
  readonly url: string | null;
  readonly secret: string;
  readonly config: Config;
  readonly keys: KeySource;
  readonly json: boolean;
}

function ready({ receiver, url, secret, config: { keyPairs, baseUrl }, keys, json }: Ready): void {
  const ids = keyPairs.map(({ id }) => id);
  if (json) {
    void printJsonLine({ what: 'ready', receiver, forwardTo: url, secret, keys: ids, of: keys.kind, baseUrl });
    return;
  }
  const of = {
    environment: 'the environment',
    'running sandbox': `the sandbox at ${baseUrl}`,
    'own sandbox': `its own sandbox at ${baseUrl}`,
  };
  print(`Ready: webhooks to ${receiver}, keys ${ids.join(', ')} of ${of[keys.kind]}`);
  if (url === null) print('Nothing is handed on: give your application with --forward-to URL');
  else print(`News goes to ${url}, signed by Standard Webhooks with ${secret}`);
  if (baseUrl === null) print('Nothing is confirmed: set TALLYHOOK_BASE_URL to the address of the service');
  if (keys.kind === 'running sandbox' && keys.webhooksGoTo !== receiver) {
    const there = baseUrl === DEFAULT_URL ? '' : ` --url ${baseUrl}`;
    print(
      `That sandbox sends its webhooks ${keys.webhooksGoTo === null ? 'nowhere' : `to ${keys.webhooksGoTo}`}. To get them here:`,
    );
    print(`  ${calledAs()} sandbox webhook-url ${receiver}${there}`);
  }
  if (keys.kind !== 'environment') tryIt(keys, receiver);
  note('Ctrl-C stops.');
}

/** Lines to paste: a payment, which is confirmed, and a sample, of which the sandbox knows nothing. */
function tryIt({ variables }: KeySource, receiver: string): void {
  const {
    TALLYHOOK_BASE_URL: baseUrl,
    TALLYHOOK_TEST_PUBLIC_KEY: publicKey,
    TALLYHOOK_TEST_SECRET_KEY: secretKey,
  } = variables;
  const payment =
    '{"reference":"order-1","amount":"20.00","currency":"NGN","email":"ada@example.com","status":"success"}';
  print();
  print('A payment of the sandbox, which it confirms:');
  print(`  curl -s ${baseUrl}/api/s2s/v1/banktransfer/initialize -H 'Content-Type: application/json' \\`);
  print(`    -H 'Authorization: Bearer ${secretKey}' -d '${payment}'`);
  print('A sample of any event, which nothing confirms:');
  print(`  export TALLYHOOK_TEST_PUBLIC_KEY=${publicKey} TALLYHOOK_TEST_SECRET_KEY=${secretKey}`);
  const usual = receiver === RECEIVER_URLS.test ? '' : ` --url ${receiver}`;
  print(`  ${calledAs()} trigger refund.success${usual}`);
  print();
}

/** The port and host are options here, not settings. */
function withOwnOption(error: unknown): unknown {
  if (!(error instanceof TallyhookError) || !error.message.startsWith('The receiver cannot listen')) return error;
  const hint = 'Stop what listens there, or choose another with --host and --port; --port 0 takes a free one.';
  return new TallyhookError(error.message, { kind: 'usage', hint, cause: error });
}

/** The database cannot go on, and nothing after that can be right. */
function onFatal(error: Error): void {
  reportError(error, ['listen']);
  process.exit();
}
