import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import type { LeasedCheck } from '../../src/store/checks.ts';
import { askForSums, Comparison, keepThisNode } from '../../src/store/cluster/divergence.ts';
import { DueWork } from '../../src/store/cluster/due-work.ts';
import { newEntry, packWrite } from '../../src/store/cluster/entry.ts';
import { rebuildFromSnapshot, stateOf } from '../../src/store/cluster/join.ts';
import { leaveCluster } from '../../src/store/cluster/life.ts';
import { type OpenSharedBooks, openSharedBooks } from '../../src/store/cluster/open-books.ts';
import { programVersion } from '../../src/store/cluster/program-version.ts';
import { openRecentEntries, recentFileOf } from '../../src/store/cluster/recent-entries.ts';
import { settingsDigest } from '../../src/store/cluster/shared-settings.ts';
import { putSnapshot } from '../../src/store/cluster/snapshot.ts';
import { upgradeCluster } from '../../src/store/cluster/upgrade.ts';
import { StoreError } from '../../src/store/error.ts';
import type { Delivery, InboxOptions } from '../../src/store/inbox.ts';
import { openStore } from '../../src/store/open.ts';
import { auditKey, usualKeyFile } from '../../src/store/sqlite/engine/audit-key.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import type { OpenInbox } from '../../src/store/store.ts';
import { thisProcess } from '../../src/store/this-machine.ts';
import { begun, linesOf, orderOf, removed, totalsOf } from '../contract/store/importing.ts';
import { refund } from '../support/deliveries.ts';
import { makeEmptyDatabase } from '../support/empty-database.ts';
import { START_MS } from '../support/fixed-clock.ts';
import { type Machine, type SeveralMachines, severalMachines } from '../support/several-machines.ts';
import { startHolder } from '../support/shared-log/sender.ts';
import { workOnce } from '../support/shared-log/work-once.ts';
import { until } from '../support/wait.ts';

/* What machines that share a log do when something is wrong with one of them, or with the log. */

let machines: SeveralMachines;
beforeEach(async () => {
  machines = await severalMachines();
});
afterEach(() => machines.remove());

const filter = { kinds: ['refund'], environments: ['test'] } as const;
const leaseAll = ({ operations }: OpenInbox) => operations.checks.lease({ filter, limit: 10, leaseMs: 60_000 });
const pending = (reference: string) => refund(reference, 'pending');

function rows<Row>(machine: Machine, statement: string): Row[] {
  const database = openDatabase(machine.path, { readonly: true });
  try {
    return database.prepare<[], Row>(statement).pluck().all();
  } finally {
    database.close();
  }
}

const references = (machine: Machine) => rows<string>(machine, 'SELECT reference FROM refunds ORDER BY reference');

/** Appends deliveries as another machine does. */
async function receivedElsewhere(...deliveries: readonly Delivery[]): Promise<void> {
  const entries = deliveries.map((delivery, n) => ({
    id: `${machines.log.entries.length + n}`.padStart(32, '0'),
    version: programVersion(),
    bytes: packWrite({ kind: 'deliveries', deliveries: [delivery] }),
  }));
  await machines.log.open('elsewhere', null).append(entries);
}

const messageOf = (promise: Promise<unknown> = Promise.resolve()) =>
  promise.then(
    () => 'nothing failed',
    ({ message }) => message,
  );

test('deliveries that arrive before the first machine has begun are the first that it carries out', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  await receivedElsewhere(pending('R1'));
  await one.serve();
  await two.serve();
  await machines.carriedOut(one, two);
  expect([references(one), references(two)]).toEqual([['R1'], ['R1']]);
});

test('a database of one machine alone receives nothing into a log that may be of others, until the log has said whose it is', async () => {
  const one = machines.machine('one');
  machines.log.fault = new StoreError('cluster_unreachable', 'It is away.');
  const inbox = await one.serve();
  machines.log.fault = null;
  machines.log.head = { ...machines.log.head, installation: 'another' };
  expect(await messageOf(inbox.keep(pending('R1')))).toContain('is not part of the cluster yet');
  expect(machines.log.entries).toEqual([]);
});

