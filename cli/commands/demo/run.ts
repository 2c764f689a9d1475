import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { writeReasonOf } from '../../../src/config/problems.ts';
import { requireKeyPairs } from '../../../src/config/required-keys.ts';
import { CONFIG_VARIABLE, TOKEN_VARIABLE } from '../../../src/config/variables.ts';
import type { KeyPair } from '../../../src/domain/environment.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { compareTexts } from '../../../src/domain/records/observation.ts';
import { unscheduled } from '../../../src/jobs/catalogue.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { startApp } from '../../../src/serve/app.ts';
import type { App } from '../../../src/serve/app-parts.ts';
import type { Archive, Stats } from '../../../src/store/archive.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { reportError } from '../../context/process.ts';
import { onStopSignal } from '../../context/stop-signal.ts';
import { answeredNo, note, print, printJson } from '../../show/output.ts';
import { type SendResult, send } from '../trigger/send.ts';
import { compareBooks } from './compare.ts';
import { sweepTheDay, trackOrders } from './confirm.ts';
import { DAY_SETTINGS, playTheDay } from './day.ts';
import { extraDeliveries } from './extra-deliveries.ts';
import { configureTarget, newsAt } from './forward.ts';
import { requireFreePorts } from './free-ports.ts';
import { addDemoUser, type DemoLogin } from './login.ts';
import { reconcileTheDays } from './reconcile.ts';
import { type Shop, startShop } from './shop.ts';
import { countsOf, holds, openFinding, printStory, type Story } from './story.ts';

/** The opening balances are of the day before, so that they are no movement of the day. */
const BOOKS_BEGIN = new Date('2026-02-28T08:00:00Z');
const DAYS = { from: '2026-03-01', to: '2026-03-31' } as const;
const POLL_MS = 20;
const SETTLE_TIMEOUT_MS = 10_000;

interface DemoArguments {
  readonly seed: number;
  readonly json: boolean | undefined;
  /** Keep the receiver running, with its data in this folder; null: a temporary one, removed at the end. */
  readonly folder: string | null;
}

/** Plays the day, compares the books, prints the story. */
export async function runDemo(argv: DemoArguments): Promise<void> {
  if (argv.folder !== null) await requireFreePorts();
  const folder = argv.folder === null ? temporaryFolder() : freshFolder(argv.folder);
  const sandbox = await startSandbox({
    seed: argv.seed,
    clock: 'manual',
    startAt: BOOKS_BEGIN,
    settings: DAY_SETTINGS,
  });
  const shop = await startShop();
  let app: App | undefined;
  try {
    configureTarget(folder, shop);
    const { config, variables } = demoConfig(folder, sandbox, argv.folder !== null);
    const log = pino({ level: 'silent' });
    // Also in a container without a volume: what a demo keeps may be lost.
    app = await startApp(config, { clock: systemClock, log, unsafeFileSystem: true, onFatal });
    sandbox.setWebhookUrl(`${app.receiverUrl}/webhooks/test`);
    const story = await playAndCompare(sandbox, app, { config, folder, shop });
    if (argv.json) printJson({ seed: argv.seed, ...story });
    else printStory(story);
    if (!holds(story)) answeredNo();
    if (argv.folder !== null)
      await stayUp(app, { [CONFIG_VARIABLE]: join(folder, 'tallyhook.yaml'), ...variables }, await addDemoUser(config));
  } finally {
    await sandbox.close();
    await app?.close();
    await shop.close();
  }
}

interface Where {
  readonly config: Config;
  readonly folder: string;
  readonly shop: Shop;
}

