import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../support/doctor.ts';
import { killGroup } from '../support/processes.ts';
import { temporaryFolder, until } from '../support/receiver.ts';
import { Serve } from '../support/serve.ts';
import { TEST_KEY_ENV, TEST_KEYS } from '../support/signer.ts';
import { ENGINE, HOLD_THE_LOCK, SmallDisk, SteadySender } from '../support/small-disk.ts';
import { catchWebhooks } from '../support/webhook-catcher.ts';

// What an operator is told while things break under 200 deliveries a second, and after: every sentence of status, health, doctor,
// notices, metrics and log is compared with what the test knows, for it broke them.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const NEEDS = { tags: ['mounts'] };
const PER_SECOND = 200;
/** An outage is over after ten seconds without a refused delivery. */
const QUIET_MS = 10_000;

let disk: SmallDisk;
let serve: Serve;
let sender: SteadySender;
let chat: Awaited<ReturnType<typeof catchWebhooks>>;
let service: ReturnType<typeof createServer>;
let database: string;
/** How far the clock of the service is behind. */
let behindMs = 0;
let isServiceDead = false;

beforeAll(async () => {
  disk = await SmallDisk.make(temporaryFolder(), 'size=280m,nr_inodes=120');
  chat = await catchWebhooks();
  service = createServer((request, response) => {
    if (isServiceDead) {
      request.socket.destroy();
      return;
    }
    const reference = decodeURIComponent(request.url ?? '')
      .split('/')
      .pop();
    response.setHeader('date', new Date(Date.now() - behindMs).toUTCString());
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: { refund_reference: reference, status: 'pending' } }));
  });
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
  const adminPort = await freePort();
  database = join(disk.folder, 'tallyhook.db');
  const port = (server: typeof service) => (server.address() as AddressInfo).port;
  writeFileSync(
    join(disk.seen, 'tallyhook.yaml'),
    `baseUrl: http://127.0.0.1:${port(service)}
database: tallyhook.db
admin: {port: ${adminPort}}
confirm: {perSecond: 20}
schedule: {sweep: null, backfill: null, health: null}
alerts: {name: shop-1, webhook: {url: '${chat.url}'}}
forward:
  targets: [{name: shop, url: 'http://127.0.0.1:${await freePort()}', secrets: ['whsec_${'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4'}'], when: received, events: [refund.rejected]}]
`,
  );
  const { under, folder: cwd } = disk;
  serve = await Serve.start({ cwd, database, under, env: { TALLYHOOK_ADMIN_PORT: adminPort } });
  sender = new SteadySender(serve.url, PER_SECOND);
  await sender.more(PER_SECOND, 200);
});

afterAll(async () => {
  await sender?.stop();
  await serve?.kill();
  await chat?.close();
  service?.closeAllConnections();
  service?.close();
});

const run = (...args: string[]) => disk.command(args, disk.folder, TEST_KEY_ENV);

/** Fills the disk but for so many bytes. */
function fill(leftBytes = 0): void {
  const path = join(disk.seen, 'ballast');
  if (leftBytes > 0) writeFileSync(path, Buffer.alloc(280 * 2 ** 20 - leftBytes));
  for (const bytes of leftBytes > 0 ? [] : [2 ** 20, 2 ** 12]) {
    try {
      while (true) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  }
}

/** What the test knows: the sentences that are true, of `status` in their order, and what `health`, `doctor` and the metrics repeat. */
interface Truth {
  readonly status: readonly RegExp[];
  /** How many of these `health` says, too: those about receiving. */
  readonly health: number;
  /** Of every check of `doctor` that is not well. */
  readonly doctor?: Readonly<Record<string, RegExp>>;
  /** The codes with their counts; the page is five seconds old at most, so it is read where it must have changed. */
  readonly metrics?: Readonly<Record<string, number>>;
}

async function expectTold({ status, health, doctor, metrics }: Truth): Promise<void> {
  const matching = (all: readonly RegExp[]) => all.map((one) => expect.stringMatching(one));
  const seen = await run('status');
  const problems = seen.stdout.split('\n').filter((line) => line.startsWith('- '));
  expect(problems, seen.stdout).toEqual(matching(status));
  const verdict =
    status.length === 0
      ? 'Everything is well.'
      : status.length === 1
        ? 'One thing needs you:'
        : `${status.length} things need you:`;
  expect(seen.stdout.split('\n')[0]).toBe(verdict);
  expect(seen.code).toBe(status.length === 0 ? 0 : 3);
  const told = await run('health');
  const lines = told.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('  '));
  expect(lines.map((line) => `- ${line.replace(/\.$/, '')}`)).toEqual(matching(status.slice(0, health)));
  if (doctor !== undefined) {
    const { checks } = JSON.parse((await run('doctor', '--offline', '--json')).stdout);
    type Check = { name: string; status: string; detail: string };
    const unwell = (checks as Check[]).filter(({ status: mark }) => mark === 'failed' || mark === 'warning');
    const expected = Object.entries(doctor).map(([name, text]) => [name, expect.stringMatching(text)]);
    expect(Object.fromEntries(unwell.map(({ name, detail }) => [name, detail]))).toEqual(Object.fromEntries(expected));
  }
  if (metrics === undefined) return;
  const expected = JSON.stringify(metrics);
  const asExpected = async () => JSON.stringify(await problemGauges()) === expected;
  await until(asExpected, `the metrics say ${expected}`, 10_000);
}

