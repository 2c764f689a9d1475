import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { CHAIN_START } from '../../src/store/cluster/shared-log.ts';
import type { StoreError } from '../../src/store/error.ts';
import { beganOn, begin, entryOf, idsIn, keep, openLog, orderOf } from '../support/postgres/log.ts';
import { PostgresServer, sharedPostgres } from '../support/postgres/server.ts';
import { wireTo } from '../support/postgres/wire.ts';
import { until } from '../support/wait.ts';

const server = await sharedPostgres();
const START = { seq: 0, chain: CHAIN_START };
const orderThrough = (url: string, from: number, to: number) => orderOf(url.replace(`:${from}/`, `:${to}/`));

test('an append whose answer was lost is looked up, and is in the log once', async () => {
  const database = await beganOn(server);
  const wire = await wireTo(server.port);
  const log = openLog(orderThrough(server.url(database), server.port, wire.port));
  await log.append([entryOf('before')]);
  const answered = wire.holdAnswers();
  const [one, two] = [entryOf('one'), entryOf('two')];
  const appended = log.append([one, two]);
  await answered;
  wire.cut();
  expect((await appended).entries.map(({ seq }) => seq)).toEqual([2, 3]);
  expect((await idsIn(server, database)).slice(1)).toEqual([one.id, two.id]);
  expect((await log.append([two, entryOf('three'), one])).entries.map(({ seq }) => seq)).toEqual([3, 4, 2]);
});

test('a server that is killed between its commit and its answer costs no entry, and none twice', async () => {
  const own = await PostgresServer.start();
  await begin(own.url('postgres'));
  const wire = await wireTo(own.port);
  const log = openLog(orderThrough(own.url('postgres'), own.port, wire.port));
  await log.append([entryOf('before')]);
  const answered = wire.holdAnswers();
  const entry = entryOf('one');
  const appended = log.append([entry]);
  await answered;
  wire.cut();
  await own.stop('immediate');
  await own.resume();
  expect((await appended).entries).toEqual([{ seq: 2, atMs: expect.any(Number) }]);
  expect(await idsIn(own, 'postgres')).toHaveLength(2);
});

test('a connection that the server ends while it is idle ends no process, and the next append opens another', async () => {
  const database = await beganOn(server);
  const log = openLog(orderOf(server.url(database)));
  await log.append([entryOf('one')]);
  await server.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
  await log.append([entryOf('two')]);
  expect((await log.head()).seq).toBe(2);
});

test('a server that hangs costs no more than commitMs, keeps no log from being closed, and what it did then is found by its id', async () => {
  const own = await PostgresServer.start();
  await begin(own.url('postgres'));
  const log = openLog(orderOf(own.url('postgres'), { commitMs: 400, connectMs: 400 }));
  const idle = openLog(orderOf(own.url('postgres')));
  await Promise.all([keep(log, entryOf('before')), idle.head()]);
  own.pause();
  await idle.close();
  const entry = entryOf('one');
  await expect(log.append([entry])).rejects.toMatchObject({ fault: 'cluster_unconfirmed' });
  await expect(log.append([entryOf('two')])).rejects.toMatchObject({ fault: 'cluster_unreachable' });
  own.unpause();
  await keep(log, entry);
  expect((await idsIn(own, 'postgres')).filter((id) => id === entry.id)).toHaveLength(1);
});

test.each(['FROM tallyhook.head', 'SELECT chain FROM tallyhook.entries'])(
  'a connection that is compared with the log while this machine reads on is not beside it (%s)',
  async (statement) => {
    const database = await beganOn(server);
    const other = openLog(orderOf(server.url(database)));
    await other.append([entryOf('one')]);
    const wire = await wireTo(server.port);
    const log = openLog(orderThrough(server.url(database), server.port, wire.port));
    const [one] = await log.read(START, 1_000);
    const asked = wire.holdAnswers(statement);
    const appended = log.append([entryOf('three')]); // its connection is a new one
    await asked;
    await other.append([entryOf('two')]);
    expect(await log.read(one ?? START, 1_000)).toHaveLength(1); // from here on entry 2 is known
    wire.letThrough();
    expect((await appended).entries).toMatchObject([{ seq: 3 }]);
  },
);

/** Something in the database, such as a trigger, changes a setting of the session under an append. */
async function meddle(database: string, setting: string, value: string) {
  await server.sql(
    `CREATE FUNCTION public.meddle() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM set_config('${setting}', '${value}', true); RETURN NEW; END $$;
     CREATE TRIGGER meddle BEFORE UPDATE ON tallyhook.head FOR EACH ROW EXECUTE FUNCTION public.meddle()`,
    { database },
  );
}

