import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig, requireKeyPairs } from '../../src/config/load.ts';
import type { KeyPair } from '../../src/domain/environment.ts';
import { unscheduled } from '../../src/jobs/catalogue.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type App, startApp } from '../../src/serve/app.ts';
import type { Archive, Stats } from '../../src/store/archive.ts';
import { openArchive } from '../../src/store/open.ts';
import { systemClock } from '../../src/time/clock.ts';
import { type Cli, wholeNumberOption } from '../options/options.ts';
import { answeredNo, note, print, printJson } from '../show/output.ts';
import { compareBooks } from './demo/compare.ts';
import { confirmTheDay, expectTheOrders } from './demo/confirm.ts';
import { playTheDay } from './demo/day.ts';
import { countsOf, holds, printStory, type Story } from './demo/story.ts';
import { strangers } from './demo/strangers.ts';
import { type SendResult, send } from './trigger/send.ts';

const DAY_BEGINS = new Date('2026-03-02T08:00:00Z');
const POLL_MS = 20;
const SETTLE_TIMEOUT_MS = 10_000;
const KEPT_FOLDER = './data/demo';

/** `tallyhook demo`: a day at a sandbox of its own, told as a story; receiver and service are compared at its end. */
export function addDemoCommand(cli: Cli): Cli {
  return cli.command(
    'demo',
    'A day of payments at the sandbox, told as a story and checked against its books',
    (command) =>
      command
        .option('keep', {
          type: 'boolean',
          default: false,
          describe: `Leave the receiver up, with its data in ${KEPT_FOLDER}`,
        })
        .option(
          'seed',
          wholeNumberOption('seed', { most: 2 ** 32 - 1, standard: 1, describe: 'Keys and references of the sandbox' }),
        )
        .example('$0 demo', 'In a temporary folder, then cleaned up')
        .example('$0 demo --keep', 'And look around: npx tallyhook events list')
        .epilogue('Ignores tallyhook.yaml and the environment. Exit code 1 when a count differs.'),
    async (argv) => {
      const folder = argv.keep ? freshFolder(KEPT_FOLDER) : passingFolder();
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
  await expectTheOrders(config);
  await playTheDay(sandbox);
  const [keyPair] = requireKeyPairs(config, 'test') as [KeyPair];
  const sent = await send(`${app.receiverUrl}/webhooks/test`, strangers(keyPair), { concurrency: 1 });
  const archive = openArchive(config.database);
  try {
    const stats = await settled(archive, sandbox, sent);
    const heard = await compareBooks(archive, sandbox, 'reported');
    const sweep = await confirmTheDay(config);
    const { differences: left } = await compareBooks(archive, sandbox, 'confirmed');
    return { counts: countsOf(sandbox, sent, stats), ...heard, sweep, left };
  } finally {
    await archive.close();
  }
}

/** Once everything is applied and the refusals, which are written once a second, are counted. */
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

/** The sandbox's keys and nothing of the user's: the demo must not touch what is real. */
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
  // The day is over in a second, so its news cannot wait for more; and the story itself says when it sweeps.
  const [confirm, schedule] = [{ ...config.confirm, debounceSeconds: 0 }, unscheduled(config.schedule)];
  return { config: { ...config, confirm, schedule }, variables };
}

/** Gone when the process is, however it ends short of kill -9. */
function passingFolder(): string {
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

/** Until Ctrl-C. The variables let the other commands, in a second terminal, look at this very receiver. */
async function stayUp(app: App, variables: Record<string, string>): Promise<void> {
  print();
  print(`The receiver stays up at ${app.receiverUrl}, admin at ${app.adminUrl}. In a second terminal:`);
  print();
  for (const [name, value] of Object.entries(variables)) print(`  export ${name}=${value}`);
  print('  npx tallyhook events list');
  print('  npx tallyhook findings');
  print('  npx tallyhook trigger refund.success');
  print();
  note('Ctrl-C stops it.');
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
}
