import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageVersion } from '../../src/package-root.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { refund } from '../support/deliveries.ts';
import { temporaryFolder } from '../support/folder.ts';
import { LONGEST_WAIT_MS } from '../support/postgres/log.ts';
import { PostgresServer } from '../support/postgres/server.ts';
import { rowDifferences } from '../support/row-differences.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { until } from '../support/wait.ts';

/** A machine: a folder with a database, and the configuration by variables. */
function machine(name: string, url: string) {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const env = { TALLYHOOK_CLUSTER_URL: url, TALLYHOOK_CLUSTER_NODE: name, ...TEST_KEY_ENV };
  const run = (...args: string[]) => command(args, { cwd, env: { TALLYHOOK_DATABASE: database, ...env } });
  const configure = (settings: object) => {
    const cluster = { connectMs: LONGEST_WAIT_MS, commitMs: LONGEST_WAIT_MS };
    writeFileSync(join(cwd, 'tallyhook.yaml'), JSON.stringify({ cluster, ...settings }));
  };
  configure({});
  return {
    ...{ cwd, database, run, configure },
    json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout),
    serve: (...args: string[]) => Serve.start({ cwd, database, env, args }),
  };
}

async function readinessOf(serve: Serve): Promise<{ readonly code: number; readonly reason: string | undefined }> {
  const response = await fetch(`${serve.adminUrl}/readyz`);
  const { reason } = (await response.json()) as { readonly reason?: string };
  return { code: response.status, reason };
}

/** Waits until `serve` is ready, or is not; returns why. */
async function reasonAt(serve: Serve, code: 200 | 503): Promise<string | undefined> {
  await until(async () => (await readinessOf(serve)).code === code, `/readyz answers ${code}`);
  return (await readinessOf(serve)).reason;
}

/** What of acts on users needs a second person, as the database has it. */
function approvalOfUsers(database: string): unknown {
  const books = openDatabase(database, { readonly: true });
  try {
    return JSON.parse(books.prepare<[], string>('SELECT rules FROM approval_rules').pluck().get() ?? '{}').users;
  } finally {
    books.close();
  }
}

async function deliver(serve: Serve, reference: string): Promise<number> {
  const body = Buffer.from(refund(reference, 'success').body);
  const response = await fetch(`${serve.url}/webhooks/test`, { method: 'POST', body, headers: signed(body) });
  return response.status;
}

