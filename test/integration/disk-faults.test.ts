import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { joinLog } from '../../src/store/sqlite/carry-out/join-log.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { type Audit, audit } from '../support/audit.ts';
import { command } from '../support/command.ts';
import { makeEmptyDatabase } from '../support/empty-database.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { Load } from '../support/load.ts';
import { expectStrace } from '../support/power/recording.ts';
import { killGroup } from '../support/processes.ts';
import { someOf } from '../support/random-runs.ts';
import { rawRequest } from '../support/raw-http.ts';
import { carriedOut } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { ENGINE, FILL_THE_LOG, HOLD_A_READER, SmallDisk } from '../support/small-disk.ts';
import { AS_ROOT } from '../support/tools.ts';
import { until } from '../support/wait.ts';
import { catchWebhooks } from '../support/webhook-catcher.ts';

let serve: Serve;
afterEach(() => serve?.kill());

const NEEDS_STRACE = { tags: ['strace'] };
const injecting = (fault: string, calls = '/dev/null') => {
  expectStrace();
  return ['strace', '-f', '--seccomp-bpf', '-o', calls, '-e', 'trace=fsync', '-e', `inject=${fault}`];
};

/** A file system of its own for the program: a real small disk, without touching the machine's mounts. */
const onSmallDisk = (folder: string) => {
  const mountThere = ['sh', '-c', 'mount -t tmpfs -o size=32m none "$0" && exec "$@"', folder];
  return ['unshare', ...AS_ROOT, '--mount', ...mountThere];
};

test('a full disk: 503 with Retry-After, nothing lost, and it continues when there is space again', {
  tags: ['mounts'],
}, async () => {
  const folder = temporaryFolder();
  serve = await Serve.start({ cwd: folder, database: join(folder, 'tallyhook.db'), under: onSmallDisk(folder) });
  const seen = `/proc/${serve.pid}/root${folder}`; // the same folder, from outside
  const load = new Load(serve.url, { connections: 16, seed: 5 });
  await until(() => load.ackedTotal > 100, 'load is under way');
  fill(join(seen, 'ballast'));
  const count = (status: number) => load.statuses.get(status) ?? 0;
  await until(() => count(503) > 20, 'deliveries are refused');
  const { fitted, refused, body } = await sendUntilRefused();
  expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([503, '5', '{"error":"unavailable"}']);
  expect((await fetch(`${serve.url}/healthz`)).status).toBe(200);
  const asItself = AS_ROOT.length > 0 ? ['--user', '--preserve-credentials'] : [];
  const there = ['nsenter', '--target', `${serve.pid}`, ...asItself, '--mount'];
  const env = { TALLYHOOK_DATABASE: join(folder, 'tallyhook.db') };
  const health = await command(['health'], { cwd: folder, env, under: there });
  expect([health.stderr, health.code]).toEqual([expect.stringContaining('The disk is full: '), 3]);
  rmSync(join(seen, 'ballast'));
  const before = load.ackedTotal;
  await until(() => load.ackedTotal > before + 100, 'it takes deliveries again');
  expect((await send(body)).status).toBe(200);
  await load.stop();
  expect([...load.statuses.keys()].sort()).toEqual([200, 503]);
  expect(load.unanswered).toBe(0);
  const acked = new Map([...load.acked, ...[...fitted, body].map((one) => [one, 1] as const)]);
  let found: Audit | null = null;
  await until(() => {
    found = auditCopy(seen, acked);
    return found !== null && found.lost + found.undercounted + found.wrongRecords.length === 0;
  }, 'the books have everything that was acknowledged');
  expect(found).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
  // Refusals are counted once a second.
  const counted = `of these ${count(503) + 1} authentic, answered 503 or 500`;
  await until(async () => {
    const { stdout } = await command(['status'], { cwd: folder, env, under: there });
    return stdout.includes(counted);
  }, `status says: ${counted}`);
  expect(await serve.stop()).toBe(0);
});