test.each([
  ['synchronous_commit', 'off'],
  ['synchronous_commit', 'local'],
  ['client_min_messages', 'error'],
])('nothing is acknowledged when %s was %s in its transaction', async (setting, value) => {
  const database = await beganOn(server);
  await meddle(database, setting, value);
  const appended = openLog(orderOf(server.url(database))).append([entryOf('one')]);
  await expect(appended).rejects.toMatchObject({
    ...{ fault: 'cluster_unconfirmed', message: expect.stringContaining(setting) },
  });
});

test('a role whose settings would not wait for the disk is given those that do', async () => {
  const database = await beganOn(server);
  await server.sql(`ALTER DATABASE ${database} SET synchronous_commit = off`);
  await server.sql(`ALTER DATABASE ${database} SET client_min_messages = error`);
  await server.sql(`ALTER DATABASE ${database} SET statement_timeout = '1ms'`);
  await openLog(orderOf(server.url(database))).append([entryOf('one')]);
});

test('with cluster.replicated nothing is written while the server waits for no replica', async () => {
  const database = await beganOn(server);
  const appended = openLog(orderOf(server.url(database), { replicated: true })).append([entryOf('one')]);
  await expect(appended).rejects.toMatchObject({
    fault: 'cluster_unsafe',
    message: expect.stringContaining('it waits for no replica'),
    hint: expect.stringContaining('set synchronous_standby_names'),
  });
  expect(await idsIn(server, database)).toEqual([]);
});

test('nothing is begun or written on a server that does not write to its disk, and nothing acknowledged by one that stopped doing so', async () => {
  const own = await PostgresServer.start({ fsync: 'off' });
  const unsafe = { fault: 'cluster_unsafe', hint: expect.stringContaining('set fsync = on') };
  await expect(begin(own.url('postgres'))).rejects.toMatchObject(unsafe);
  await own.reload({ fsync: 'on' });
  await begin(own.url('postgres'));
  const log = openLog(orderOf(own.url('postgres')));
  await log.append([entryOf('one')]);
  await own.reload({ fsync: 'off' });
  await expect(log.append([entryOf('two')])).rejects.toMatchObject({ fault: 'cluster_unconfirmed' });
  await expect(log.append([entryOf('three')])).rejects.toMatchObject(unsafe);
  expect(await idsIn(own, 'postgres')).toHaveLength(2);
});

test('a full disk of the server is named, and nothing is written', async () => {
  const database = await beganOn(server);
  await server.sql(
    `CREATE FUNCTION public.fill() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
     CREATE TRIGGER fill BEFORE INSERT ON tallyhook.entries FOR EACH ROW EXECUTE FUNCTION public.fill()`,
    { database },
  );
  await expect(openLog(orderOf(server.url(database))).append([entryOf('one')])).rejects.toMatchObject({
    ...{ fault: 'cluster_unreachable', message: expect.stringContaining('cannot write: could not extend file') },
    hint: 'Free space on the disk of the server.',
  });
});

test('appends that gather while one waits share a statement, and each learns its own places', async () => {
  const database = await beganOn(server);
  const log = openLog(orderOf(server.url(database)));
  const one = await log.append([entryOf('0')]);
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, n) => log.append([entryOf(`a${n}`), entryOf(`b${n}`)])),
  );
  expect(all.map(({ entries }) => entries.map(({ seq }) => seq))).toEqual(
    Array.from({ length: 200 }, (_, n) => [2 + 2 * n, 3 + 2 * n]),
  );
  expect(one.kept).toMatchObject({ epoch: 1, seq: 1 });
  const commits = await server.sql<{ n: string }>(`SELECT count(DISTINCT at) AS n FROM tallyhook.entries`, {
    database,
  });
  expect(Number(commits[0]?.n)).toBeLessThan(20);
});

test('an entry that was changed in the database is not read, nor anything after it', async () => {
  const database = await beganOn(server);
  const log = openLog(orderOf(server.url(database)));
  await log.append([entryOf('one'), entryOf('two'), entryOf('three')]);
  await server.sql(`UPDATE tallyhook.entries SET bytes = 'TWO' WHERE seq = 2`, { database });
  await expect(log.read(START, 1_000_000)).rejects.toMatchObject({
    fault: 'cluster_refused',
    message: expect.stringContaining('Entry 2 of the log was changed'),
  });
});