async function playAndCompare(sandbox: Sandbox, app: App, { config, folder, shop }: Where): Promise<Story> {
  await trackOrders(config);
  await sandbox.advance('2d');
  await playTheDay(sandbox);
  const [keyPair] = requireKeyPairs(config, 'test') as [KeyPair];
  const sent = await send(`${app.receiverUrl}/webhooks/test`, extraDeliveries(keyPair), { concurrency: 1 });
  const archive = await storeOf(config).archive();
  try {
    const stats = await settled(archive, sandbox, sent);
    const reported = await compareBooks(archive, sandbox, 'reported');
    const sweep = await sweepTheDay(config);
    const forwarded = await newsAt(shop, sandbox);
    const { differences: left } = await compareBooks(archive, sandbox, 'confirmed');
    const findings = (await archive.findings({}, { limit: 1_000, order: 'oldest' }))
      .map(openFinding)
      .toSorted((one, other) => compareTexts(one.record, other.record)); // webhooks arrive as they come
    const reconciled = await reconcileTheDays(sandbox, archive, { config, folder, days: DAYS });
    const counts = countsOf(sandbox, sent, stats);
    return { counts, ...reported, sweep, forwarded, left, findings, reconciled };
  } finally {
    await archive.close();
  }
}

/** The stats once every delivery is carried out and the refusals, which are written once a second, are counted; after 10 s as they are. */
async function settled(archive: Archive, sandbox: Sandbox, sent: SendResult): Promise<Stats> {
  const deadlineMs = systemClock.nowMs() + SETTLE_TIMEOUT_MS;
  for (;;) {
    const stats = await archive.stats();
    const agree = countsOf(sandbox, sent, stats).every(({ expected, found }) => expected === found);
    if ((stats.waiting === 0 && agree) || systemClock.nowMs() > deadlineMs) return stats;
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}

/** The receiver stops keeping, and nothing after that can be right. */
function onFatal(error: Error): void {
  reportError(error, ['demo']);
  process.exit();
}

/** A configuration of the sandbox's keys alone: the demo uses no setting, key or database of the user. */
function demoConfig(
  folder: string,
  sandbox: Sandbox,
  keep: boolean,
): { config: Config; variables: Record<string, string> } {
  const variables = {
    TALLYHOOK_TEST_PUBLIC_KEY: sandbox.keys.test.publicKey,
    TALLYHOOK_TEST_SECRET_KEY: sandbox.keys.test.secretKey,
    TALLYHOOK_BASE_URL: sandbox.url,
    TALLYHOOK_DATABASE: join(folder, 'tallyhook.db'),
    ...(keep ? {} : { TALLYHOOK_PORT: '0', TALLYHOOK_ADMIN_PORT: '0' }),
  };
  const config = loadConfig({ env: variables, cwd: folder });
  // Everything is due at once, because the day is over in a second; only the demo itself starts a sweep.
  const confirm = { ...config.confirm, debounceSeconds: 0 };
  const schedule = unscheduled(config.schedule);
  const dashboard = { ...config.dashboard, enabled: keep };
  return { config: { ...config, confirm, schedule, dashboard }, variables };
}

/** A folder that is removed when the process ends, except by kill -9. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-demo-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}

function freshFolder(path: string): string {
  const folder = resolve(path);
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const hint = 'Change to a folder that this user may write to, or run it without --keep.';
    throw new TallyhookError(`Cannot make the folder ${folder}: ${writeReasonOf(cause)}.`, {
      kind: 'failed',
      hint,
      cause,
    });
  }
  return folder;
}

/** Keeps the receiver running until Ctrl-C. With the printed variables, commands in a second terminal read its database. */
async function stayUp(app: App, variables: Record<string, string>, { link, token }: DemoLogin): Promise<void> {
  // Before the first line that invites a signal.
  const stopped = new Promise<void>((stop) => onStopSignal(() => stop()));
  print();
  print(`The dashboard is at ${app.dashboardUrl}. Set up a login there with this link, once, within a day:`);
  print();
  print(`  ${link}`);
  print();
  print(`The receiver runs at ${app.receiverUrl}, admin at ${app.adminUrl}. In a second terminal:`);
  print();
  for (const [name, value] of Object.entries({ ...variables, [TOKEN_VARIABLE]: token }))
    print(`  export ${name}=${value}`);
  print('  tallyhook events list');
  print('  tallyhook findings');
  print('  tallyhook breaks list');
  print('  tallyhook trigger refund.success');
  print();
  note('Ctrl-C stops it.');
  await stopped;
}
