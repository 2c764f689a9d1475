import { copyFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import type { RowComparison } from '../../../src/store/upkeep.ts';
import { answeredNo, note, print, printJson, printTable, verdictText } from '../../show/output.ts';
import { sweepTheDay, trackOrders } from './confirm.ts';
import { DAY_SETTINGS, playTheDay } from './day.ts';
import { Machine } from './machines/machine.ts';
import { type DemoPostgres, startPostgres } from './machines/postgres.ts';
import { type ProxyCounts, startProxy } from './machines/proxy.ts';
import { temporaryFolder } from './run.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
/** From this webhook of the day on the next one that is on its way to the second machine kills it: a third of them came before. */
const KILLED_AT = 15;
/** Longest wait for all machines to carry out the log, and the pause between two looks. */
const CARRIED_OUT_MS = 60_000;
const LOOK_MS = 100;

/** What the demo of several machines found. */
interface MachinesStory {
  readonly machines: readonly MachineRow[];
  /** The machine that was killed, and at which webhook. */
  readonly killed: { readonly machine: string; readonly atWebhook: number };
  readonly webhooks: ProxyCounts;
  readonly sweep: { readonly checked: number; readonly confirmed: number };
  /** The first machine's rows beside those of each other one. */
  readonly books: { readonly tables: number; readonly rows: number; readonly differing: readonly string[] };
}

interface MachineRow {
  readonly machine: string;
  readonly events: number;
  readonly deliveries: number;
  readonly carriedOut: number;
}

/** Plays the day at several machines that share one log, kills one in the middle, and compares their databases row by row. */
export async function runMachinesDemo({
  machines: count,
  seed,
  json,
}: {
  machines: number;
  seed: number;
  json: boolean | undefined;
}): Promise<void> {
  const started: Machine[] = [];
  // Before the folder is removed, also when a signal stops this process.
  process.once('exit', () => {
    for (const one of started) one.killNow();
  });
  const folder = temporaryFolder();
  let postgres: DemoPostgres | null = null;
  const sandbox = await startSandbox({ seed, clock: 'manual', settings: DAY_SETTINGS });
  try {
    note(`${count} machines with one log: PostgreSQL and the machines start …`);
    postgres = await startPostgres(folder);
    const { url } = postgres;
    const machines = NAMES.slice(0, count).map((name) => new Machine(name, { folder, sandbox, url }));
    started.push(...machines);
    await startAll(machines);
    const story = await playOn(machines, sandbox);
    await Promise.all(machines.map((machine) => machine.end('SIGTERM')));
    postgres.kill();
    await postgres.ended;
    if (json) printJson({ seed, ...story });
    else show(story);
    if (!holds(story)) answeredNo();
  } finally {
    await sandbox.close();
    for (const one of started) one.killNow();
    postgres?.kill();
  }
}

/** The first one begins with its database, and each other one has the same audit key and an empty folder. */
async function startAll([first, ...others]: readonly Machine[]): Promise<void> {
  if (first === undefined) return;
  await storeOf(first.config).cluster?.begin({ owner: null, again: false });
  for (const { config } of others) copyFileSync(first.config.audit.key.file, config.audit.key.file);
  await first.start();
  await Promise.all(others.map((machine) => machine.start()));
}

async function playOn(machines: readonly Machine[], sandbox: Sandbox): Promise<MachinesStory> {
  const [first, second] = machines as [Machine, Machine, ...Machine[]];
  let killed: Promise<void> | null = null;
  let atWebhook = 0;
  const proxy = await startProxy(
    () => machines.flatMap(({ url }) => url ?? []),
    (number) => {
      // The proxy takes them in turn: this one goes to the second machine first.
      if (killed !== null || number < KILLED_AT || number % machines.length !== 1) return;
      atWebhook = number;
      killed = second.end('SIGKILL');
    },
  );
  try {
    sandbox.setWebhookUrl(`${proxy.url}/webhooks/test`);
    await trackOrders(first.config);
    note('The day begins; each webhook goes to the next machine …');
    await playTheDay(sandbox);
    await killed;
    note(`Machine ${second.name} was killed at webhook ${atWebhook}; it starts again, with its folder …`);
    await second.start();
    const { checked, confirmed } = await sweepTheDay(first.config);
    const rows = await carriedOutByAll(machines);
    const books = await booksOf(first, machines.slice(1));
    const webhooks = { ...proxy.counts };
    return {
      machines: rows,
      killed: { machine: second.name, atWebhook },
      webhooks,
      sweep: { checked, confirmed },
      books,
    };
  } finally {
    proxy.close();
  }
}

/** Waits until each machine has carried out the whole log. */
async function carriedOutByAll(machines: readonly Machine[]): Promise<MachineRow[]> {
  const [first] = machines as [Machine, ...Machine[]];
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const status = await storeOf(first.config).cluster?.status();
    const nodes = status?.nodes ?? [];
    const isThere = ({ name }: Machine) =>
      nodes.some((node) => node.name === name && node.lives && node.carriedOut === status?.head.seq);
    if (machines.every(isThere)) return Promise.all(machines.map((machine) => rowOf(machine, status?.head.seq ?? 0)));
    if (waitedMs >= CARRIED_OUT_MS)
      throw new TallyhookError('A machine did not carry out the whole log within a minute.', { kind: 'failed' });
    await pause(LOOK_MS);
  }
}

async function rowOf({ name, config }: Machine, carriedOut: number): Promise<MachineRow> {
  const archive = await storeOf(config).archive();
  try {
    const { events, deliveries } = await archive.stats();
    return { machine: name, events, deliveries, carriedOut };
  } finally {
    await archive.close();
  }
}

async function booksOf(first: Machine, others: readonly Machine[]): Promise<MachinesStory['books']> {
  const { upkeep } = storeOf(first.config);
  const compared: RowComparison[] = [];
  for (const { config } of others) compared.push(await upkeep.compare(config.database));
  const [{ tables, rows } = { tables: 0, rows: 0 }] = compared;
  return { tables, rows, differing: [...new Set(compared.flatMap(({ differing }) => differing))] };
}

/** No webhook was refused for want of a machine, and all books are the same. */
function holds({ webhooks, books, sweep }: MachinesStory): boolean {
  return (
    books.differing.length === 0 && books.rows > 0 && webhooks.acknowledged > 0 && sweep.confirmed === sweep.checked
  );
}

function show({ machines, killed, webhooks, sweep, books }: MachinesStory): void {
  print(
    `${webhooks.came} webhooks came to the proxy, ${webhooks.acknowledged} were acknowledged; machine ${killed.machine} was killed at webhook ${killed.atWebhook}, and ${webhooks.again} went to another machine.`,
  );
  print(
    `One machine asked the service for ${sweep.checked} records, and ${sweep.confirmed} are confirmed on all of them.`,
  );
  printTable(machines, [
    { header: 'machine', value: ({ machine }) => machine },
    { header: 'events', value: ({ events }) => events, align: 'right' },
    { header: 'deliveries', value: ({ deliveries }) => deliveries, align: 'right' },
    { header: 'entries carried out', value: ({ carriedOut }) => carriedOut, align: 'right' },
  ]);
  const isEqual = books.differing.length === 0;
  const verdict = isEqual
    ? `The databases are equal: ${books.rows} rows of ${books.tables} tables, compared column by column.`
    : `The databases differ in: ${books.differing.join(', ')}.`;
  print(verdictText(verdict, isEqual));
}