test('serve that was killed on a full disk starts, says so, and keeps deliveries by itself once there is space', {
  tags: ['mounts'],
}, async () => {
  const disk = await SmallDisk.make(temporaryFolder(), 'size=8m');
  const { folder: cwd, seen, under } = disk;
  const ballast = join(seen, 'ballast');
  const chat = await catchWebhooks();
  const adminPort = await freePort();
  const settings = `{database: tallyhook.db, admin: {port: ${adminPort}}, alerts: {webhook: {url: '${chat.url}'}}}`;
  writeFileSync(join(seen, 'tallyhook.yaml'), settings);
  const setup = { cwd, database: join(cwd, 'tallyhook.db'), under, env: { TALLYHOOK_ADMIN_PORT: adminPort } };
  serve = await Serve.start(setup);
  // What is sent from now on is not moved out of the log, and needs room outside of it.
  const reader = await disk.start(HOLD_A_READER, ENGINE, setup.database);
  const early = Array.from({ length: 20 }, (_, n) => bodyOf(`R-${n}`, 'x'.repeat(4_000)));
  expect((await Promise.all(early.map(send))).map(({ status }) => status)).toEqual(early.map(() => 200));
  fill(ballast);
  const { fitted, refused } = await sendUntilRefused();
  expect(refused.status).toBe(503);
  const acked = [...early, ...fitted];
  serve.signal('SIGKILL');
  await serve.exited;
  fill(ballast);
  const writer = await disk.start(
    FILL_THE_LOG,
    ENGINE,
    setup.database,
    packageFile('src/store/sqlite/engine/row-sums.ts'),
  );
  for (const child of [reader, writer]) killGroup(child);
  await Promise.all([reader, writer].map((child) => once(child, 'close')));

  serve = await Serve.start(setup);
  const ready = async () => {
    const response = await fetch(`${serve.adminUrl}/readyz`);
    const { reason = null } = (await response.json()) as { reason?: string };
    return [response.status, reason];
  };
  expect(await ready()).toEqual([503, 'deliveries are not kept: disk_full']);
  expect(serve.logged('the database cannot be opened: the disk is full; it is tried again')).toBeDefined();
  const { code, stdout } = await disk.command(['status'], cwd, TEST_KEY_ENV);
  const [verdict, problem] = stdout.split('\n');
  expect([code, verdict, problem]).toEqual([
    3,
    'One thing needs you:',
    expect.stringMatching(/^- Deliveries are refused now: the disk is full; none came since /),
  ]);
  expect(stdout).toContain(`process ${serve.pid} runs, and could not write that yet`);
  const incidents = await disk.command(['incidents', '--kind', 'not_kept'], cwd, TEST_KEY_ENV);
  expect([incidents.code, incidents.stdout]).toEqual([
    3,
    expect.stringContaining('Each delivery is answered 503 or 500: the disk is full.'),
  ]);
  await until(() => chat.caught.length > 0, 'an alert comes');
  expect(chat.caught[0]?.body.text).toMatch(
    /No delivery can be kept since .*, and none came so far: the disk is full\./,
  );
  const answers = await Promise.all(acked.map(send));
  expect(new Set(answers.map((one) => `${one.status} ${one.headers['retry-after']}`))).toEqual(new Set(['503 5']));

  rmSync(ballast);
  await until(async () => (await ready())[0] === 200, 'it is ready');
  const fresh = bodyOf('FRESH');
  expect((await send(fresh)).status).toBe(200);
  expect(await serve.stop()).toBe(0);
  const all = new Map([...acked, fresh].map((one) => [one, 1] as const));
  const found = auditCopy(seen, all);
  expect(found).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, wrongRecords: [], integrity: 'ok' });
  await chat.close();
});

/**
 * Asks for health, one question after the other, until a delivery is acknowledged, and counts the answers. A main thread
 * that waits for the disk answers one at most: the one it read before the delivery.
 */
async function healthAnswersDuring(body: string): Promise<number> {
  let acked = false;
  const ack = send(body).finally(() => {
    acked = true;
  });
  let answers = 0;
  while (!acked) {
    const { status } = await fetch(`${serve.url}/healthz`);
    if (!acked && status === 200) answers++;
  }
  expect((await ack).status).toBe(200);
  return answers;
}

const bodyOf = (reference: string, reason = '') =>
  `{"event":"refund.pending","data":{"refund_reference":"${reference}","reason":"${reason}"}}`;
const send = (body: string) =>
  rawRequest(serve.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });

/**
 * Sends deliveries one by one. A group that fills the disk extends the log before it fails, and a smaller one may fit
 * there: such a delivery is on disk and acknowledged. Each takes some of that space, so one is refused soon.
 */
async function sendUntilRefused() {
  const fitted: string[] = [];
  for (;;) {
    const body = bodyOf(`FULL-${fitted.length}`);
    const answer = await send(body);
    if (answer.status !== 200) return { fitted, refused: answer, body };
    fitted.push(body);
  }
}

/** Of copies: the engine would not follow the way into the program's own mounts. Null while the program writes under them. */
function auditCopy(seen: string, acked: ReadonlyMap<string, number>): Audit | null {
  const there = temporaryFolder();
  for (const name of ['tallyhook.inbox.db', 'tallyhook.db'])
    for (const file of [name, `${name}-wal`])
      if (existsSync(join(seen, file))) copyFileSync(join(seen, file), join(there, file));
  try {
    return audit(join(there, 'tallyhook.db'), acked);
  } catch {
    return null;
  }
}

