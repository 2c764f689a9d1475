import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ENVIRONMENT, V8_FLAGS } from '../../cli/runtime.js';
import { QUIET_MS } from '../../src/domain/alerts/outage.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { killGroup } from './processes.ts';
import { Serve } from './serve.ts';
import { SetClock } from './set-clock.ts';
import { TEST_KEY_ENV, TEST_KEYS } from './signer.ts';
import { ENGINE, HOLD_THE_LOCK, SmallDisk } from './small-disk.ts';
import { type SentDelivery, SteadySender } from './steady-sender.ts';
import type { Ended } from './tallyhook.ts';
import { until } from './wait.ts';
import { catchWebhooks } from './webhook-catcher.ts';

const MIB = 2 ** 20;
/** An outage of keeping is over after this jump of the clock. */
export const OUTAGE_OVER_MS = QUIET_MS + 1_000;
/** A judgement that waits for a lock takes ten seconds. */
const JUDGED_WITHIN_MS = 60_000;

/** What is true now: the sentences of `status` in their order, and what `health`, `doctor` and the metrics repeat of them. */
export interface Truth {
  readonly status: readonly RegExp[];
  /** How many of these `health` says, too: those about receiving. */
  readonly health: number;
  /** Of every check of `doctor` that is not well. */
  readonly doctor?: Readonly<Record<string, RegExp>>;
  /** The codes with their counts; the page is five seconds old at most, so it is read where it must have changed. */
  readonly metrics?: Readonly<Record<string, number>>;
}

/** The real `serve` on a small disk under a steady rate of deliveries. What it needs can be broken, and `mend` makes all of it whole. */
export class WatchedServe {
  /** How far the clock of the service is behind. */
  behindMs = 0;
  isServiceDead = false;
  #holder: ChildProcess | null = null;
  #files: string[] = [];
  readonly clock: SetClock;
  readonly disk: SmallDisk;
  readonly chat: Chat;
  readonly serve: Serve;
  readonly sender: SteadySender;
  readonly #service: Server;
  readonly #diskBytes: number;

  private constructor(
    parts: Pick<WatchedServe, 'clock' | 'disk' | 'chat' | 'serve' | 'sender'>,
    service: Server,
    diskBytes: number,
  ) {
    ({ clock: this.clock, disk: this.disk, chat: this.chat, serve: this.serve, sender: this.sender } = parts);
    this.#service = service;
    this.#diskBytes = diskBytes;
    this.#answerChecks();
    this.#empty();
  }

