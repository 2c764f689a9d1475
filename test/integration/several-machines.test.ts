import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clusterProblems } from '../../src/confirm/cluster-problems.ts';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { deliveryEntries, packWrite } from '../../src/store/cluster/entry.ts';
import { rebuildFromSnapshot } from '../../src/store/cluster/join.ts';
import { textOf } from '../../src/store/cluster/plain-value.ts';
import { programVersion } from '../../src/store/cluster/program-version.ts';
import { openRecentEntries } from '../../src/store/cluster/recent-entries.ts';
import { CHAIN_START } from '../../src/store/cluster/shared-log.ts';
import { settingsDigest, sharedSettings } from '../../src/store/cluster/shared-settings.ts';
import { putSnapshot } from '../../src/store/cluster/snapshot.ts';
import { upgradeCluster } from '../../src/store/cluster/upgrade.ts';
import type { ClusterStatus } from '../../src/store/cluster-port.ts';
import { StoreError } from '../../src/store/error.ts';
import { openStore } from '../../src/store/open.ts';
import { openDatabase, writing } from '../../src/store/sqlite/engine/database.ts';
import { migrate, migrations } from '../../src/store/sqlite/engine/migrate.ts';
import type { OpenInbox } from '../../src/store/store.ts';
import { MINUTE_MS } from '../../src/time/clock.ts';
import { refund } from '../support/deliveries.ts';
import { type Machine, placeOf, type SeveralMachines, severalMachines } from '../support/several-machines.ts';
import { startSender } from '../support/shared-log/sender.ts';
import { until } from '../support/wait.ts';

let machines: SeveralMachines;
beforeEach(async () => {
  machines = await severalMachines();
});
afterEach(() => machines.remove());

const filter = { kinds: ['refund'], environments: ['test'] } as const;
const leaseAll = ({ operations }: OpenInbox) => operations.checks.lease({ filter, limit: 10, leaseMs: 60_000 });
const keepSome = ({ keep }: OpenInbox, prefix: string, count = 3) =>
  Promise.all(Array.from({ length: count }, (_, n) => keep(refund(`${prefix}${n}`, 'pending'))));

function sql<Row>(machine: Machine, statement: string): Row[] {
  const database = openDatabase(machine.path, { readonly: true });
  try {
    return database.prepare<[], Row>(statement).all();
  } finally {
    database.close();
  }
}

const references = (machine: Machine) =>
  sql<{ reference: string }>(machine, 'SELECT reference FROM refunds ORDER BY reference').map((row) => row.reference);

test('what one machine receives and writes, another one has: the files are equal', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  const inboxes = [await one.serve(), await two.serve()] as const;
  await Promise.all(inboxes.map((inbox, n) => inbox.keep(refund(`R${n}`, 'pending'))));
  await machines.carriedOut(one, two);
  const [here, there] = inboxes;
  expect((await leaseAll(here)).map(({ reference }) => reference).toSorted()).toEqual(['R0', 'R1']);
  await machines.carriedOut(one, two);
  expect(await leaseAll(there)).toEqual([]);
  expect(machines.differences(one, two)).toEqual([]);
  expect([one.faults, two.faults]).toEqual([[], []]);
});

test('a machine that only receives has no database: others carry out what it took, also the counts of what it refused', async () => {
  const one = machines.machine('one');
  await one.serve();
  const gate = machines.machine('gate', { key: false });
  const receiver = openStore(gate.path, { ...gate.options, cluster: machines.served.cluster('gate', ['receive']) });
  const inbox = await receiver.inbox({ limit: 10, onFatal: () => {} });
  await keepSome(inbox, 'R');
  const origin = { likeness: 'signed', environments: ['test'] } as const;
  const seen = { path: '/webhooks/test', reason: 'payload_signature_mismatch', lastPath: '/webhooks/test' };
  inbox.countRefusals([{ ...origin, ...seen, count: 4, firstAtMs: 1, lastAtMs: 2 }], []);
  await expect(inbox.operations.checks.lease({ filter, limit: 1, leaseMs: 1 })).rejects.toMatchObject({
    fault: 'cluster_refused',
  });
  await inbox.close();
  await machines.carriedOut(one);
  expect(references(one)).toHaveLength(3);
  expect(sql(one, 'SELECT sum(count) AS count FROM refusals')).toEqual([{ count: 4 }]);
  expect(existsSync(gate.path)).toBe(false);
  await expect(receiver.archive()).rejects.toMatchObject({ hint: 'Run it on a machine that has one: one.' });
  const [told] = [...machines.log.nodes.values()].filter(({ name }) => name === 'gate');
  expect(told).toMatchObject({ roles: ['receive'], carriedOut: null, hasLeft: true });
});