async function problemGauges(): Promise<Record<string, number>> {
  const page = await (await fetch(`${serve.adminUrl}/metrics`)).text();
  const all = [...page.matchAll(/^tallyhook_problems\{code="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(all.map(([, code = '', count]) => [code, Number(count)] as const).filter(([, n]) => n > 0));
}

/** Makes the alerts due; the next signal judges them. */
const makeDue = () => {
  const nowMs = Date.now();
  const times = `next_run_at = ${nowMs - 1_000}, planned_from = ${nowMs - 2_000}`;
  disk.sql(database, `UPDATE jobs SET ${times} WHERE name = 'alerts' AND schedule IS NOT NULL`);
};

/** Makes `serve` judge, and returns the notices of the chat since then, once one of them matches. */
async function noticesOf(title: RegExp): Promise<string[]> {
  const before = chat.caught.length;
  const since = () => chat.caught.slice(before).map(({ body }) => body.text as string);
  let signalledAt = 0;
  const signal = () => {
    serve.signal('SIGHUP');
    signalledAt = Date.now();
  };
  await until(
    () => {
      if (Date.now() - signalledAt > 1_000) signal();
      return since().some((text) => title.test(text));
    },
    `the chat has ${title}`,
    30_000,
  ).catch((error) => {
    throw new Error(`${error.message}; it has: ${since().join(' | ')}; the log ends: ${serve.stderr.slice(-3000)}`);
  });
  return since();
}

/** The messages of the log since a place in it, each once. */
const messagesSince = (at: number) => [
  ...new Set(
    serve.stderr
      .slice(at)
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as { level: string; msg: string })
      .filter(({ level }) => level !== 'info')
      .map(({ msg }) => msg),
  ),
];

/** What the log may say above `info` while the disk is full: each is true, and none says that deliveries are kept. */
const TRUE_OF_A_FULL_DISK = new Set([
  'delivery not kept',
  'work of the writer failed; it is tried again',
  'the jobs thread failed at leasing due jobs',
  'the outbox could not be reached; it is tried again',
  'news not forwarded; it is tried again',
  'alert critical: not kept',
]);
const AT = '2026-\\d\\d-\\d\\d \\d\\d:\\d\\d Africa/Lagos';
const REFUSED_NOW = (why: string) =>
  new RegExp(`^- Deliveries are refused now: ${why}; \\d+ since ${AT}, the last ${AT}$`);
const NEARLY_FULL = /^- The disk is nearly full: [\d.]+ MB free of 294 MB; deliveries get 503 when it is$/;

const TARGET = { 'target shop': /^\d+ rows? fails?: unreachable after \d+ attempts? since / };
const noneRefused = (since: number) => expect(sender.count(200, since)).toBe(sender.answers.length - since);

test('when all is well, nothing else is said', NEEDS, async () => {
  await expectTold({ status: [], health: 0, doctor: TARGET });
  expect(chat.caught).toEqual([]);
  noneRefused(0);
});

test('a disk that fills slowly', NEEDS, async () => {
  const since = sender.answers.length;
  fill(100 * 2 ** 20);
  await expectTold({
    status: [NEARLY_FULL],
    health: 1,
    doctor: { 'free space': /^\d+\.?\d* MiB free of 280 MiB$/, ...TARGET },
  });
  noneRefused(since);
});

test(
  'a disk that is full at once is told from memory, and with count, from and to when it is over',
  NEEDS,
  async () => {
    const logged = serve.stderr.length;
    const since = sender.answers.length;
    makeDue();
    fill();
    await sender.more(PER_SECOND / 2, 503);
    const [notice = '', ...others] = await noticesOf(/critical: not kept/);
    expect(notice.split('\n\n').slice(0, 2)).toEqual([
      'shop-1: critical: not kept',
      expect.stringMatching(
        new RegExp(
          `^\\d+ deliver(y|ies) could not be kept and got 503 or 500 since ${AT}, the last ${AT}: the disk is full\\.$`,
        ),
      ),
    ]);
    expect(others.filter((text) => text.includes('not kept'))).toEqual([]);
    await expectTold({
      status: [REFUSED_NOW('the disk is full')],
      health: 1,
      doctor: {
        serve: /^runs \(http:\S+\)\. Deliveries are refused now: the disk is full; \d+ since /,
        'free space': /^0 MiB free of 280 MiB$/,
        ...TARGET,
      },
      metrics: { not_kept: 1 },
    });
    const open = 'tallyhook_alerts_open{cause="not_kept",severity="critical"} 1';
    const page = async () => (await fetch(`${serve.adminUrl}/metrics`)).text();
    await until(async () => (await page()).includes(open), `the metrics say ${open}`, 10_000);
    const checked = await run('alerts', 'check');
    expect([checked.code, checked.stderr]).toEqual([1, expect.stringContaining('critical: not kept')]);
    expect(chat.caught.at(-1)?.body.text).toContain('shop-1: critical: not kept');
    expect(messagesSince(logged)).toContain('delivery not kept');
    expect(messagesSince(logged).filter((message) => !TRUE_OF_A_FULL_DISK.has(message))).toEqual([]);

    rmSync(join(disk.seen, 'ballast'));
    await sender.more(PER_SECOND / 4, 200);
    const refused = sender.answers.slice(since).filter(({ status }) => status === 503);
    const counted = `${refused.length} since ${AT}, the last ${AT}`;
    await expectTold({
      status: [new RegExp(`^- Deliveries were refused until just now: the disk was full; ${counted}$`)],
      health: 1,
    });
    await expectCopyTellsOfItself();
    await quiet(refused.at(-1)?.atMs);
    makeDue();
    const over = await noticesOf(/recovered: not kept/);
    expect(over.filter((text) => text.includes('not kept'))).toEqual([
      expect.stringContaining(`${refused.length} deliveries could not be kept`),
    ]);
    expect(over.join('\n')).toMatch(
      new RegExp(`got 503 or 500 from ${AT} to ${AT}: the disk was full\\. Deliveries are kept again\\.`),
    );
    await expectFacts('not_kept', refused);
    await expectTold({ status: [], health: 0, doctor: TARGET, metrics: {} });
    expect((await run('status')).stdout).toContain(`of these ${refused.length} authentic, answered 503 or 500`);
  },
);

test('a disk that takes no more files is not called full', NEEDS, async () => {
  const since = sender.answers.length;
  const made = useUpFiles();
  await expectTold({
    status: [
      /^- The disk takes no more files \(inodes\), with [\d.]+ MB free of 294 MB: the next start, backup or report may fail$/,
    ],
    health: 1,
    doctor: {
      'free space': /^\d+\.?\d* MiB free of 280 MiB, and room for 0 more files \(inodes\)$/,
      ...TARGET,
    },
  });
  for (const path of made) rmSync(path);
  noneRefused(since);
});

test(
  'a held lock, then a changed key: each with its own reason, within the cool-down of the other',
  NEEDS,
  async () => {
    const since = sender.answers.length;
    makeDue();
    const holder = await disk.start(HOLD_THE_LOCK, ENGINE, database);
    await sender.more(5, 503);
    const [notice = ''] = await noticesOf(/critical: not kept/);
    expect(notice).toContain(': another program holds the lock of the database.');
    await expectTold({
      status: [REFUSED_NOW('another program holds the lock of the database')],
      health: 1,
    });
    killGroup(holder);
    await sender.more(PER_SECOND / 2, 200);
    const refused = sender.answers.slice(since).filter(({ status }) => status === 503);
    // The gaps of the outages would count as usual for a while.
    disk.sql(database, 'UPDATE arrivals SET gap_sum = 1000, gap_squares = 5000');

    sender.keys = { publicKey: 'pk_test_4f1c7b', secretKey: 'sk_test_after_rotation_1' };
    await sender.more(PER_SECOND / 4, 401);
    await quiet(refused.at(-1)?.atMs);
    const because = `since ${AT}: signature of another key, or of another body`;
    await expectTold({
      status: [new RegExp(`^- test: (\\d+) of the last \\1 deliveries refused ${because}$`)],
      health: 1,
      doctor: { deliveries: new RegExp(`^test: (\\d+) of the last \\1 deliveries refused ${because}$`), ...TARGET },
    });
    makeDue();
    const told = await noticesOf(/critical: deliveries refused, test/);
    expect(told.filter((text) => text.includes('not kept'))).toEqual([
      expect.stringMatching(
        new RegExp(`\n${refused.length} deliver(y|ies) could not .* to ${AT}: another program held the lock`),
      ),
    ]);
    await expectFacts('not_kept', refused);
    sender.keys = TEST_KEYS;
    await sender.more(PER_SECOND / 4, 200);
    await expectTold({ status: [], health: 0 });
  },
);

test('a service that is dead, and its clock', NEEDS, async () => {
  behindMs = 100_000;
  const examined = JSON.parse((await run('doctor', '--json')).stdout).checks as { name: string; detail: string }[];
  expect(examined.find(({ name }) => name === 'clock')?.detail).toMatch(/^1 min (39|4\d) s from the service's$/);
  behindMs = 0;
  isServiceDead = true;
  await run('sweep', '--limit', '3');
  await expectTold({ status: [], health: 0 }); // for seconds only
  disk.sql(database, 'UPDATE service_answers SET failing_since = failing_since - 180000');
  const down = `^- test: the service answers no status check since ${AT}, the last at ${AT}: \\S`;
  await expectTold({ status: [new RegExp(down)], health: 0, metrics: { service_down: 1 } });
  makeDue();
  const told = await noticesOf(/warning: service down, test/);
  expect(told.filter((text) => text.includes('service down'))).toHaveLength(1);
  isServiceDead = false;
  await run('sweep', '--limit', '3');
  await expectTold({ status: [], health: 0 });
});

test('a serve that is killed is not running at once, and none of its jobs is', NEEDS, async () => {
  serve.signal('SIGKILL');
  await serve.exited;
  const { stdout } = await run('status');
  const ended = `serve on \\S+, process ${serve.pid} ended without stopping in order, last seen ${AT}`;
  expect(stdout.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    expect.stringMatching(new RegExp(`^- serve is not running: ${ended}$`)),
  ]);
  expect(stdout).toMatch(/^serve +is not running$/m);
  expect(stdout).not.toMatch(/^jobs .*running/m);
  expect(await serveChecked(TEST_KEY_ENV)).toMatch(/^is not running: nothing listens there/);
});

async function serveChecked(env: Record<string, string>): Promise<string | undefined> {
  const { stdout } = await disk.command(['doctor', '--offline', '--json'], disk.folder, env);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string }[] };
  return checks.find(({ name }) => name === 'serve')?.detail;
}