test('a machine that has halted does not leave, and what others append while one leaves is carried out by it', async () => {
  const one = machines.machine('one');
  await one.serve();
  await one.stop();
  await receivedElsewhere(pending('R1'));
  const checkRules = { ...STANDARD_CHECK_RULES, attempts: 3 };
  const halted = leaveCluster({ ...one.order, checkRules }, async () => {});
  expect(await messageOf(halted)).toContain('The settings of this node, one, are not those of the cluster');
  expect(stateOf(one.path)?.seq).toBe(0);
  await leaveCluster(one.order, () => receivedElsewhere(pending('R2')));
  expect([stateOf(one.path), references(one)]).toEqual([null, ['R1', 'R2']]);
});

test('a copy of the log is carried out, and nothing is taken to work on because of it', async () => {
  const one = machines.machine('one');
  await receivedElsewhere(pending('R1'));
  machines.log.head = { ...machines.log.head, isCopy: true };
  const inbox = await one.serve();
  await machines.carriedOut(one);
  expect(await messageOf(leaseAll(inbox))).toContain('The log is a copy');
});

test('the log of another installation is neither upgraded nor rebuilt from, nor shown as that of this machine; nothing takes the place of a database of one machine alone, or comes to a machine that only receives', async () => {
  const one = machines.machine('one');
  await one.serve();
  await one.stop();
  const { installation } = machines.log.head;
  machines.log.head = { ...machines.log.head, installation: 'another', version: 'another' };
  for (const work of [upgradeCluster(one.order), rebuildFromSnapshot(one.order, START_MS), one.store.cluster?.status()])
    expect(await messageOf(work)).toContain('another installation');
  machines.log.head = { ...machines.log.head, installation };
  const alone = machines.machine('two');
  makeEmptyDatabase(alone.path);
  expect(await messageOf(rebuildFromSnapshot(alone.order, START_MS))).toContain('is of one machine alone');
  const gate = machines.machine('gate');
  const { order } = gate;
  const receiving = { ...order, cluster: { ...order.cluster, roles: ['receive'] as const } };
  expect(await messageOf(rebuildFromSnapshot(receiving, START_MS))).toContain('only receives');
  expect(existsSync(gate.path)).toBe(false);
  expect(machines.log.entries).toEqual([]);
});

test('the timeline that a machine has seen is in its database: the server from before a failover is refused after a restart, too', async () => {
  const one = machines.machine('one');
  await one.serve();
  await one.stop();
  machines.log.head = { ...machines.log.head, timeline: 2 };
  await one.serve();
  await one.stop();
  machines.log.head = { ...machines.log.head, timeline: 1 };
  const inbox = await one.serve();
  for (const work of [() => inbox.keep(pending('R1')), () => one.store.cluster?.status()])
    expect(await messageOf(work())).toContain('from before a failover');
  expect(machines.log.entries).toEqual([]);
});

test('what a crash of the machine took from its newest entries is read again, and offered when a failover loses it', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  await receivedElsewhere(...['R1', 'R2', 'R3'].map(pending));
  await one.serve();
  await machines.carriedOut(one);
  await one.stop();
  writeFileSync(recentFileOf(one.path), 'damaged');
  await one.serve();
  await until(() => placesIn(one) === 3, 'they are read again');
  await one.stop();
  machines.log.loseAfter(1);
  await one.serve();
  await two.serve();
  await until(() => references(two).length === 3, 'they are in the log again');
  const told = 'carried out behind entry 1: 2 entries are in it again';
  await until(() => one.faults.some((fault) => fault.includes(told)), 'it says what the log lost');
});

test('what a crash of the machine took from its database is carried out again; a request is on its disk before money moves', async () => {
  const one = machines.machine('one');
  await receivedElsewhere(pending('R1'));
  await one.serve();
  await machines.carriedOut(one);
  await one.stop();
  const before = readFileSync(one.path);
  await receivedElsewhere(pending('R2'));
  const { database, books, close } = await openSharedBooks(one.order, thisProcess());
  await books.carryOut();
  expect(database.pragma('synchronous', { simple: true })).toBe(1);
  const input = [{ environment: 'test', endpoint: 'payout' }];
  await books.write({ kind: 'request', method: 'prove', input, under: books.under });
  expect(database.pragma('synchronous', { simple: true })).toBe(2);
  await close();
  for (const end of ['-wal', '-shm']) rmSync(`${one.path}${end}`, { force: true });
  writeFileSync(one.path, before);
  await one.serve();
  await machines.carriedOut(one);
  expect(references(one)).toEqual(['R1', 'R2']);
});