function fill(path: string): void {
  for (const bytes of [2 ** 20, 2 ** 12]) {
    try {
      while (true) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  }
}

test(
  'a disk that turns read-only: 503, and it continues when the disk can be written again',
  NEEDS_STRACE,
  async () => {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    makeEmptyDatabase(database);
    const books = openDatabase(database);
    joinLog(books); // here, for a start makes it with writes of its own
    books.close();
    expectStrace();
    const readOnly = ['-e', 'trace=pwrite64', '-e', 'inject=pwrite64:error=EROFS:when=100..150'];
    serve = await Serve.start({
      cwd,
      database,
      under: ['strace', '-f', '--seccomp-bpf', '-o', '/dev/null', ...readOnly],
    });
    const load = new Load(serve.url, { connections: 8, seed: 3 });
    await until(() => (load.statuses.get(503) ?? 0) > 0 || serve.ended, 'deliveries are refused');
    expect((await fetch(`${serve.url}/healthz`)).status).toBe(200);
    const before = load.ackedTotal;
    await until(() => load.ackedTotal > before + 50, 'it takes deliveries again');
    await load.stop();
    expect([...load.statuses.keys()].sort()).toEqual([200, 503]);
    expect(serve.logged('delivery not kept')).toMatchObject({ fault: 'read_only' });
    expect(await serve.stop()).toBe(0);
    // Every thread meets the fault at its own 100th write: what the books could not take waits in the log.
    serve = await Serve.start({ cwd, database });
    await carriedOut(database);
    expect(await serve.stop()).toBe(0);
    expect(audit(database, load.acked)).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
  },
);

const FSYNCS = [
  ['once', 30, ''],
  ['for ever', 45, '+'],
] as const;

test.each(someOf(1, FSYNCS))(
  'an fsync that fails %s (the %ith): no ack any more, an exit that says why, nothing lost',
  NEEDS_STRACE,
  async (_name, n, more) => {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    makeEmptyDatabase(database); // each migration has an fsync of its own
    serve = await Serve.start({ cwd, database, under: injecting(`fsync:error=EIO:when=${n}${more}`) });
    const connections = 8;
    const load = new Load(serve.url, { connections, seed: n });
    // An fsync makes at most one delivery of each connection certain: more acks can only come after the one that failed.
    const mostAcks = connections * n;
    await until(() => serve.ended || load.ackedTotal > mostAcks, 'serve ends');
    load.moveTo(null);
    await load.stop();
    expect(load.ackedTotal).toBeLessThanOrEqual(mostAcks);
    expect(await serve.exited).toEqual({ code: 1, signal: null });
    const last = serve.logged('the database cannot be trusted; stopping');
    expect(last).toMatchObject({ level: 'fatal', hint: expect.stringContaining('Check it, then start again') });
    expect(JSON.stringify(last)).toContain('SQLITE_IOERR_FSYNC');

    serve = await Serve.start({ cwd, database });
    expect(await serve.stop()).toBe(0);
    expect(load.ackedTotal).toBeGreaterThan(0);
    expect(audit(database, load.acked)).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
  },
);

test(
  'a disk whose every fsync takes 200 ms: health answers meanwhile, and acks come in groups',
  NEEDS_STRACE,
  async () => {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    makeEmptyDatabase(database);
    const calls = join(temporaryFolder(), 'calls');
    serve = await Serve.start({ cwd, database, under: injecting('fsync:delay_enter=200000', calls) });
    const fsyncs = () => readFileSync(calls, 'utf8').match(/fsync\(/g)?.length ?? 0;
    let attempt = 0;
    const refund = (n: number) => `{"event":"refund.pending","data":{"refund_reference":"SLOW-${n}"}}`;
    await until(
      async () => (await healthAnswersDuring(refund(attempt++))) >= 3,
      'health answers while a delivery waits',
    );
    const before = fsyncs();
    const load = new Load(serve.url, { connections: 32, seed: 9 });
    await until(() => load.ackedTotal >= 100, 'load is acknowledged');
    const [acked, waits] = [load.ackedTotal, fsyncs() - before];
    await load.stop();
    expect(waits).toBeGreaterThan(0);
    // One event per fsync would be at most as many acks as fsyncs.
    expect(acked).toBeGreaterThan(2 * waits);
    expect([...load.statuses.keys()]).toEqual([200]);
    expect(await serve.stop()).toBe(0);
  },
);