test('a machine that only receives refuses deliveries until the log answers, and then takes them without a restart', async () => {
  const one = machines.machine('one');
  await one.serve();
  machines.log.fault = new StoreError('cluster_unreachable', 'The server is away.');
  const receiver = openStore(join(dirname(one.path), 'none.db'), {
    ...one.options,
    cluster: machines.served.cluster('gate', ['receive']),
  });
  const faults: (string | null)[] = [];
  const onFault = (_work: string, error: StoreError | null) => void faults.push(error?.fault ?? null);
  const inbox = await receiver.inbox({ limit: 10, onFatal: () => {}, onFault });
  await expect(inbox.keep(refund('R1', 'pending'))).rejects.toMatchObject({ fault: 'cluster_unreachable' });
  machines.log.fault = null;
  await until(() => faults.includes(null), 'the log answers');
  await inbox.keep(refund('R2', 'pending'));
  await machines.carriedOut(one);
  expect(references(one)).toEqual(['R2']);
  await inbox.close();
});

test('keys that a machine reloads are told to the others at once', async () => {
  const one = machines.machine('one');
  const inbox = await one.serve();
  const keysOf = () => [...machines.log.nodes.values()].flatMap(({ keys }) => keys);
  inbox.noteKeys([{ id: 'k2', environment: 'test', publicKey: 'pk', secretKey: new Secret('sk'), notAfter: null }]);
  await until(() => keysOf().some((key) => key.startsWith('k2:')), 'the log has the new key');
});

test('what a machine has written is waited for on another one, for a bounded time', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  await keepSome(await one.serve(), 'R');
  await two.serve();
  const last = machines.log.entries.length;
  await two.store.cluster?.reached(last, 60_000);
  expect(placeOf(two.path)).toBeGreaterThanOrEqual(last);
  await expect(two.store.cluster?.reached(last + 1_000, 1)).rejects.toMatchObject({ fault: 'busy' });
});

test.each(['sound', 'damaged'])('a machine joins with an empty folder, where the newest snapshot is %s', async (is) => {
  const one = machines.machine('one');
  await keepSome(await one.serve(), 'before-');
  await machines.carriedOut(one);
  await putSnapshot(one.order);
  const damage = () => {
    const newest = machines.log.snapshots.pop() as (typeof machines.log.snapshots)[number];
    machines.log.snapshots.push({ ...newest, parts: newest.parts.with(0, new Uint8Array(9)) });
  };
  if (is === 'damaged') damage();
  const three = machines.machine('three');
  const inbox = await three.serve();
  await keepSome(inbox, 'after-');
  await machines.carriedOut(one, three);
  expect(references(three)).toHaveLength(6);
  expect(machines.differences(one, three)).toEqual([]);
  const said = /do not have its digest\. The one before it was loaded, which one put in at entry 0\./;
  expect(three.faults).toEqual(is === 'sound' ? [] : [expect.stringMatching(said)]);
  machines.log.snapshots = machines.log.snapshots.slice(-1);
  damage(); // no other is left
  await expect(machines.machine('last').serve()).rejects.toMatchObject({ fault: 'cluster_refused' });
});

test('a cluster in which nothing happens appends nothing, however often it is asked', async () => {
  const one = machines.machine('one');
  const { operations } = await one.serve();
  await operations.jobs.plan({ jobs: [{ job: 'sweep', schedule: '0 3 * * *', zone: 'UTC' }] });
  await operations.outbox.plan({ targets: [] });
  const before = machines.log.entries.length;
  const terms = { holder: 'a test', leaseMs: 60_000 };
  for (let n = 0; n < 5; n++) {
    await operations.jobs.plan({ jobs: [{ job: 'sweep', schedule: '0 3 * * *', zone: 'UTC' }] });
    await operations.jobs.leaseDue({ jobs: ['sweep'], ...terms });
    await operations.checks.lease({ filter, limit: 10, leaseMs: 60_000 });
    await operations.outbox.exchange({ ended: [], open: [] });
    await operations.alerts.leaseNotices({ channels: [], limit: 10, leaseMs: 60_000 } as never).catch(() => []);
    await operations.tracking.review();
  }
  expect(machines.log.entries.length).toBe(before);
});