/** A backup that is restored beside the running receiver says nothing of that receiver. */
async function expectCopyTellsOfItself(): Promise<void> {
  const backup = join(disk.folder, 'backup.db');
  expect((await run('backup', backup)).code).toBe(0);
  const env = { ...TEST_KEY_ENV, TALLYHOOK_DATABASE: join(disk.folder, 'copy.db') };
  const restored = await disk.command(['restore', backup, '--yes'], disk.folder, env);
  expect(restored.code, restored.stderr).toBe(0);
  const { stdout } = await disk.command(['status'], disk.folder, env);
  expect(stdout).toMatch(/^serve +has never run with this database$/m);
  expect(stdout).not.toContain(String(serve.pid));
  expect(await serveChecked(env)).toMatch(/^is not running with this database: process \d+ at \S+ has another one$/);
}

/** Count, from and to of the alert as it is kept are those of the answers that the sender got. */
async function expectFacts(cause: string, refused: readonly { readonly atMs: number }[]): Promise<void> {
  const { stdout } = await run('alerts', 'list', '--closed', '--cause', cause, '--json');
  const [{ facts, open }] = JSON.parse(stdout).items;
  expect([open, facts.deliveries]).toEqual([false, refused.length]);
  expect(Math.abs(facts.fromMs - (refused[0]?.atMs ?? 0))).toBeLessThan(1_000);
  expect(Math.abs(facts.toMs - (refused.at(-1)?.atMs ?? 0))).toBeLessThan(1_000);
}

/** Makes empty files until the disk takes no more. */
function useUpFiles(): string[] {
  const made: string[] = [];
  try {
    for (;;) {
      const path = join(disk.seen, `file-${made.length}`);
      writeFileSync(path, '');
      made.push(path);
    }
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    return made;
  }
}

/** Resolves when an outage is over whose last delivery was refused then. */
const quiet = (lastAtMs = 0) => until(() => Date.now() - lastAtMs > QUIET_MS + 1_500, 'the outage is over', 60_000);