test('of the newest entries those are read again that the log still has', async () => {
  const one = machines.machine('one');
  await receivedElsewhere(...['R1', 'R2', 'R3'].map(pending));
  await one.serve();
  await machines.carriedOut(one);
  await one.stop();
  rmSync(recentFileOf(one.path));
  machines.log.entries = machines.log.entries.filter(({ seq }) => seq > 1);
  machines.log.pruned = 1;
  await one.serve();
  await until(() => placesIn(one) === 1, 'the one behind the oldest is read again');
  expect(one.faults).toEqual([]);
});

function placesIn({ path }: Machine): number {
  const recent = openRecentEntries(path);
  try {
    return recent.places(1_000).length;
  } finally {
    recent.close();
  }
}

test('refusals whose append was answered by an error are in the log once', async () => {
  const one = machines.machine('one');
  const inbox = await one.serve();
  let failures = 0;
  machines.log.onAppended = () => {
    if (failures++ === 0) throw new StoreError('cluster_unreachable', 'The answer was lost.');
  };
  const about = { path: '/webhooks/test', lastPath: '/webhooks/test', reason: 'signature', count: 3 };
  const times = { firstAtMs: START_MS, lastAtMs: START_MS };
  inbox.countRefusals([{ ...about, ...times, likeness: 'other', environments: ['test'] }], []);
  await until(() => machines.log.entries.length > 0 && failures > 1, 'it is appended again');
  await machines.carriedOut(one);
  await one.stop();
  const archive = await one.store.archive();
  expect((await archive.stats()).refusals).toMatchObject([{ count: 3 }]);
  await archive.close();
});

test('a machine with another key of the audit chain is refused, and told from where to copy the right one', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two', { key: false })];
  await one.serve();
  const snapshots = machines.log.snapshots.splice(0); // it is told before one is loaded
  await expect(two.serve()).rejects.toMatchObject({
    fault: 'audit_key',
    message: expect.stringContaining('no key file'),
  });
  await two.stop();
  auditKey(usualKeyFile(two.path), two.path).make();
  const refused = { fault: 'audit_key', hint: expect.stringContaining('Copy audit.key from one') };
  await expect(two.serve()).rejects.toMatchObject(refused);
  machines.log.snapshots.push(...snapshots);
  await Promise.all([one.stop(), two.stop()]);
  await expect(two.serve()).rejects.toMatchObject(refused); // also while the others are stopped
});

test('a database whose entries the log lost is no snapshot', async () => {
  const one = machines.machine('one');
  await one.serve();
  await receivedElsewhere(pending('R1'), pending('R2'));
  await machines.carriedOut(one);
  await one.stop();
  machines.log.loseAfter(1);
  await expect(putSnapshot(one.order)).rejects.toMatchObject({ fault: 'beside_log' });
  expect(machines.log.snapshots).toHaveLength(1);
});

test('a statement of thousands of lines, imported and removed by a command beside serve, leaves the same rows on every machine', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  await one.serve();
  await two.serve();
  const command = await one.store.operations();
  const handle = { operations: async () => command } as never;
  const lines = linesOf('a'.repeat(2_000));
  const statement = await begun(handle, orderOf('large'));
  for (let from = 0; from < lines.length; from += 1_000)
    await command.statements.keep({ statement, lines: lines.slice(from, from + 1_000), unparsed: [] });
  while (!(await command.statements.finish({ statement, totals: totalsOf(lines.length) })).done);
  await machines.carriedOut(one, two);
  expect(machines.differences(one, two)).toEqual([]);
  expect(await removed(handle, statement)).toMatchObject({ lines: lines.length });
  await machines.carriedOut(one, two);
  expect(machines.differences(one, two)).toEqual([]);
  await command.close();
});