test('a command beside serve appends its call and reads its answer, whichever of the two carries it out', async () => {
  const one = machines.machine('one');
  const inbox = await one.serve();
  await keepSome(inbox, 'R', 20);
  const command = await one.store.operations();
  const journal = await one.store.requestJournal();
  const leased = await Promise.all([
    command.checks.lease({ filter, limit: 10, leaseMs: 60_000 }),
    inbox.operations.checks.lease({ filter, limit: 10, leaseMs: 60_000 }),
    journal.pinVersion('test', 'P1', 'v1'),
  ]);
  expect(new Set([...leased[0], ...leased[1]].map(({ reference }) => reference)).size).toBe(20);
  expect(leased[2]).toBe('v1');
  await Promise.all([command.close(), journal.close()]);
});

test('a database of a cluster is refused without the setting, and by a log of another installation', async () => {
  const one = machines.machine('one');
  await one.serve();
  await one.stop();
  const { cluster: _, ...alone } = one.options;
  await expect(openStore(one.path, alone).operations()).rejects.toMatchObject({ fault: 'cluster_refused' });
  await expect(
    openStore(one.path, alone).inbox({ limit: 10, unsafeFileSystem: true, onFatal: () => {} }),
  ).rejects.toMatchObject({ fault: 'cluster_refused' });
  machines.log.head = { ...machines.log.head, installation: 'another' };
  await expect(one.serve()).rejects.toMatchObject({ fault: 'cluster_refused' });
});

test('a second node of a name that lives, and one without the key of the audit chain, are refused before they receive', async () => {
  const one = machines.machine('one');
  await one.serve();
  const keyless = machines.machine('two', { key: false });
  await expect(keyless.serve()).rejects.toMatchObject({ fault: 'audit_key' });
  const impostor = machines.machine('three');
  const named = openStore(impostor.path, { ...impostor.options, cluster: machines.served.cluster('one') });
  await expect(named.inbox({ limit: 10, unsafeFileSystem: true, onFatal: () => {} })).rejects.toMatchObject({
    fault: 'cluster_refused',
  });
});

test('a node whose settings differ receives, says what differs, and carries nothing out', async () => {
  const one = machines.machine('one');
  await one.serve();
  const other = machines.machine('two', { checkRules: { ...STANDARD_CHECK_RULES, attempts: 3 } });
  const inbox = await other.serve();
  await keepSome(inbox, 'R');
  await machines.carriedOut(one);
  const differs = `confirm.attempts is 3 here and ${STANDARD_CHECK_RULES.attempts} in the cluster`;
  await until(() => other.faults.some((fault) => fault.includes(differs)), 'it says what differs');
  expect(references(one)).toHaveLength(3);
  expect(references(other)).toEqual([]);
  await expect(leaseAll(inbox)).rejects.toMatchObject({ fault: 'cluster_refused' });
  expect(openRecentEntries(other.path).last()?.seq).toBe(1); // an entry is kept before it is carried out
});

test('a node with other forward targets, or another program, takes none away from the others; the upgrade that takes its own over stops those', async () => {
  const one = machines.machine('one', { takenOver: { 'forward.targets erp': 'a', approvals: 'b' } });
  const two = machines.machine('two', { takenOver: { approvals: 'b' } });
  const [here, there] = [await one.serve(), await two.serve()];
  const rules = { environments: ['test'], kinds: ['refund'], when: 'confirmed', news: 'every', events: null } as const;
  await here.operations.outbox.plan({ targets: [{ name: 'erp', ...rules }] });
  const refused = await there.operations.outbox.plan({ targets: [] }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: expect.stringContaining('forward.targets erp is not set here') });
  const bytes = packWrite({
    ...{ kind: 'call', group: 'outbox', method: 'plan', input: { targets: [] }, credential: null, gone: [] },
    ...{ caller: { machine: 'two', pid: 1 }, under: 'other settings' },
  });
  const other = packWrite({
    ...{ kind: 'call', group: 'outbox', method: 'plan', input: { targets: [] }, credential: null, gone: [] },
    ...{ caller: { machine: 'two', pid: 1 }, under: settingsDigest(textOf(sharedSettings(one.order))) },
  });
  await machines.log.open('two', null).append([
    { id: 'f'.repeat(32), version: programVersion(), bytes },
    { id: 'e'.repeat(32), version: 'another program, which may mean something else', bytes: other },
  ]);
  await machines.carriedOut(one);
  const present = () => sql<{ name: string }>(one, 'SELECT name FROM forward_targets WHERE present = 1');
  expect(present()).toEqual([{ name: 'erp' }]);
  expect(await upgradeCluster(two.order)).toMatchObject({ changed: ['settings'] });
  await there.operations.outbox.plan({ targets: [] });
  await until(() => one.faults.some((fault) => fault.includes('forward.targets erp is set here alone')), 'it stops');
  await expect(here.operations.outbox.plan({ targets: [] })).rejects.toMatchObject({ fault: 'cluster_refused' });
});

