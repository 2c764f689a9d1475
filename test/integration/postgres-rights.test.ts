import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPostgresUpkeep } from '../../src/store/cluster/postgres/upkeep.ts';
import { CHAIN_START, chainOf } from '../../src/store/cluster/shared-log.ts';
import { grantsFor } from '../../src/store/cluster-grants.ts';
import { beganOn, begin, entryOf, factsOf, openLog, orderOf } from '../support/postgres/log.ts';
import { sharedPostgres } from '../support/postgres/server.ts';

const server = await sharedPostgres();
const ROLE = 'it"s the program';

/** A log, with the restricted roles that its owner made by the printed SQL. */
async function restricted() {
  const database = await beganOn(server);
  await server.sql(grantsFor(ROLE), { database });
  await server.sql(grantsFor(ROLE), { database }); // a second time changes nothing
  const as = (role: string) => server.url(database, encodeURIComponent(role));
  const refused = async (role: string, text: string) =>
    server.sql(text, { database, role: encodeURIComponent(role) }).then(
      () => 'done',
      ({ code }) => (code === '42501' ? 'refused' : code),
    );
  return { database, as, refused };
}

/** One for all that change nothing, with an entry. */
function once(): ReturnType<typeof restricted> {
  made ??= restricted().then(async (world) => {
    await openLog(orderOf(world.as(ROLE))).append([entryOf('one')]);
    return world;
  });
  return made;
}
let made: ReturnType<typeof restricted> | undefined;

test('the role of the program appends, reads, and notes what nodes say', async () => {
  const { as } = await restricted();
  const log = openLog(orderOf(as(ROLE)));
  await log.append([entryOf('one'), entryOf('two')]);
  const entries = await log.read({ seq: 0, chain: CHAIN_START }, 1_000_000);
  expect(entries.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['one', 'two']);
  let chain = CHAIN_START;
  for (const entry of entries) {
    chain = chainOf(chain, entry);
    expect(Buffer.from(entry.chain)).toEqual(chain);
  }
  await log.seen(factsOf('node-1'));
  await log.putDigest({ seq: 2, node: 'node-1', digest: Buffer.alloc(32, 1) });
  const facts = { seq: 2, chain, epoch: 1, node: 'node-1', version: '1.0.0', schema: 23 };
  const snapshot = await log.putSnapshot(facts, [Buffer.from('the '), Buffer.from('file')]);
  const parts = await Array.fromAsync(log.snapshotParts(snapshot));
  expect(Buffer.concat(parts).toString()).toBe('the file');
  const { server: safety, nodes } = await log.status();
  expect([safety.isOwner, nodes.map(({ name }) => name)]).toEqual([false, ['node-1']]);
});

test.each([
  `UPDATE tallyhook.entries SET bytes = 'other'`,
  `UPDATE tallyhook.entries SET seq = seq + 10`,
  'DELETE FROM tallyhook.entries',
  'TRUNCATE tallyhook.entries',
  'TRUNCATE tallyhook.head, tallyhook.entries',
  `INSERT INTO tallyhook.entries VALUES (2, repeat('0', 32), now(), 'me', '1', 'c', 'b')`,
  'UPDATE tallyhook.head SET seq = 0',
  'DELETE FROM tallyhook.head',
  'DROP TABLE tallyhook.entries',
  'ALTER TABLE tallyhook.entries DISABLE TRIGGER ALL',
  `CREATE OR REPLACE FUNCTION tallyhook.ms(at timestamptz) RETURNS bigint LANGUAGE sql RETURN 0`,
  'ALTER FUNCTION tallyhook.append SECURITY INVOKER',
  'CREATE TABLE tallyhook.mine (a integer)',
  `SELECT tallyhook.refuse_while_others_live('me', 0)`,
  'DELETE FROM tallyhook.snapshots',
  `UPDATE tallyhook.snapshots SET seq = 0`,
])('the role of the program may not: %s', async (text) => {
  const { refused } = await once();
  expect(await refused(ROLE, text)).toBe('refused');
});

test('a temporary type named text brings no code of the caller into the functions of the owner', async () => {
  const { database, as, refused } = await restricted();
  await openLog(orderOf(as(ROLE))).append([entryOf('one')]);
  const calls = [
    'tallyhook.adopt()',
    `tallyhook.append(1, 'me', ARRAY[repeat('0', 32)], ARRAY['1'], ARRAY[1], 'b', '1')`,
    `tallyhook.see('me', 'me', '1', 1, '{receive}', 0, '{}', NULL, NULL, 0, 0)`,
    `tallyhook.raise_epoch('me', 0)`,
    `tallyhook.mark_left('me', 0)`,
  ];
  for (const call of calls) {
    await refused(
      ROLE,
      `CREATE FUNCTION pg_temp.steal(pg_catalog.text) RETURNS boolean LANGUAGE plpgsql AS
         $$ BEGIN DELETE FROM tallyhook.entries; RETURN true; END $$;
         CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.steal(VALUE));
         SELECT ${call}`,
    );
  }
  const [entries] = await server.sql<{ n: number }>('SELECT count(*)::integer AS n FROM tallyhook.entries', {
    database,
  });
  expect(entries?.n).toBe(2);
});