test('one snapshot at a time is put in when it is due: of another program, or when the newest is of a node that has stopped', async () => {
  const one = machines.machine('one');
  await one.serve();
  await one.stop();
  const open = await openSharedBooks(one.order, thisProcess());
  const due = new DueWork(one.order);
  const looks = () => Promise.all([due.look(open), due.look(open)]);
  const facts = { schema: 1, roles: ['receive', 'work'], keys: [], auditKey: null, version: 'any' } as const;
  const node = (name: string, stopped: string | null) => ({ ...facts, id: name, name, carriedOut: 0, stopped });
  await open.log.seen(node('one', null));
  await looks();
  expect(machines.log.snapshots).toHaveLength(1);
  const newest = machines.log.snapshots[0];
  if (newest === undefined) throw new Error('There is a snapshot.');
  machines.log.snapshots = [{ ...newest, facts: { ...newest.facts, version: 'an older program' } }];
  await looks();
  expect(machines.log.snapshots).toHaveLength(2);
  machines.log.snapshots = [{ ...newest, facts: { ...newest.facts, node: 'two' } }];
  await open.log.seen(node('two', 'it differs'));
  await looks();
  await looks();
  const last = () => machines.log.snapshots.at(-1)?.facts.id;
  expect([machines.log.snapshots.length, last()]).toEqual([2, 2]);
  due.noteUnfit(); // it could not load the newest
  await looks();
  expect(last()).toBe(3);
  await open.close();
});

test('of two that differ both stop; the one that a person keeps goes on, and the other is rebuilt from it, with its database set aside', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  await one.serve();
  await two.serve();
  await machines.carriedOut(one, two);
  await two.stop();
  const changed = openDatabase(two.path);
  changed.exec(
    "INSERT INTO forward_targets (name, environments, kinds, moment, news, present, planned_at, events_until) VALUES ('x', '[]', '[]', 'confirmed', 'every', 1, 1, 0)",
  );
  changed.close();
  await one.stop();
  const event = pending('R');
  await receivedElsewhere(...Array.from({ length: 9 }, () => event));
  const plan = { kind: 'call', group: 'outbox', method: 'plan', input: { targets: [] }, credential: null } as const;
  const by = { caller: { machine: 'one', pid: 1 }, gone: [], under: '' };
  const state = stateOf(one.path);
  const bytes = packWrite({ ...plan, ...by, under: settingsDigest(state?.settings ?? '') });
  await machines.log.open('one', null).append([{ id: 'e'.repeat(32), version: programVersion(), bytes }]);
  const [here, there] = await Promise.all([one, two].map(({ order }) => openSharedBooks(order, thisProcess())));
  if (here === undefined || there === undefined) throw new Error('Both are open.');
  for (const { books } of [here, there]) await books.carryOut();
  await compare([one, here], [two, there], [one, here]);
  const differs = 'up to entry 10 it wrote other rows than';
  expect([here.books.state().stopped, there.books.state().stopped]).toEqual([`${differs} two`, `${differs} one`]);
  const leased = here.books.call({ group: 'checks', method: 'lease', input: {}, credential: null });
  await expect(leased).rejects.toMatchObject({ fault: 'diverged' });
  expect(await messageOf(rebuildFromSnapshot(two.order, START_MS))).toContain('process'); // it is in use
  await Promise.all([here.close(), there.close()]);
  expect(await keepThisNode(one.order)).toEqual({ seq: 10 });
  expect(await messageOf(keepThisNode(one.order))).toContain('has not stopped');
  const rebuilt = await rebuildFromSnapshot(two.order, START_MS);
  expect(rebuilt).toMatchObject({ seq: 10, from: 'one', setAside: expect.stringContaining('.before-rebuild-') });
  expect(existsSync(rebuilt.setAside ?? '')).toBe(true);
  await Promise.all([one.serve(), two.serve()]);
  await receivedElsewhere(pending('R2'));
  await machines.carriedOut(one, two);
  expect(machines.differences(one, two)).toEqual([]);
});

