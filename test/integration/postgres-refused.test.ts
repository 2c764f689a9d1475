import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PostgresOrder } from '../../src/store/cluster-options.ts';
import { openStore } from '../../src/store/open.ts';
import { refund } from '../support/deliveries.ts';
import { temporaryFolder } from '../support/folder.ts';
import { beganOn, begin, entryOf, factsOf, INSTALLATION, openLog, orderOf } from '../support/postgres/log.ts';
import { PostgresServer } from '../support/postgres/server.ts';
import { CERTIFICATE, KEY } from '../support/self-signed.ts';
import { until } from '../support/wait.ts';

/* What a wrong setting or a wrong server gets: a sentence and a next step, and no connection that stays. */

let server: PostgresServer;
let database: string;
beforeAll(async () => {
  server = await PostgresServer.start();
  database = await beganOn(server);
  await server.sql(`CREATE ROLE guarded LOGIN PASSWORD 'the right one'`);
  const rules = join(server.folder, 'pg_hba.conf');
  writeFileSync(rules, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  await server.sql('SELECT pg_reload_conf()');
});

const head = (order: PostgresOrder) => openLog(order).head();
/** The address with a host before it that refuses connections: it may be the present primary. */
const withSilentHost = (url: string) => url.replace('127.0.0.1', '127.0.0.1:9,127.0.0.1');
const at = (role: string, name = database) => server.url(name, role);

test.each<[string, () => PostgresOrder, RegExp, RegExp]>([
  [
    'no such role',
    () => orderOf(at('nobody')),
    /refuses the role of cluster\.url: role "nobody" does not exist/,
    /pg_hba/,
  ],
  ['no such database', () => orderOf(at('postgres', 'nothing')), /has no such database/, /createdb/],
  ['no log in it', () => orderOf(at('postgres', 'postgres')), /holds no log in this database/, /cluster begin/],
  ['no password', () => orderOf(at('guarded')), /asks for a password, and none is set/, /cluster\.password/],
  [
    'a wrong password',
    () => orderOf(at('guarded'), { password: 'a wrong one' }),
    /refuses the role/,
    /cluster\.password/,
  ],
  ['a server without TLS', () => orderOf(`${at('postgres')}?sslmode=verify-full`), /speaks no TLS/, /ssl = on/],
  ['an address that names no role', () => orderOf('postgres://h/d'), /must name the role/, /^undefined$/],
])('%s is refused', async (_, order, message, hint) => {
  const error = await head(order()).catch((caught) => caught);
  expect(error).toMatchObject({ fault: 'cluster_refused', message: expect.stringMatching(message) });
  expect(String(error.hint)).toMatch(hint);
  expect(`${error.message} ${error.hint}`).not.toContain('a wrong one');
});

test('the right password is taken', async () => {
  await server.sql('GRANT ALL ON SCHEMA tallyhook TO guarded; GRANT ALL ON ALL TABLES IN SCHEMA tallyhook TO guarded', {
    database,
  });
  await server.sql('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA tallyhook TO guarded', { database });
  expect((await head(orderOf(at('guarded'), { password: 'the right one' }))).epoch).toBe(1);
});

test('nothing that answers, and a server that is silent, are left out; the one that can be written is found', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const hosts = `127.0.0.1:${port},127.0.0.1:9,127.0.0.1:${server.port}`;
  const order = orderOf(`postgres://postgres@${hosts}/${database}`, { connectMs: 300 });
  const known = { installation: INSTALLATION, epoch: 1, timeline: 1, place: null };
  const isFound = () =>
    openLog(order, { known })
      .head()
      .then(
        ({ epoch }) => epoch === 1,
        () => false,
      );
  await until(isFound, 'the one that can be written is found');
  const none = orderOf(`postgres://postgres@127.0.0.1:${port},127.0.0.1:9/${database}`, { connectMs: 300 });
  await expect(head(none)).rejects.toMatchObject({
    fault: 'cluster_unreachable',
    message: expect.stringMatching(/No server of cluster\.url can be written.*within 300 ms.*ECONNREFUSED/),
  });
});

test('an old server is refused by its version', async () => {
  const old = await beganOn(server);
  await server.sql(
    `CREATE ROLE dated LOGIN; ALTER ROLE dated SET search_path = public, pg_catalog;
     GRANT ALL ON SCHEMA public TO dated`,
  );
  await server.sql(`CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql RETURN '130014'`, {
    database: old,
  });
  await expect(head(orderOf(at('dated', old)))).rejects.toMatchObject({
    fault: 'cluster_refused',
    message: expect.stringContaining('is version 13'),
    hint: 'The log needs PostgreSQL 15 or newer.',
  });
});