  /** A disk counts as nearly full below 256 MiB; the rest is for what the sender makes, which on a slow machine is more. */
  static async start(perSecond: number, diskMib = 400): Promise<WatchedServe> {
    const clock = new SetClock(temporaryFolder());
    const disk = await SmallDisk.make(temporaryFolder(), `size=${diskMib}m,nr_inodes=120`, clock);
    const chat = await catchWebhooks();
    const service = createServer();
    await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
    const adminPort = await freePort();
    writeFileSync(
      join(disk.seen, 'tallyhook.yaml'),
      `baseUrl: http://127.0.0.1:${(service.address() as AddressInfo).port}
database: tallyhook.db
admin: {port: ${adminPort}}
confirm: {perSecond: 20}
schedule: {sweep: null, backfill: null, health: null, alerts: 0 0 1 1 *}
alerts: {name: shop-1, webhook: {url: '${chat.url}'}}
forward:
  targets: [{name: shop, url: 'http://127.0.0.1:${await freePort()}', secrets: ['whsec_${'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4'}'], when: received, events: [refund.rejected]}]
`,
    );
    const { under, folder: cwd } = disk;
    const node = [process.execPath, ...V8_FLAGS, ...clock.node];
    const env = { TALLYHOOK_ADMIN_PORT: adminPort, ...ENVIRONMENT, ...clock.env };
    const serve = await Serve.start({ cwd, database: join(cwd, 'tallyhook.db'), under, node, env });
    const sender = new SteadySender(serve.url, perSecond, () => clock.nowMs());
    const watched = new WatchedServe({ clock, disk, chat, serve, sender }, service, diskMib * MIB);
    await sender.more(perSecond, 200);
    await until(() => watched.#isTargetFailing(), 'news has failed at the dead target');
    return watched;
  }

  async close(): Promise<void> {
    await this.sender.stop();
    await this.serve.kill();
    await this.chat.close();
    this.#service.closeAllConnections();
    this.#service.close();
  }

  run(...args: string[]): Promise<Ended> {
    return this.runWith({}, ...args);
  }

  runWith(env: Record<string, string>, ...args: string[]): Promise<Ended> {
    return this.disk.command(args, this.disk.folder, { ...TEST_KEY_ENV, ...env });
  }

  sql(statement: string): void {
    this.disk.sql(join(this.disk.folder, 'tallyhook.db'), statement);
  }

  /** Fills the disk but for so many bytes. */
  fill(leftBytes = 0): void {
    if (leftBytes > 0) writeFileSync(this.#ballast, Buffer.alloc(this.#diskBytes - leftBytes));
    else for (const bytes of [MIB, 4_096]) untilFull(() => writeFileSync(this.#ballast, Buffer.alloc(bytes), APPEND));
  }

  /** Makes empty files until the disk takes no more. */
  useUpFiles(): void {
    untilFull(() => {
      const path = join(this.disk.seen, `file-${this.#files.length}`);
      writeFileSync(path, '');
      this.#files.push(path);
    });
  }

  async holdTheLock(): Promise<void> {
    this.#holder = await this.disk.start(HOLD_THE_LOCK, ENGINE, join(this.disk.folder, 'tallyhook.inbox.db'));
  }

  /** The service is dead, for three minutes already. */
  async killService(): Promise<void> {
    this.isServiceDead = true;
    await this.run('sweep', '--limit', '3');
    this.sql('UPDATE service_answers SET failing_since = failing_since - 180000');
  }

  changeKey(): void {
    this.sender.keys = { publicKey: 'pk_test_4f1c7b', secretKey: 'sk_test_after_rotation_1' };
  }

  /** The sender gets 200 again, and the books tell of every answer until then; where the clock stands, it stays so. */
  async mend(): Promise<void> {
    this.#empty();
    for (const path of this.#files.splice(0)) rmSync(path);
    if (this.#holder !== null) killGroup(this.#holder);
    this.sender.keys = TEST_KEYS;
    this.isServiceDead = false;
    this.behindMs = 0;
    if (this.serve.ended) return;
    await this.sender.rest();
    let carriedOut = 0;
    const isInBooks = async () => {
      const { waiting, refused, received } = await this.#status();
      carriedOut = sumOf(received);
      return waiting.deliveries === 0 && refused.count === this.sender.answers.length - this.sender.count(200);
    };
    await until(isInBooks, 'the books tell of every answer');
    this.sender.goOn();
    await this.sender.more(WELL, 200);
    const isWell = async () => sumOf((await this.#status()).received) >= carriedOut + WELL;
    await until(isWell, 'deliveries are carried out again');
  }

  async #status(): Promise<StatusCounts> {
    return JSON.parse((await this.run('status', '--json')).stdout);
  }

  /** Fills the disk while the alerts are due: not even their lease can be written. */
  async fillWhileDue(): Promise<void> {
    do {
      this.#empty();
      this.makeDue();
      this.fill();
    } while (!(await this.#areAlertsDue())); // each full minute serve looks for due jobs, also between the two
  }

  /** Makes the alerts due, which by the schedule they are once a year; the next signal judges them. */
  makeDue(): void {
    const nowMs = this.clock.nowMs();
    const times = `next_run_at = ${nowMs - 1_000}, planned_from = ${nowMs - 2_000}`;
    this.sql(`UPDATE jobs SET ${times} WHERE name = 'alerts' AND schedule IS NOT NULL`);
  }

  /** The notices that the chat got since so many, of this title. */
  notices(since: number, title = /^/): string[] {
    const all = this.chat.caught.slice(since).map(({ body }) => body.text as string);
    return all.filter((text) => title.test(text.split('\n')[0] ?? ''));
  }

  /** Lets `serve` judge until the chat has such a notice; `first` is done before each judgement. */
  async noticed(title: RegExp, since: number, first: () => void = () => {}): Promise<void> {
    let signalledAt = 0;
    const has = () => this.notices(since, title).length > 0;
    const judgeAgain = () => {
      if (has()) return true;
      if (performance.now() - signalledAt < 1_000) return false;
      first();
      this.serve.signal('SIGHUP');
      signalledAt = performance.now();
      return false;
    };
    await until(judgeAgain, `the chat has ${title}`, JUDGED_WITHIN_MS).catch((error) => {
      const seen = this.notices(since).join(' | ');
      throw new Error(`${error.message}; it has: ${seen}; the log ends: ${this.serve.stderr.slice(-3_000)}`);
    });
  }

  /** The messages of the log above `info` since a place in it, each once. */
  messages(since: number): string[] {
    const lines = this.serve.stderr.slice(since).split('\n');
    const read = lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line));
    return [...new Set(read.filter(({ level }) => level !== 'info').map(({ msg }) => msg as string))];
  }

  /** Compares what `status`, `health`, `doctor` and the metrics say with the truth, word for word. */
  async expectTold({ status, health, doctor, metrics }: Truth): Promise<void> {
    const seen = await this.run('status');
    expect(problemsIn(seen.stdout), seen.stdout).toEqual(matching(status));
    const { length: count } = status;
    const many = count === 1 ? 'One thing needs you:' : `${count} things need you:`;
    expect(seen.stdout.split('\n')[0]).toBe(count === 0 ? 'Everything is well.' : many);
    expect(seen.code).toBe(count === 0 ? 0 : 3);
    const told = await this.run('health');
    const lines = told.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('  ') && !IN_LOG.test(line));
    expect(lines.map((line) => `- ${line.replace(/\.$/, '')}`)).toEqual(matching(status.slice(0, health)));
    if (doctor !== undefined) {
      const checks = (await this.doctor('--offline')).filter(({ status }) => ['failed', 'warning'].includes(status));
      const expected = Object.entries(doctor).map(([name, text]) => [name, expect.stringMatching(text)]);
      expect(Object.fromEntries(checks.map(({ name, detail }) => [name, detail]))).toEqual(
        Object.fromEntries(expected),
      );
    }
    if (metrics === undefined) return;
    const expected = JSON.stringify(metrics);
    const asExpected = async () => JSON.stringify(await this.#problemGauges()) === expected;
    await until(asExpected, `the metrics say ${expected}`);
  }

  async doctor(...args: string[]): Promise<{ name: string; status: string; detail: string }[]> {
    return JSON.parse((await this.run('doctor', '--json', ...args)).stdout).checks;
  }

  async #isTargetFailing(): Promise<boolean> {
    const checks = await this.doctor('--offline');
    return checks.some(({ name, status }) => name === 'target shop' && ['failed', 'warning'].includes(status));
  }

  /** Count, from and to of the latest closed alert are those of the answers that the sender got. */
  async expectFacts(cause: string, refused: readonly SentDelivery[]): Promise<void> {
    const { stdout, stderr } = await this.run('alerts', 'list', '--closed', '--cause', cause, '--json');
    expect(stderr).toBe('');
    const [{ facts, open }] = JSON.parse(stdout).items;
    expect([open, facts.deliveries]).toEqual([false, refused.length]);
    // The first that was refused was sent before, and the answers were read after; the same of the last.
    const [sent, read] = [refused.map(({ sentAtMs }) => sentAtMs), refused.map(({ atMs }) => atMs)];
    expect(facts.fromMs).toBeGreaterThanOrEqual(Math.min(...sent));
    expect(facts.fromMs).toBeLessThanOrEqual(Math.min(...read));
    expect(facts.toMs).toBeGreaterThanOrEqual(Math.max(...sent));
    expect(facts.toMs).toBeLessThanOrEqual(Math.max(...read));
  }

  get #ballast(): string {
    return join(this.disk.seen, 'ballast');
  }

  /** The ballast stays as an empty file: a disk without inodes would not take it again. */
  #empty(): void {
    writeFileSync(this.#ballast, '');
  }

  #answerChecks(): void {
    this.#service.on('request', (request, response) => {
      if (this.isServiceDead) {
        request.socket.destroy();
        return;
      }
      const reference = decodeURIComponent(request.url ?? '')
        .split('/')
        .pop();
      response.setHeader('date', new Date(this.clock.nowMs() - this.behindMs).toUTCString());
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, data: { refund_reference: reference, status: 'pending' } }));
    });
  }

  async #areAlertsDue(): Promise<boolean> {
    const jobs = JSON.parse((await this.run('schedule', 'list', '--json')).stdout).items;
    const { nextRunAt, running } = jobs.find(({ job }: { job: string }) => job === 'alerts');
    return running === null && Date.parse(nextRunAt) < this.clock.nowMs();
  }

  async #problemGauges(): Promise<Record<string, number>> {
    const page = await (await fetch(`${this.serve.adminUrl}/metrics`)).text();
    const all = [...page.matchAll(/^tallyhook_problems\{code="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(
      all.map(([, code = '', count]) => [code, Number(count)] as const).filter(([, n]) => n > 0),
    );
  }
}