/** Each of them compares its digests with what the others have told, in this order; none other lives. */
async function compare(...all: readonly (readonly [Machine, OpenSharedBooks, Comparison?])[]): Promise<void> {
  machines.log.nodes.clear();
  for (const [{ order }, open, comparison = new Comparison(order)] of all) await comparison.look(open);
}

test('a row that was changed behind the program is found by the sums of the tables at one entry, once every node has told or ten minutes have gone', async () => {
  const both = [machines.machine('one'), machines.machine('two')] as const;
  await both[0].serve();
  await both[1].serve();
  await receivedElsewhere(pending('R1'));
  await machines.carriedOut(...both);
  for (const one of both) await one.stop();
  const changed = openDatabase(both[1].path); // with the sum of the row that the engine keeps
  changed.exec("UPDATE refunds SET reference = 'R2'");
  changed.close();
  const { seq } = await askForSums(both[0].order);
  const [here, there] = await Promise.all(
    both.map(async (machine) => {
      const comparison = new Comparison(machine.order);
      let summed: Promise<void> = Promise.resolve();
      const open = await openSharedBooks(machine.order, thisProcess(), (carried) => {
        summed = comparison.carried(carried);
      });
      await open.books.carryOut();
      await summed;
      return [machine, open, comparison] as const;
    }),
  );
  if (here === undefined || there === undefined) throw new Error('Both are open.');
  await compare(here, there);
  const facts = { schema: 1, roles: ['receive', 'work'], keys: [], auditKey: null, version: 'any' } as const;
  const three = { ...facts, id: 'three', name: 'three', carriedOut: 0, stopped: null };
  const stopped = () => here[1].books.state().stopped;
  await here[1].log.seen(three);
  await here[2].look(here[1]);
  expect([stopped(), there[1].books.state().stopped]).toEqual([
    null,
    `at entry ${seq} its tables held other rows than one`,
  ]);
  machines.clock.ms += 600_000;
  await here[1].log.seen(three);
  await here[2].look(here[1]);
  expect(stopped()).toBe(`at entry ${seq} its tables held other rows than two`);
  for (const [, open] of [here, there]) await open.close();
});