test('a node beside the log offers what the log lost of it, lists its acts, joins anew, and goes on without a restart', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  const [here] = [await one.serve(), await two.serve()];
  await keepSome(here, 'kept-');
  await machines.carriedOut(one, two);
  await two.stop();
  const common = machines.log.entries.length;
  await keepSome(here, 'lost-');
  await leaseAll(here);
  const expected = { kind: 'payout', environment: 'test', reference: 'P', amount: null, currency: 'NGN' } as const;
  await here.operations.tracking.track({ expected: [{ ...expected, expectedByMs: null }] });
  await machines.carriedOut(one);
  machines.log.loseAfter(common);
  await two.serve();
  await until(() => references(two).length === 6, 'the other machine has what was offered again');
  await machines.carriedOut(one, two);
  await keepSome(here, 'later-');
  await machines.carriedOut(one, two);
  expect(references(one)).toHaveLength(9);
  expect(machines.differences(one, two)).toEqual([]);
  const { lost: [list = ''] = [] } = (await one.store.cluster?.status()) ?? {};
  expect(list).toBe(join(dirname(one.path), `lost-${common}.ndjson`));
  const acts = readFileSync(list, 'utf8').trim().split('\n');
  expect(acts.map((line) => JSON.parse(line)).map(({ act, group, method }) => [act, `${group}.${method}`])).toEqual([
    [true, 'tracking.track'],
    [false, 'checks.lease'],
  ]);
});

test('a machine that joins is not ready, takes no work and raises no alert until it is level with the log', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  await (await one.serve()).keep(refund('R1', 'pending'));
  await one.stop();
  const receiver = machines.log.open('gate', null);
  await receiver.append(deliveryEntries(Array.from({ length: 1_500 }, (_, n) => [refund(`L${n}`, 'pending')])));
  const held = Promise.withResolvers<void>();
  machines.log.beforeRead = () => held.promise;
  const inbox = await two.serve();
  expect(two.faults).toEqual([
    expect.stringMatching(/^signs of life in the log: This machine was at entry 0 of the log .* up to \d+ yet/),
  ]);
  await expect(leaseAll(inbox)).rejects.toMatchObject({ fault: 'fell_behind' });
  machines.clock.ms += 10 * MINUTE_MS;
  inbox.noteKeys([]); // its next sign of life
  const status = async () => (await two.store.cluster?.status()) as ClusterStatus;
  await until(async () => (await status()).nodes.some(({ name, lives }) => name === 'two' && lives), 'it lives');
  expect((await status()).nodes.find(({ name }) => name === 'two')).toMatchObject({ catchesUp: true, stopped: null });
  expect(clusterProblems({ status: await status() })).toEqual([]);
  machines.log.beforeRead = async () => {};
  held.resolve();
  await until(() => two.faults.at(-1) === 'signs of life in the log goes on', 'it is ready');
  expect(placeOf(two.path)).toBeGreaterThan(500);
  expect((await leaseAll(inbox)).length).toBeGreaterThan(0);
});

test('a node that fell behind what the log still has joins anew', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  const here = await one.serve();
  await two.serve();
  await machines.carriedOut(one, two);
  await two.stop();
  await keepSome(here, 'R');
  await machines.carriedOut(one);
  await one.stop();
  rmSync(one.path.replace(/\.db$/, '.recent.db'), { force: true });
  const seq = placeOf(one.path);
  await putSnapshot(one.order);
  machines.log.entries = machines.log.entries.filter((entry) => entry.seq > seq - 1);
  machines.log.pruned = seq - 1;
  await two.serve();
  await machines.carriedOut(two);
  expect(references(two)).toHaveLength(3);
  expect(machines.differences(one, two)).toEqual([]);
});