/** Of `status --json`. */
interface StatusCounts {
  readonly waiting: { readonly deliveries: number };
  readonly refused: { readonly count: number };
  readonly received: readonly { readonly deliveries: number }[];
}

const sumOf = (received: StatusCounts['received']) => received.reduce((sum, { deliveries }) => sum + deliveries, 0);

/** Deliveries that are kept and carried out before all is called well again. */
const WELL = 20;

type Chat = Awaited<ReturnType<typeof catchWebhooks>>;

const APPEND = { flag: 'a' };

/** The sentences of `status` about what is not well. */
export const problemsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('- '));

const matching = (all: readonly RegExp[]) => all.map((one) => expect.stringMatching(one));

function untilFull(write: () => void): void {
  try {
    for (;;) write();
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  }
}

// The sentences, with what differs from run to run left open.

/** Said beside any of them while the books cannot be written; how long they already cannot is chance. */
const IN_LOG = /^(One delivery waits|\d+ deliveries wait) in the log, and (is|are) not shown yet\.$/;
export const AT = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d Africa/Lagos';
export const REFUSED_NOW = (why: string) =>
  new RegExp(`^- Deliveries are refused now: ${why}; \\d+ since ${AT}, the last ${AT}$`);
export const DISK_IS_FULL = 'the disk is full';
export const LOCK_IS_HELD = 'another program holds the lock of the database or of its log';
export const NEARLY_FULL = /^- The disk is nearly full: [\d.]+ MB free of \d+ MB; deliveries get 503 when it is$/;
export const NO_MORE_FILES =
  /^- The disk takes no more files \(inodes\), with [\d.]+ MB free of \d+ MB: the next start, backup or report may fail$/;
const OTHER_KEY = `since ${AT}: signature of another key, or of another body`;
export const ANOTHER_KEY = new RegExp(`^- test: (\\d+) of the last \\1 deliveries refused ${OTHER_KEY}$`);
export const SERVICE_DOWN = new RegExp(
  `^- test: the service answers no status check since ${AT}, the last at ${AT}: \\S`,
);