test('a node that carries out several entries which ask for sums tells those at the last one, however long the first ones take', async () => {
  const one = machines.machine('one');
  await one.serve();
  await one.stop();
  const slow = openDatabase(one.path); // thousands of rows while the first sums are computed
  slow.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
     INSERT INTO forward_targets (name, environments, kinds, moment, news, present, planned_at, events_until)
     SELECT 'x' || i, '[]', '[]', 'confirmed', 'every', 0, 1, 0 FROM n`,
  );
  const ask = () => machines.log.open('elsewhere', null).append([newEntry(packWrite({ kind: 'sums' }))]);
  const { entries } = await ask().then(ask);
  const comparison = new Comparison(one.order);
  const summings: Promise<void>[] = [];
  const open = await openSharedBooks(one.order, thisProcess(), (carried) => {
    summings.push(comparison.carried(carried));
    slow.exec('DELETE FROM forward_targets');
  });
  await open.books.carryOut();
  await Promise.all(summings);
  await comparison.look(open);
  const { summedSeq, summedDigest } = open.books.state();
  expect([summings.length, summedSeq, summedDigest]).toEqual([2, entries[0]?.seq, expect.any(Uint8Array)]);
  await open.close();
  slow.close();
});

test('a backup that is restored takes the place of the books of every machine, and the deliveries behind it are carried out again', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  const inbox = await one.serve();
  await two.serve();
  await receivedElsewhere(pending('R1'));
  await machines.carriedOut(one, two);
  const backup = `${one.path}.backup`;
  await one.store.upkeep.backUp(backup, { force: false });
  const { cluster: _, ...alone } = one.options;
  const rehearsal = openStore(`${one.path}.rehearsal`, alone); // it is of one machine alone there
  await rehearsal.upkeep.restore(backup);
  await (await rehearsal.operations()).close();
  const another = machines.machine('three').store;
  expect(await messageOf(another.upkeep.restore(backup))).toContain('There is no database of the cluster');
  await receivedElsewhere(pending('R2'));
  await leaseAll(inbox);
  await machines.carriedOut(one, two);
  await one.stop();
  expect(await messageOf(one.store.upkeep.restore(backup))).toContain('two lives');
  await two.stop();
  const snapshots = machines.log.snapshots.length;
  expect(await one.store.upkeep.restore(backup)).toMatchObject({ log: { deliveries: 1, discarded: false } });
  const restored = machines.log.snapshots.splice(snapshots);
  await two.serve();
  await until(() => two.faults.some((fault) => fault.includes('is not in the log yet')), 'it waits for the snapshot');
  machines.log.snapshots.push(...restored);
  await one.serve();
  await machines.carriedOut(one, two);
  expect([references(one), references(two)]).toEqual([
    ['R1', 'R2'],
    ['R1', 'R2'],
  ]);
  expect(rows(one, 'SELECT leased_until FROM checks WHERE leased_until IS NOT NULL')).toEqual([]);
  expect(machines.differences(one, two)).toEqual([]);
  expect(machines.log.head.epoch).toBe(2);
});

test('a restore names the entries behind the backup that the log no longer has, and carries out the deliveries that it has', async () => {
  const one = machines.machine('one');
  await one.serve();
  const backup = `${one.path}.backup`;
  await one.store.upkeep.backUp(backup, { force: false });
  for (const reference of ['R1', 'R2', 'R3']) await receivedElsewhere(pending(reference));
  await machines.carriedOut(one);
  const oldest = machines.log.entries.find(({ bytes }) => Buffer.from(bytes).includes('"R2"'))?.seq ?? 0;
  const from = (stateOf(backup)?.seq ?? 0) + 1;
  machines.log.entries = machines.log.entries.filter(({ seq }) => seq >= oldest);
  machines.log.pruned = oldest - 1;
  await one.stop();
  expect(await one.store.upkeep.restore(backup)).toMatchObject({
    log: { deliveries: 2, missing: { from, to: oldest - 1 }, carriedFrom: null },
  });
  await one.serve();
  await machines.carriedOut(one);
  expect(references(one)).toEqual(['R2', 'R3']);
});

test('a backup with entries that a failover lost is restored with every delivery of the log, and the plan says from where', async () => {
  const one = machines.machine('one');
  await one.serve();
  await receivedElsewhere(pending('R1'));
  const { length: common } = machines.log.entries;
  await receivedElsewhere(pending('R2'));
  await machines.carriedOut(one);
  const backup = `${one.path}.backup`;
  await one.store.upkeep.backUp(backup, { force: false });
  await one.stop();
  machines.log.loseAfter(common);
  await one.serve(); // it offers R2 again
  await until(() => machines.log.entries.length > common, 'what was lost is in the log again');
  const together = newEntry(packWrite({ kind: 'deliveries', deliveries: [pending('R3'), pending('R4')] }));
  await machines.log.open('elsewhere', null).append([together]);
  await machines.carriedOut(one);
  await one.stop();
  expect(await one.store.upkeep.restore(backup)).toMatchObject({
    log: { missing: null, carriedFrom: 1, deliveries: 4 },
  });
  await one.serve();
  await machines.carriedOut(one);
  expect(references(one)).toEqual(['R1', 'R2', 'R3', 'R4']);
});

test('a machine whose clock is 10 seconds off receives, says so until the clock is right, and takes nothing to work on', async () => {
  const one = machines.machine('one');
  machines.log.clockOffsetMs = 20_000;
  const inbox = await one.serve();
  await inbox.keep(pending('R1'));
  await machines.carriedOut(one);
  expect(references(one)).toEqual(['R1']);
  const off = 'The clock of this machine is 20 s ahead of';
  expect(await messageOf(leaseAll(inbox))).toContain(off);
  const command = await one.store.operations(); // a process that has not said that it lives
  await expect(command.checks.lease({ filter, limit: 10, leaseMs: 60_000 })).rejects.toMatchObject({
    ...{ fault: 'cluster_refused', message: expect.stringContaining(off) },
  });
  await command.close();
  expect(one.faults).toMatchObject([expect.stringContaining(off)]);
  await one.stop(); // its last sign of life in its own database says nothing about the clock
  expect(one.faults).toHaveLength(1);
  const again = await one.serve();
  machines.log.clockOffsetMs = 0;
  again.noteKeys([]); // its next sign of life in the log
  await until(() => one.faults.at(-1) === 'signs of life in the log goes on', 'the clock is right');
});

test('a machine whose server keeps nothing as it was promised says so from its start, before any delivery', async () => {
  const one = machines.machine('one');
  machines.log.unsafe = [{ reason: 'replica_away', text: 'the replica is away', next: 'start it' }];
  await one.serve();
  const receiver = openStore(one.path, { ...one.options, cluster: machines.served.cluster('gate', ['receive']) });
  const said: string[] = [];
  const onFault: InboxOptions['onFault'] = (work, error) => void said.push(`${work}: ${error?.message}`);
  const inbox = await receiver.inbox({ limit: 1, onFatal: () => {}, onFault });
  await inbox.close();
  for (const faults of [one.faults, said])
    expect(faults.filter((fault) => fault.includes('the replica is away. No delivery is acknowledged'))).toHaveLength(
      1,
    );
});

test('four machines take checks, jobs, news and notices to work on: each once, and again only after its lease ran out', async () => {
  const { leased, ended, refused, wrong, differences } = await workOnce({ seed: 1, rounds: 8 });
  expect({ wrong, differences }).toEqual({ wrong: [], differences: [] });
  expect([leased > 60, ended > 30, refused > 0]).toEqual([true, true, true]); // the late ones came too late
});

test('a process that is stopped until its lease is over, and then goes on, ends nothing that another machine has taken over', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  const inbox = await one.serve();
  await inbox.keep(pending('R'));
  const holder = startHolder(two.path, machines.served.path);
  const [held] = await once(holder, 'message');
  holder.kill('SIGSTOP');
  expect(await leaseAll(inbox)).toEqual([]);
  machines.clock.ms += 61_000;
  const [lease] = await leaseAll(inbox);
  expect(lease?.recordId).toBe(held);
  const answered = once(holder, 'message');
  holder.send('end it');
  holder.kill('SIGCONT');
  expect(await answered).toEqual([false, undefined]);
  const { counter, kind, recordId } = lease as LeasedCheck;
  const finished = { counter, kind, recordId, outcome: 'unavailable', answer: null, detail: null } as const;
  expect(await inbox.operations.checks.finish([finished])).toMatchObject([{ accepted: true }]);
  holder.kill('SIGKILL');
});

test('an entry that this program cannot carry out is set aside, and what shares its transaction is carried out', async () => {
  const one = machines.machine('one');
  await one.serve();
  await one.stop();
  await receivedElsewhere(pending('R1'), pending('planted'), pending('R3'));
  const { books, database, close } = await openSharedBooks(one.order, thisProcess());
  database.exec(`CREATE TEMP TRIGGER planted BEFORE INSERT ON main.refunds WHEN new.reference = 'planted'
    BEGIN SELECT CAST(RAISE(ABORT, 'planted') AS TEXT); END`);
  await books.carryOut();
  await close();
  expect([references(one), rows(one, 'SELECT reason FROM aside')]).toEqual([
    ['R1', 'R3'],
    [expect.stringContaining('planted')],
  ]);
});

test('what ends a halt is noticed by every process of the machine, at its next call; while it lasts, the log says why', async () => {
  const one = machines.machine('one');
  await one.serve();
  const two = machines.machine('two', { checkRules: { ...STANDARD_CHECK_RULES, attempts: 3 } });
  await two.serve();
  const stopped = () => [...machines.log.nodes.values()].find(({ name }) => name === 'two')?.stopped;
  expect(stopped()).toContain('confirm.attempts is 3 here');
  const journal = await two.store.requestJournal();
  expect(await messageOf(journal.pinVersion('test', 'P1', 'v1'))).toContain('confirm.attempts');
  await upgradeCluster(two.order);
  expect(await journal.pinVersion('test', 'P1', 'v1')).toBe('v1');
  await journal.close();
});