test('another installation, a log that was left, and a name that lives are refused', async () => {
  const url = server.url(await beganOn(server));
  const place = null;
  const stranger = openLog(orderOf(url), { known: { installation: 'another', epoch: 1, timeline: 1, place } });
  await expect(stranger.head()).rejects.toMatchObject({
    fault: 'cluster_refused',
    message: expect.stringContaining('is of installation the-installation; this machine is of another'),
  });
  const [one, two] = [openLog(orderOf(url)), openLog(orderOf(url))];
  await one.seen(factsOf('same'));
  await expect(two.seen(factsOf('same'))).rejects.toMatchObject({
    message: expect.stringContaining('named same lives'),
  });
  await two.seen(factsOf('same', { carriedOut: null, roles: ['receive'] })); // a receiver without a database may share it
  await two.append([entryOf('before')]);
  const { chain } = await two.head();
  await server.sql('UPDATE tallyhook.head SET left_at = now(); UPDATE tallyhook.nodes SET signed_off = true', {
    database: url.split('/').at(-1) ?? '',
  });
  const hint = expect.stringContaining('take cluster.url out');
  await expect(one.append([entryOf('one')])).rejects.toMatchObject({ kind: 'unusable', hint });
  await expect(head(orderOf(withSilentHost(url)))).rejects.toMatchObject({ fault: 'cluster_refused', hint });
  await expect(begin(url)).rejects.toMatchObject({ fault: 'cluster_refused' });
  const another = { installation: 'another', again: new Uint8Array(32).fill(1) };
  await expect(begin(url, another)).rejects.toMatchObject({
    message: expect.stringContaining('is not the one that this database has left'),
  });
  expect((await begin(url, { ...another, again: chain })).head).toMatchObject({
    ...{ installation: 'another', epoch: 2, seq: 0, hasLeft: false },
  });
  await expect(two.append([entryOf('of the former')])).rejects.toMatchObject({ kind: 'unusable' });
  expect((await openLog(orderOf(url)).head()).seq).toBe(0);
});

test('the first machine needs no other one to tell the present primary: `begin` has seen it, also while a host is silent', async () => {
  const url = withSilentHost(server.url(await server.database()));
  const path = join(temporaryFolder(), 'tallyhook.db');
  const log = { kind: 'postgres', ...orderOf(url) } as const;
  const cluster = { node: 'one', roles: ['receive', 'work'], keys: [], takenOver: {}, keepDays: 30, log } as const;
  const store = openStore(path, { zone: 'UTC', cluster });
  await store.cluster?.begin({ owner: null, again: false });
  await expect(head(log)).rejects.toMatchObject({
    message: expect.stringContaining('may be one from before a failover'),
  });
  const inbox = await store.inbox({ limit: 10, unsafeFileSystem: true, onFatal: () => {} });
  onTestFinished(() => inbox.close());
  await inbox.keep(refund('R1', 'pending'));
});

/** A copy of a log that has begun, in a database of its own. */
const COPIES: readonly (readonly [where: string, make: (log: string) => Promise<string>])[] = [
  [
    'to another server',
    async (log) => {
      await server.sql(`UPDATE tallyhook.head SET server = '1'`, { database: log });
      return log;
    },
  ],
  [
    'into another database of its server',
    async (log) => {
      await server.sql(`CREATE DATABASE ${log}_copy TEMPLATE ${log}`);
      return `${log}_copy`;
    },
  ],
];

test.each(COPIES)('a log that was copied %s says so, until it is adopted', async (_, copy) => {
  const copied = await copy(await beganOn(server));
  const log = openLog(orderOf(server.url(copied)));
  expect(await log.head()).toMatchObject({ isCopy: true, epoch: 1 });
  // The timeline of the server that it was copied from says nothing about this one.
  const known = { installation: INSTALLATION, epoch: 1, timeline: 9, place: null };
  expect((await openLog(orderOf(server.url(copied)), { known }).status()).head.isCopy).toBe(true);
  await expect(log.append([entryOf('twice')])).rejects.toMatchObject({ hint: expect.stringContaining('adopt --yes') });
  await server.sql('SELECT tallyhook.adopt()', { database: copied });
  expect(await log.head()).toMatchObject({ isCopy: false, epoch: 2 });
  expect((await log.append([entryOf('once')])).entries).toMatchObject([{ seq: 1 }]); // by those that are open, too
});

test('a certificate is verified, by its signer and by the name of the host', async () => {
  const secured = await PostgresServer.start();
  await begin(secured.url('postgres'));
  await secured.stop();
  for (const [file, text] of Object.entries({ 'server.key': KEY, 'server.crt': CERTIFICATE }))
    writeFileSync(join(secured.folder, file), text, { mode: 0o600 });
  secured.set({ ssl: 'on', listen_addresses: "'127.0.0.1,127.0.0.2'" });
  await secured.resume();
  const through = (host: string, ca: string | null) =>
    head(orderOf(`postgres://postgres@${host}:${secured.port}/postgres?sslmode=verify-full`, { ca }));
  expect((await through('127.0.0.1', CERTIFICATE)).epoch).toBe(1);
  const unverified = { fault: 'cluster_refused', message: expect.stringContaining('certificate that does not verify') };
  await expect(through('127.0.0.1', null)).rejects.toMatchObject(unverified);
  await expect(through('127.0.0.2', CERTIFICATE)).rejects.toMatchObject(unverified);
});