test('begin brings a log whose functions search temporary types first up to date', async () => {
  const database = await server.database();
  const migration = (file: string) =>
    readFileSync(new URL(`../../migrations/postgres/${file}`, import.meta.url), 'utf8');
  await server.sql('CREATE SCHEMA tallyhook', { database });
  await server.sql(migration('0001_log.sql'), { database });
  await server.sql(
    `INSERT INTO tallyhook.head SELECT true, 'the-installation', system_identifier::text, 1, 0, '', now(), '1', NULL, 1
     FROM pg_control_system()`,
    { database },
  );
  expect(await begin(server.url(database))).toMatchObject({ did: 'updated', head: { isCopy: false } });
  const paths = await server.sql<{ path: string }>(
    `SELECT DISTINCT array_to_string(proconfig, ' ') AS path FROM pg_proc
     WHERE pronamespace = 'tallyhook'::regnamespace AND prolang <> (SELECT oid FROM pg_language WHERE lanname = 'sql')`,
    { database },
  );
  expect(paths).toEqual([{ path: 'search_path=pg_catalog, pg_temp' }]);
});

test.each([
  `UPDATE tallyhook.entries SET bytes = 'other'`,
  'TRUNCATE tallyhook.entries',
  'UPDATE tallyhook.head SET seq = 0',
  `SELECT tallyhook.append(1, 'me', '{}', '{}', '{}', '', NULL)`,
  'DROP TABLE tallyhook.entries',
])('the role that deletes may not: %s', async (text) => {
  const { refused } = await once();
  expect(await refused(`${ROLE}_upkeep`, text)).toBe('refused');
});

test('the role that deletes takes away what two snapshots have made dispensable, and nothing else', async () => {
  const { as } = await restricted();
  const log = openLog(orderOf(as(ROLE)));
  const upkeep = openPostgresUpkeep(orderOf(as(`${ROLE}_upkeep`)));
  const later = { beforeMs: Date.UTC(2100, 0) };
  for (let n = 1; n <= 6; n++) await log.append([entryOf(`${n}`)]);
  const put = async (seq: number) => {
    const chain = (await log.chainAt(seq)) ?? CHAIN_START;
    return log.putSnapshot({ seq, chain, epoch: 1, node: 'n', version: '1', schema: 23 }, [Buffer.from(`at ${seq}`)]);
  };
  await put(2);
  expect(await upkeep.prune(later)).toEqual({ snapshots: 0, entries: 0 }); // a node may be loading the only one
  await put(4);
  expect(await upkeep.prune({ beforeMs: Date.UTC(2000, 0) })).toEqual({ snapshots: 0, entries: 0 });
  expect(await upkeep.prune(later)).toEqual({ snapshots: 0, entries: 1 });
  await put(5);
  expect(await upkeep.prune(later)).toEqual({ snapshots: 1, entries: 2 });
  expect((await log.newestSnapshot())?.seq).toBe(5);
  expect(await log.oldest()).toMatchObject({ seq: 4, chain: await log.chainAt(4) });
  await expect(log.read({ seq: 0, chain: CHAIN_START }, 1_000)).rejects.toMatchObject({ fault: 'fell_behind' });
  await upkeep.close();
});

test('everyone else has no right at all', async () => {
  const { database, refused } = await restricted();
  await server.sql(`DO $$ BEGIN CREATE ROLE stranger LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`);
  expect(await refused('stranger', 'SELECT FROM tallyhook.head')).toBe('refused');
  const head = openLog(orderOf(server.url(database, 'stranger'))).head();
  await expect(head).rejects.toMatchObject({ fault: 'cluster_refused', hint: expect.stringContaining('--grants') });
});

test('the log is begun by its owner alone, and once', async () => {
  const { database, as } = await restricted();
  const again = await begin(server.url(database));
  expect(again).toMatchObject({ did: 'nothing', head: { seq: 0, epoch: 1, isCopy: false, hasLeft: false } });
  await expect(begin(server.url(database), { installation: 'another' })).rejects.toMatchObject({
    fault: 'cluster_refused',
    message: expect.stringContaining('is of installation the-installation; this machine is of another'),
  });
  const empty = await server.database();
  await server.sql(`GRANT CONNECT ON DATABASE ${empty} TO stranger`).catch(() => {});
  await expect(begin(server.url(empty, encodeURIComponent(ROLE)))).rejects.toMatchObject({ fault: 'cluster_refused' });
  expect(as(ROLE)).toContain(database);
});