test('a node that wrote something else than the majority stops all but receiving, and goes on once it is rebuilt', async () => {
  const one = machines.machine('one');
  const inbox = await one.serve();
  await keepSome(inbox, 'R');
  await machines.carriedOut(one);
  await one.stop();
  const database = openDatabase(one.path);
  writing(database, () => database.exec('UPDATE carried_out SET compared_seq = 1, compared_digest = digest'))();
  database.close();
  machines.log.digests = ['two', 'three'].map((node) => ({ seq: 1, node, digest: new Uint8Array(32) }));
  const again = await one.serve();
  await until(() => one.faults.some((fault) => fault.includes('two, three')), 'it says from which nodes it differs');
  await again.keep(refund('R9', 'pending'));
  await expect(leaseAll(again)).rejects.toMatchObject({ fault: 'diverged' });
  expect(references(one)).toHaveLength(3);
  await one.stop();
  machines.log.snapshots = machines.log.snapshots.map(({ facts, parts }) => ({
    facts: { ...facts, node: 'two' },
    parts,
  }));
  const before = await rebuildFromSnapshot(one.order, machines.clock.ms);
  expect([before.from, existsSync(before.setAside ?? '')]).toEqual(['two', true]);
  await one.serve();
  await machines.carriedOut(one);
  expect(references(one)).toHaveLength(4);
  expect(existsSync(`${one.path}.joining`)).toBe(false);
});

test('a node of a newer program receives, and migrates at the entry with which the cluster moves on', async () => {
  const one = machines.machine('one');
  rmSync(one.path);
  const database = openDatabase(one.path, { create: true });
  migrate(database, machines.clock.ms, migrations().slice(0, 24));
  const head = {
    ...machines.log.head,
    version: 'an older program',
    seq: 0,
    chain: CHAIN_START,
    atMs: machines.clock.ms,
  };
  machines.log.head = head;
  database
    .prepare(
      `UPDATE carried_out SET cluster = ?, epoch = 1, timeline = 1, node = 'one', base = 0, seq = 0, chain = ?, at = 0, version = ?,
        digest = ?, compared_seq = 0, compared_digest = ?`,
    )
    .run(head.installation, CHAIN_START, head.version, CHAIN_START, CHAIN_START);
  database.close();
  const inbox = await one.serve();
  await until(() => one.faults.some((fault) => fault.includes('an older program')), 'it says that it waits');
  const upgraded = await upgradeCluster(one.order);
  expect(upgraded).toMatchObject({ seq: 1, changed: ['program', 'settings'] });
  await keepSome(inbox, 'R');
  await machines.carriedOut(one);
  expect(references(one)).toHaveLength(3);
  expect(await upgradeCluster(one.order)).toMatchObject({ seq: null, changed: [] });
  const applied = sql<{ at: number }>(
    one,
    'SELECT applied_at AS at FROM schema_migrations ORDER BY version DESC LIMIT 1',
  );
  expect(applied[0]?.at).toBe(machines.log.entries[0]?.atMs);
});

test('a node that was away while the cluster moved on to its program takes the snapshot of a node that is behind that', async () => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  const inbox = await one.serve();
  await two.serve();
  await machines.carriedOut(one, two);
  await two.stop();
  const older = openDatabase(two.path);
  older.exec("UPDATE carried_out SET version = 'an older program'");
  older.close();
  await keepSome(inbox, 'R');
  await machines.carriedOut(one);
  await two.serve();
  await until(() => two.faults.some((fault) => fault.includes('an older program')), 'it says that it waits');
  await putSnapshot(one.order);
  await machines.carriedOut(one, two);
  expect(machines.differences(one, two)).toEqual([]);
});