test('times never fall, also when the clock of the server does', async () => {
  const database = await beganOn(server);
  const log = openLog(orderOf(server.url(database)));
  await log.append([entryOf('one')]);
  await server.sql(`UPDATE tallyhook.head SET at = '2100-01-01T00:00:00.123Z'`, { database });
  await log.append([entryOf('two')]);
  await log.append([entryOf('three')]);
  const entries = await log.read(START, 1_000);
  const then = Date.UTC(2100, 0, 1) + 123;
  expect(entries.slice(1).map(({ atMs }) => atMs)).toEqual([then, then]);
});

const replicas = {} as { primary: PostgresServer; replica: PostgresServer };
beforeAll(async () => {
  Object.assign(replicas, await PostgresServer.startPair());
  const { primary } = replicas;
  await begin(primary.url('postgres'));
  await primary.reload({ synchronous_standby_names: 'replica' });
});
const impatient = { commitMs: 700, replicated: true };
const backends = async ({ primary }: { primary: PostgresServer }) => {
  const [row] = await primary.sql<{ n: number }>(
    `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE application_name = 'tallyhook'`,
  );
  return row?.n ?? 0;
};

test('while the replica is gone nothing is acknowledged, and connections do not pile up', async () => {
  const { primary, replica } = replicas;
  const log = openLog(orderOf(primary.url('postgres'), impatient));
  await keep(log, entryOf('with the replica'));
  replica.pause();
  const entry = entryOf('without it');
  await expect(log.append([entry])).rejects.toMatchObject({ fault: 'cluster_unconfirmed' });
  let unsafe = 0;
  const isUnsafe = async () => {
    const error: unknown = await log.append([entryOf('another')]).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ fault: expect.stringMatching(/^cluster_(?:unsafe|unreachable)$/) });
    if ((error as StoreError).fault === 'cluster_unsafe') unsafe++;
    return unsafe === 5;
  };
  await until(isUnsafe, 'appends are refused since the first one waits');
  expect(await idsIn(primary, 'postgres')).not.toContain(entry.id);
  expect(await backends(replicas)).toBeLessThanOrEqual(3);
  replica.unpause();
  await keep(log, entry);
  expect((await idsIn(primary, 'postgres')).filter((id) => id === entry.id)).toHaveLength(1);
});

test('a wait for the replica that ends because the list of replicas was emptied acknowledges nothing', async () => {
  const { primary, replica } = replicas;
  const log = openLog(orderOf(primary.url('postgres')));
  await log.append([entryOf('before')]);
  replica.pause();
  const appended = log.append([entryOf('released')]);
  appended.catch(() => {});
  const waits = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  await until(async () => (await primary.sql(waits)).length === 1, 'the append waits for the replica');
  await primary.reload({ synchronous_standby_names: "''" });
  await expect(appended).rejects.toMatchObject({
    fault: 'cluster_unconfirmed',
    message: expect.stringContaining('synchronous_standby_names was changed'),
  });
  replica.unpause();
  await primary.reload({ synchronous_standby_names: 'replica' });
});

test.each([null, 'client_min_messages'])(
  'a wait for the replica that is cancelled acknowledges nothing, and no other node reads it before it is kept (%s)',
  async (hidden) => {
    const { primary, replica } = replicas;
    if (hidden !== null) {
      await primary.sql(`
        CREATE FUNCTION public.meddle() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM set_config('client_min_messages', 'error', true); RETURN NEW; END $$;
        CREATE TRIGGER meddle BEFORE UPDATE ON tallyhook.head FOR EACH ROW EXECUTE FUNCTION public.meddle()`);
    }
    const log = openLog(orderOf(primary.url('postgres'), { replicated: true }));
    const other = openLog(orderOf(primary.url('postgres'), impatient), { name: 'node-2' });
    const { seq, chain } = await log.head();
    replica.pause();
    const entry = entryOf('cancelled', randomBytes(16).toString('hex'));
    const appended = log.append([entry]);
    appended.catch(() => {});
    const waits = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    await until(async () => (await primary.sql(waits)).length === 1, 'the append waits for the replica');
    await primary.sql(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
    await expect(appended).rejects.toMatchObject({ fault: 'cluster_unconfirmed' });
    expect(await idsIn(primary, 'postgres')).toContain(entry.id); // it is there, and may be lost with the server
    await expect(other.read({ seq, chain }, 1_000)).rejects.toMatchObject({ kind: 'unusable' });
    replica.unpause();
    if (hidden !== null) await primary.sql('DROP FUNCTION public.meddle() CASCADE');
    const read = async () => (await other.read({ seq, chain }, 1_000).catch(() => []))[0]?.id === entry.id;
    await until(read, 'the replica has it');
  },
);