test('three machines, one of which only works and one only receives, begin, are equal, receive also with other settings, and one leaves with everything', async () => {
  const server = await PostgresServer.start({ full_page_writes: 'off' });
  const machineNamed = (name: string) => machine(name, server.url('postgres'));
  const [one, two, three] = [machineNamed('one'), machineNamed('two'), machineNamed('three')];
  const begun = await one.run('cluster', 'begin');
  expect([begun.code, begun.stdout]).toEqual([0, expect.stringContaining('The log was made.')]);
  expect((await one.run('cluster', 'begin')).stdout).toContain('The log is there already; nothing was changed.');
  copyFileSync(join(one.cwd, 'audit.key'), join(two.cwd, 'audit.key'));
  const working = [await one.serve(), await two.serve('--roles', 'work')] as const;
  const receiver = await three.serve('--roles', 'receive');
  expect(working[1].logged('serving')).toMatchObject({ node: 'two', roles: ['work'] });
  expect(working[1].logged('serving')?.receiver).toBeUndefined();
  const receivers = [working[0], receiver] as const;
  const references = Array.from({ length: 20 }, () => `R${randomBytes(4).toString('hex')}`);
  const answers = await Promise.all(
    references.map((reference, n) => deliver(receivers[n % 2 === 0 ? 0 : 1], reference)),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  let status = await one.json('cluster', 'status');
  const carried = async () => {
    status = await one.json('cluster', 'status');
    const { head, nodes } = status;
    const all = nodes.filter(({ carriedOut }: { carriedOut: number | null }) => carriedOut !== null);
    return all.length === 2 && all.every(({ carriedOut }: { carriedOut: number }) => carriedOut === head.seq);
  };
  await until(carried, 'both have carried everything out');
  const books = openDatabase(one.database);
  expect(rowDifferences(books, two.database)).toEqual([]);
  expect(books.prepare('SELECT count(*) FROM events').pluck().get()).toBe(references.length);
  books.close();

  expect(existsSync(three.database)).toBe(false);
  const elsewhere = await three.run('refunds', 'list');
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    2,
    expect.stringContaining('Run it on a machine that has one: one, two.'),
  ]);
  const ready = await (await fetch(`${receiver.adminUrl}/readyz`)).json();
  expect(ready).toMatchObject({ status: 'ready', serve: { roles: ['receive'], database: null } });
  const metrics = await (await fetch(`${working[1].adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^tallyhook_role\{role="receive"\} 0$/m);
  const expectation = ['payout', 'P-1', '--amount', '5', '--currency', 'NGN', '--environment', 'test'];
  const tracked = await one.json('track', ...expectation);
  const there = await two.run('track', 'list', '--at-least', String(tracked.seq));
  expect([there.code, there.stdout]).toEqual([0, expect.stringContaining('P-1')]);
  const keys = await two.json('keys', 'status');
  expect(keys).toEqual({
    machines: ['this configuration', 'one', 'three', 'two'],
    keys: [
      expect.objectContaining({ id: 'test-1', environment: 'test', on: keys.machines, missingOn: [], otherOn: [] }),
    ],
  });
  expect(undocumentedFields(keys, ['keys status'])).toEqual([]);
  await until(carried, 'both have carried everything out, again');

  expect(status).toEqual({
    installation: expect.any(String),
    epoch: 1,
    head: {
      seq: expect.any(Number),
      chain: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: expect.any(String),
      timeline: 1,
    },
    nodes: [
      { name: 'one', roles: ['receive', 'work'] },
      { name: 'three', roles: ['receive'], carriedOut: null, behind: null, schema: null },
      { name: 'two', roles: ['work'] },
    ].map((node) => ({
      ...{ carriedOut: status.head.seq, behind: { entries: 0, seconds: 0 }, schema: expect.any(Number) },
      // Nodes compare entry 10, and tell what they wrote with their next sign of life.
      digest: expect.toBeOneOf([null, { seq: 10, value: expect.stringMatching(/^[0-9a-f]{64}$/) }]),
      ...{ version: expect.stringContaining(packageVersion()), clockOffsetMs: expect.any(Number) },
      ...{ seenAt: expect.any(String), lives: true, ...node },
    })),
    localTables: expect.arrayContaining(['receivers', 'answers', 'carried_out']),
  });
  expect(undocumentedFields(status, ['cluster begin, status, upgrade, rebuild, leave, adopt'])).toEqual([]);
  const seen = await one.run('cluster', 'status');
  expect([seen.code, seen.stdout]).toEqual([3, expect.stringMatching(/^one +receive,work +\d+ +0 /m)]);
  expect(seen.stderr).toContain('set full_page_writes = on');

  const unsafe = (await one.json('status')).problems.filter(({ code }: { code: string }) => code === 'cluster_unsafe');
  expect(unsafe).toMatchObject([
    { text: expect.stringContaining('a crash of its machine can damage pages'), next: 'set full_page_writes = on' },
  ]);
  const { checks } = await one.json('doctor', '--offline');
  const names = checks.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['cluster', 'cluster server', 'node one', 'node three', 'node two']));

  const pruned = await one.run('prune', '--older', '400d', '--yes');
  expect([pruned.code, pruned.stderr]).toEqual([0, expect.stringContaining('PostgreSQL has it in its snapshots')]);

  await server.reload({ full_page_writes: 'on' });
  await server.sql(
    `INSERT INTO tallyhook.nodes VALUES ('4', 'four', 'v', 1, '{work}', 0, '{}', NULL, NULL, 0, now() - interval '1 hour', true)`,
  );
  await server.sql(`UPDATE tallyhook.entries SET at = at - interval '1 hour' WHERE seq = 1`); // the next one of node four
  expect(await one.run('cluster', 'status')).toMatchObject({ code: 0, stderr: '' }); // it was stopped by intent
  await server.sql(`UPDATE tallyhook.nodes SET signed_off = false WHERE id = '4'`);
  expect(await one.run('cluster', 'status')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^four is \d+ entries/),
  });
  // It may come back with the keys that it had.
  expect(await one.run('keys', 'status')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^four lacks test-1/),
  });
  await server.sql(`UPDATE tallyhook.nodes SET seen_at = now() - interval '8 days' WHERE id = '4'`);
  expect(await one.run('cluster', 'status')).toMatchObject({ code: 0, stderr: '' }); // it has been retired
  await server.sql(`UPDATE tallyhook.nodes SET seen_at = now(), stopped = 'its settings differ' WHERE id = '4'`);
  expect(await one.run('cluster', 'status')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('four does not go on: its settings differ'),
  });
  await server.sql(`DELETE FROM tallyhook.nodes WHERE id = '4'`);

  await server.stop();
  const away = await one.json('status');
  expect(away.problems).toContainEqual(expect.objectContaining({ code: 'cluster_unreachable' }));
  for (const words of [
    ['cluster', 'status'],
    ['track', ...expectation],
  ])
    expect(await one.run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining('does not answer') });
  expect(await deliver(working[0], 'R-away')).toBe(503);
  expect(await deliver(receiver, 'R-away')).toBe(503);
  expect(await one.run('refunds', 'list')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(references[0] ?? ''),
  });
  await server.resume();
  await until(async () => (await deliver(receiver, 'R-back')) === 200, 'deliveries are taken again');

  await server.sql(
    `CREATE FUNCTION public.fill() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
     CREATE TRIGGER fill BEFORE INSERT ON tallyhook.entries FOR EACH ROW EXECUTE FUNCTION public.fill()`,
  );
  expect([await deliver(working[0], 'R-full'), await deliver(receiver, 'R-full')]).toEqual([503, 503]);
  const isTold = async () => {
    const { code, stderr } = await one.run('cluster', 'status');
    return code === 3 && ['one', 'three'].every((name) => stderr.includes(`${name} does not go on: the log refuses`));
  };
  await until(isTold, 'both say that the disk of PostgreSQL is full');
  await server.sql('DROP TRIGGER fill ON tallyhook.entries');
  await until(async () => (await deliver(receiver, 'R-back')) === 200, 'deliveries are taken again');

  expect(await two.run('cluster', 'leave')).toMatchObject({ code: 1, stderr: expect.stringContaining('serve') });
  await Promise.all([working[1].stop(), receiver.stop()]);

  const settings = { confirm: { attempts: 3 }, approvals: { users: true } };
  two.configure(settings);
  const changed = await two.serve();
  expect(await reasonAt(changed, 503)).toMatch(
    /settings of this node, two, are not .*: confirm\.attempts is 3 here and 40 in the cluster; approvals differs\. Give this node the settings of the others, and start it again/,
  );
  expect(await deliver(changed, 'R-changed')).toBe(200);
  expect(await two.run('cluster', 'upgrade')).toMatchObject({ code: 0 });
  await reasonAt(changed, 200);
  await until(() => approvalOfUsers(two.database) === true, 'the rules of approvals are taken over');
  const differs = async () => (await readinessOf(working[0])).reason?.includes('of this node, one, are not') === true;
  await until(differs, 'it was running when its settings became others');
  expect(await deliver(working[0], 'R-running')).toBe(200);
  await changed.stop();
  one.configure(settings); // for its commands
  expect(await two.run('cluster', 'leave')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Another node lives: one'),
  });
  await working[0].stop();
  const left = await one.run('cluster', 'leave');
  expect([left.code, left.stdout]).toEqual([0, expect.stringContaining('the log is marked as left')]);
  const refused = { code: 2, stderr: expect.stringContaining('take cluster.url out') };
  for (const words of [['cluster', 'begin'], ['serve'], ['cluster', 'upgrade']])
    expect(await two.run(...words)).toMatchObject(refused);
  expect(await one.run('serve')).toMatchObject(refused); // its database is alone
  expect(await two.run('cluster', 'status')).toMatchObject({ ...refused, code: 3 });

  const second = await two.run('cluster', 'leave');
  expect([second.code, second.stderr]).toEqual([
    2,
    expect.stringMatching(/The node one left the log at \d{4}-\S+Z: its books go on alone/),
  ]);

  const again = ['cluster', 'begin', '--again'];
  expect(await one.run(...again)).toMatchObject({ code: 2, stderr: expect.stringContaining('would be deleted') });
  expect(await two.run(...again, '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has left no log'),
  });
  expect(await one.json(...again, '--yes')).toMatchObject({ did: 'again', epoch: 2, seq: 0 });
  const begunAgain = await one.serve();
  expect(await deliver(begunAgain, 'R-again')).toBe(200);
  expect(await two.run('serve')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('begin with an empty folder to join this log'),
  });
});

test('--grants prints SQL for psql, and connects to nothing', async () => {
  const { run } = machine('one', 'postgres://nobody@127.0.0.1:9/nothing');
  const { code, stdout, stderr } = await run('cluster', 'begin', '--grants', 'the app');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('GRANT USAGE ON SCHEMA tallyhook TO "the app";');
  expect((await run('cluster', 'begin', '--grants')).stdout).toContain('"tallyhook_node"');
});