test('under load the cluster moves on, and its machines are replaced one by one: no delivery is refused, and the files are equal', async () => {
  const [before, after] = [{ takenOver: { approvals: 'a' } }, { takenOver: { approvals: 'b' } }];
  const first = [machines.machine('one', before), machines.machine('two', before)] as const;
  const open = [await first[0].serve(), await first[1].serve()];
  let [isOn, sent] = [true, 0];
  const load = (async () => {
    for (; isOn; sent++) await open[sent % open.length]?.keep(refund(`L${sent}`, 'pending'));
  })();
  await until(() => sent > 20, 'the load is on');
  const [one, two] = [machines.machine('one', after), machines.machine('two', after)];
  expect(await upgradeCluster(one.order)).toMatchObject({ changed: ['settings'] });
  for (const [old, replaced] of [[first[1], two] as const, [first[0], one] as const]) {
    open.splice(open.indexOf(await old.serve()), 1); // the proxy leads to the other one
    await old.stop();
    const from = sent;
    await until(() => sent > from + 20, 'the other one takes the load');
    open.push(await replaced.serve());
  }
  isOn = false;
  await load;
  await machines.carriedOut(one, two);
  expect(references(one)).toHaveLength(sent);
  expect(machines.differences(one, two)).toEqual([]);
});

test('a machine leaves: its database is of one machine again, and goes on behind the last entry; the log takes no machine any more', async () => {
  const [one, two, empty, gate] = ['one', 'two', 'empty', 'gate'].map((name) => machines.machine(name)) as [
    Machine,
    Machine,
    Machine,
    Machine,
  ];
  await keepSome(await one.serve(), 'R');
  await two.serve();
  await machines.carriedOut(one, two);
  const backup = join(dirname(one.path), 'backup.db');
  await one.store.upkeep.backUp(backup, { force: false });
  await keepSome(await one.serve(), 'behind-');
  await one.stop();
  await two.stop();
  await one.store.cluster?.leave();
  const receiver = openStore(gate.path, { ...gate.options, cluster: machines.served.cluster('gate', ['receive']) });
  const terms = { limit: 10, unsafeFileSystem: true, onFatal: () => {} };
  for (const { store } of [one, two, empty, { store: receiver }])
    await expect(store.inbox(terms)).rejects.toMatchObject({
      fault: 'cluster_refused',
      message: expect.stringContaining('left'),
    });
  for (const { store } of [two, empty])
    await expect(store.operations()).rejects.toMatchObject({ fault: 'cluster_refused' });
  expect(existsSync(empty.path)).toBe(false);
  const { cluster: _, ...alone } = one.options;
  const inbox = await openStore(one.path, alone).inbox({ limit: 10, unsafeFileSystem: true, onFatal: () => {} });
  await keepSome(inbox, 'later-');
  await inbox.keep(refund('after', 'pending', {}, { receivedAtMs: machines.clock.nowMs() + 1_000 }));
  await until(() => references(one).length === 10, 'it carries its own log out');
  await inbox.close();
  machines.log.head = { ...machines.log.head, installation: 'begun-with-other-books', hasLeft: false };
  await expect(one.store.inbox(terms)).rejects.toMatchObject({
    hint: expect.stringContaining('It holds books of its own: 10 events, 1 of them since it left a cluster.'),
  });
  const behind = { from: placeOf(backup) + 1, to: null }; // what the log has, and this machine alone does not carry out
  expect((await openStore(one.path, alone).upkeep.restore(backup)).log).toMatchObject({ missing: behind });
  expect(references(one)).toHaveLength(3);
});

test.each([
  ['after the append, before its answer', 'answer'],
  ['after the answer, while it carries out', 'carrying'],
])('a machine that is killed %s loses nothing and does nothing twice', async (_when, when) => {
  const [one, two] = [machines.machine('one'), machines.machine('two')];
  await two.serve();
  const child = startSender(one.path, machines.served.path);
  const acked = new Set<string>();
  child.on('message', (reference: string) => void acked.add(reference));
  let appends = 0;
  machines.log.onAppended = () => {
    if (++appends !== 20) return;
    if (when === 'carrying') setImmediate(() => child.kill('SIGKILL'));
    else child.kill('SIGKILL');
  };
  await once(child, 'exit');
  machines.log.onAppended = () => {};
  expect(acked.size).toBeGreaterThan(0);
  machines.clock.ms += 60_000; // its name is free again
  const inbox = await one.serve();
  await Promise.all([...acked].map((reference) => inbox.keep(refund(reference, 'pending')))); // what a sender repeats
  await machines.carriedOut(one, two);
  const kept = references(one);
  expect([...acked].filter((reference) => !kept.includes(reference))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
  expect(sql<{ n: number }>(one, 'SELECT count(*) AS n FROM events')[0]?.n).toBe(kept.length);
  expect(machines.differences(one, two)).toEqual([]);
});
