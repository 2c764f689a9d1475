import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig, requireKeyPairs } from '../../src/config/load.ts';
import { storeOf } from '../../src/confirm/store.ts';
import type { KeyPair } from '../../src/domain/environment.ts';
import { unscheduled } from '../../src/jobs/catalogue.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type App, startApp } from '../../src/serve/app.ts';
import type { Archive, Stats } from '../../src/store/archive.ts';
import { systemClock } from '../../src/time/clock.ts';
import { onStopSignal } from '../context/stop-signal.ts';
import { type Cli, wholeNumberOption } from '../options/options.ts';
import { answeredNo, note, print, printJson } from '../show/output.ts';
import { compareBooks } from './demo/compare.ts';
import { sweepTheDay, trackOrders } from './demo/confirm.ts';
import { playTheDay } from './demo/day.ts';
import { extraDeliveries } from './demo/extra-deliveries.ts';
import { countsOf, holds, openFinding, printStory, type Story } from './demo/story.ts';
import { type SendResult, send } from './trigger/send.ts';

const DAY_BEGINS = new Date('2026-03-02T08:00:00Z');
const POLL_MS = 20;
const SETTLE_TIMEOUT_MS = 10_000;
const KEPT_FOLDER = './data/demo';

/** `tallyhook demo`: plays a day at its own sandbox, then compares the receiver with the sandbox's books. */
export function addDemoCommand(cli: Cli): Cli {
  return cli.command(
    'demo',
    'Play a day of payments at the sandbox, and check the receiver against its books',
    (command) =>
      command
        .option('keep', {
          type: 'boolean',
          default: false,
          describe: `Keep the receiver running, with its data in ${KEPT_FOLDER}`,
        })
        .option(
          'seed',
          wholeNumberOption('seed', { most: 2 ** 32 - 1, standard: 1, describe: 'Keys and references of the sandbox' }),
        )
        .example('$0 demo', 'In a temporary folder, removed at the end')
        .example('$0 demo --keep', 'Then look around: npx tallyhook events list')
        .epilogue('Ignores tallyhook.yaml and the environment. Exit code 1 when a count differs.'),
    async (argv) => {
      const folder = argv.keep ? freshFolder(KEPT_FOLDER) : temporaryFolder();
      const sandbox = await startSandbox({ seed: argv.seed, clock: 'manual', startAt: DAY_BEGINS });
      const { config, variables } = demoConfig(folder, sandbox, argv.keep);
      const app = await startApp(config, { clock: systemClock, log: pino({ level: 'silent' }), onFatal });
      try {
        sandbox.setWebhookUrl(`${app.receiverUrl}/webhooks/test`);
        const story = await playAndCompare(sandbox, app, config);
        if (argv.json) printJson({ seed: argv.seed, ...story });
        else printStory(story);
        if (!holds(story)) answeredNo();
        if (argv.keep) await stayUp(app, variables);
      } finally {
        await sandbox.close();
        await app.close();
      }
    },
  );
}

async function playAndCompare(sandbox: Sandbox, app: App, config: Config): Promise<Story> {
  await trackOrders(config);
  await playTheDay(sandbox);
  const [keyPair] = requireKeyPairs(config, 'test') as [KeyPair];
  const sent = await send(`${app.receiverUrl}/webhooks/test`, extraDeliveries(keyPair), { concurrency: 1 });
  const archive = await storeOf(config).archive();
  try {
    const stats = await settled(archive, sandbox, sent);
    const reported = await compareBooks(archive, sandbox, 'reported');
    const sweep = await sweepTheDay(config);
    const { differences: left } = await compareBooks(archive, sandbox, 'confirmed');
    const findings = await archive.findings({}, { limit: 1_000, order: 'oldest' });
    return { counts: countsOf(sandbox, sent, stats), ...reported, sweep, left, findings: findings.map(openFinding) };
  } finally {
    await archive.close();
  }
}

/** The stats once every event is applied and the refusals, which are written once a second, are counted; after 10 s as they are. */
async function settled(archive: Archive, sandbox: Sandbox, sent: SendResult): Promise<Stats> {
  const deadlineMs = systemClock.nowMs() + SETTLE_TIMEOUT_MS;
  for (;;) {
    const stats = await archive.stats();
    const agree = countsOf(sandbox, sent, stats).every(({ expected, found }) => expected === found);
    if ((stats.unapplied === 0 && agree) || systemClock.nowMs() > deadlineMs) return stats;
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}

function onFatal(error: Error): void {
  throw error;
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
  return { config: { ...config, confirm, schedule }, variables };
}

/** A folder that is removed when the process ends, except by kill -9. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-demo-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}

function freshFolder(path: string): string {
  const folder = resolve(path);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Keeps the receiver running until Ctrl-C. With the printed variables, commands in a second terminal read its database. */
async function stayUp(app: App, variables: Record<string, string>): Promise<void> {
  // Before the first line that invites a signal.
  const stopped = new Promise<void>((stop) => onStopSignal(() => stop()));
  print();
  print(`The receiver runs at ${app.receiverUrl}, admin at ${app.adminUrl}. In a second terminal:`);
  print();
  for (const [name, value] of Object.entries(variables)) print(`  export ${name}=${value}`);
  print('  npx tallyhook events list');
  print('  npx tallyhook findings');
  print('  npx tallyhook trigger refund.success');
  print();
  note('Ctrl-C stops it.');
  await stopped;
}
