import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { linkDigest } from '../../src/domain/access/one-time.ts';
import { openStore } from '../../src/store/open.ts';
import { openDatabase, writing } from '../../src/store/sqlite/engine/database.ts';
import { eventWrites } from '../../src/store/sqlite/write/events.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { temporaryFolder } from '../support/folder.ts';
import { StatementFolder, walletCsv } from '../support/statement-files.ts';
import { refund } from '../support/test-database.ts';

/* From the first user on, a name is proved by a token. The tests go on from one another: one installation and its people. */

const folder = new StatementFolder(temporaryFolder());
const NOW = Date.now();
const DAY = 86_400_000;
const tokens: Record<string, string> = {};

const run = (token: string | null, args: readonly string[], nowMs = NOW) =>
  command(args, {
    cwd: folder.cwd,
    env: { ...folder.env, ...(token !== null && { TALLYHOOK_TOKEN: token }) },
    nowMs,
  });
const json = async (...args: string[]) => JSON.parse((await run(null, [...args, '--json'])).stdout);
const entries = async (): Promise<string[][]> =>
  (await json('audit', 'list', '--oldest-first')).items.map(({ who, act }: Record<string, string>) => [who, act]);

beforeAll(async () => {
  folder.file('october.csv', walletCsv([['C-1', 101]]));
  folder.file('november.csv', walletCsv([['C-2', 101, '2026-11-01']], 100_101));
});

test('without users a name is as it is stated; the first user has to be an admin', async () => {
  const imported = await run(null, ['statements', 'import', 'october.csv', '--profile', 'wallet.yaml', '--as', 'Eve']);
  expect(imported.code).toBe(0);
  const none = await run(null, ['users']);
  expect(none.stdout + none.stderr).toBe('No users: each name is taken as it is stated (--as).\n');
  const refused = await run(null, ['users', 'add', 'Grace', '--role', 'finance', '--json']);
  expect(JSON.parse(refused.stderr).error).toMatchObject({ kind: 'failed', reason: 'last_admin' });
  const added = await run(null, ['users', 'add', 'Ada', '--role', 'admin', '--as', 'root']);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Ada\.[\w-]{43}\n$/) });
  tokens.Ada = added.stdout.trim();
  expect((await entries()).at(-1)).toEqual(['root', 'user.add']);
});

test('a token is kept nowhere: neither in the database nor in its log', () => {
  const secret = tokens.Ada?.split('.')[1] ?? '';
  for (const name of ['tallyhook.db', 'tallyhook.db-wal']) {
    let bytes = Buffer.alloc(0);
    try {
      bytes = readFileSync(`${folder.cwd}/${name}`);
    } catch {
      // the last one to close it has emptied it
    }
    expect(bytes.includes(secret)).toBe(false);
  }
});

test('what a name that is not proved wants to do is refused with 2, and enters nothing', async () => {
  const before = await entries();
  const stranger = `Ada.${'x'.repeat(43)}`;
  for (const [token, args, said] of [
    [null, ['--as', 'Ada'], /no token was given/],
    [null, ['--as', 'Eve'], /no token was given/],
    [stranger, [], /not known, or was ended/],
    ['Ada', [], /TALLYHOOK_TOKEN holds no token/],
    [tokens.Ada, ['--as', 'Eve'], /is of Ada, not of Eve/],
  ] as const) {
    for (const act of [
      ['statements', 'import', 'november.csv', '--profile', 'wallet.yaml'],
      ['statements', 'remove', '1', '--yes'],
      ['users', 'add', 'Eve', '--role', 'finance'],
      ['users', 'end', 'Ada'],
    ]) {
      const { code, stdout, stderr } = await run(token ?? null, [...act, ...args]);
      expect([code, stdout], stderr).toEqual([2, '']);
      expect(stderr).toMatch(said);
    }
  }
  expect(await entries()).toEqual(before);
  expect((await json('statements', 'list')).total).toBe(1);
});

test('a token has the name in it; a role that may not ends with 1 and says which may', async () => {
  const added = await run(tokens.Ada ?? '', ['users', 'add', 'Grace', '--role', 'finance', '--for', '30d', '--json']);
  const grace = JSON.parse(added.stdout);
  expect(grace).toMatchObject({
    name: 'Grace',
    roles: ['finance'],
    endedAt: null,
    token: expect.stringMatching(/^Grace\./),
  });
  expect(grace.tokensUntil.map((text: string) => Math.round((Date.parse(text) - NOW) / DAY))).toEqual([30]);
  expect(undocumentedFields(grace, ['users list, add, roles, token, reset, end'])).toEqual([]);
  tokens.Grace = grace.token;
  const importing = ['statements', 'import', 'november.csv', '--profile', 'wallet.yaml'];
  const refused = await run(tokens.Ada ?? '', importing);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Ada (admin) may not do this: statement.import needs finance.'),
  });
  expect((await run(tokens.Grace ?? '', importing)).code).toBe(0);
  expect((await entries()).slice(-1)).toEqual([['Grace', 'statement.import']]);
});

test('acts that the audit does not enter ask the same table before they begin, and refuse as the others do', async () => {
  const vera = (await run(tokens.Ada ?? '', ['users', 'add', 'Vera', '--role', 'viewer'])).stdout.trim();
  const before = await entries();
  for (const [line, act, roles] of [
    ['sweep', 'sweep', 'operator'],
    ['backfill', 'backfill', 'operator'],
    ['schedule run sweep', 'job.run', 'operator'],
    ['alerts check', 'job.run', 'operator'],
    ['alerts silence 1', 'alert.silence', 'operator'],
    ['alerts test', 'alert.test', 'operator'],
    ['forward test shop', 'target.test', 'operator'],
    ['reconcile --from 2026-10-01 --to 2026-10-31', 'rules.use', 'finance'],
    ['track refund R --amount 1.00 --currency NGN', 'track', 'operator or finance'],
    ['track forget R', 'track', 'operator or finance'],
    ['refunds request T --amount 1.00 --yes', 'request', 'operator or finance'],
    ['payouts verify-account 044 0690000031', 'request', 'operator or finance'],
    ['collections verify C', 'check', 'operator or finance or approver'],
  ] as const) {
    const stated = await run(null, line.split(' '));
    expect([line, stated.code, stated.stdout, stated.stderr]).toEqual([
      line,
      2,
      '',
      expect.stringContaining('no token was given'),
    ]);
    const viewer = await run(vera, line.split(' '));
    const said = `Vera (viewer) may not do this: ${act} needs ${roles}.`;
    expect([line, viewer.code, viewer.stderr]).toEqual([line, 1, expect.stringContaining(said)]);
  }
  // What only looks asks for nothing; who may goes on to what the configuration lacks.
  expect((await run(null, ['sweep', '--dry-run'])).code).toBe(0);
  expect((await run(tokens.Grace ?? '', ['collections', 'verify', 'C'])).stderr).not.toContain('may not do this');
  expect(await entries()).toEqual(before);
  await run(tokens.Ada ?? '', ['users', 'end', 'Vera']);
});

test('personal data is shown whole to a role that may, and the audit has it before', async () => {
  const database = openDatabase(folder.database);
  // More than an export reads at a time.
  writing(database, eventWrites(database).keep)(Array.from({ length: 60 }, (_, at) => refund(`R-${at}`, 'success')));
  database.close();
  const line = ['statements', 'show', '1', '--reveal', '--json'];
  expect((await run(null, line)).code).toBe(2);
  expect((await run(tokens.Ada ?? '', line)).stderr).toContain('Ada (admin) may not do this: reveal needs');
  expect(
    (
      await run(
        null,
        line.filter((word) => word !== '--reveal'),
      )
    ).code,
  ).toBe(0);
  for (const [args, subject] of [
    [line, 'reveal:line:1/'],
    [['sql', 'SELECT name FROM users', '--reveal'], 'reveal:sql:SELECT name FROM users'],
    [['why', 'C-1', '--reveal'], 'reveal:why:C-1'],
    [['events', 'export'], 'reveal:60/'],
  ] as const) {
    expect([args, (await run(null, args)).code]).toEqual([args, 2]);
    await run(tokens.Grace ?? '', args);
    const { items } = await json('audit', 'list');
    expect(items[0]).toMatchObject({ who: 'Grace', act: 'reveal', subject: expect.stringContaining(subject) });
  }
  expect((await run(null, ['sql', 'SELECT upper(value) FROM credentials'])).code).toBe(0); // masked before it is asked
});

test.each([
  ['fails with what it met', "SELECT json_extract('{}', name) FROM users", 2],
  ['has no row', "SELECT 1 WHERE (SELECT name FROM users LIMIT 1) LIKE 'X%'", 0],
])(
  'a statement that %s meets nothing whole before the role is asked and the audit has it',
  async (_what, sql, code) => {
    const revealing = ['sql', sql, '--reveal'];
    const before = await entries();
    const unproved = [await run(null, revealing), await run(tokens.Ada ?? '', revealing)];
    expect(unproved.map((one) => [one.code, one.stdout])).toEqual([
      [2, ''],
      [1, ''],
    ]);
    for (const { stderr } of unproved) expect(stderr).not.toMatch(/JSON path/i);
    expect(await entries()).toEqual(before);
    expect((await run(tokens.Grace ?? '', revealing)).code).toBe(code);
    expect((await json('audit', 'list')).items[0]).toMatchObject({
      who: 'Grace',
      act: 'reveal',
      subject: `reveal:sql:${sql}`,
    });
  },
);

test('a token ends at its time; another one, or a reset on the machine, lets the person go on', async () => {
  const removing = ['statements', 'remove', '2', '--yes'];
  const late = await run(tokens.Grace ?? '', removing, NOW + 31 * DAY);
  expect(late).toMatchObject({ code: 2, stderr: expect.stringMatching(/^tallyhook: The token of Grace ended at /) });
  const more = await run(tokens.Ada ?? '', ['users', 'token', 'Grace']);
  const reset = await run(null, ['users', 'reset', 'grace', '--as', 'root']);
  expect([more.code, reset.code]).toEqual([0, 0]);
  for (const former of [tokens.Grace, more.stdout.trim()])
    expect((await run(former ?? '', removing)).stderr).toContain('not known, or was ended');
  expect((await entries()).at(-1)).toEqual(['tallyhook', 'user.reset']); // a name that is only stated is not entered
  tokens.Grace = reset.stdout.trim();
  expect((await run(tokens.Grace, removing)).code).toBe(0);
});

test('roles change from those that were seen, a user ends and comes again, and the last admin stays', async () => {
  const ada = tokens.Ada ?? '';
  const roles = ['users', 'roles', 'Grace', '--role', 'approver', '--role', 'viewer'];
  const unseen = await run(ada, [...roles, '--was', 'operator']);
  expect([unseen.code, unseen.stderr]).toEqual([1, expect.stringContaining('are others than you looked at: finance.')]);
  expect(await run(ada, [...roles, '--was', 'finance'])).toMatchObject({
    ...{ code: 0, stderr: expect.stringContaining('Grace: viewer, approver (before: finance).') },
  });
  const approver = await run(tokens.Grace ?? '', ['statements', 'import', 'november.csv', '--profile', 'wallet.yaml']);
  expect(approver.stderr).toContain('Grace (viewer, approver) may not do this');
  for (const act of [
    ['users', 'end', 'ada'],
    ['users', 'roles', 'Ada', '--role', 'finance'],
  ])
    expect(await run(ada, act)).toMatchObject({ code: 1, stderr: expect.stringContaining('Ada is the last admin.') });
  expect((await run(ada, ['users', 'add', 'GRACE', '--role', 'finance'])).stderr).toContain('Grace is a user already');
  expect((await run(ada, ['users', 'add', 'a/b', '--role', 'finance'])).stderr).toContain('has a slash');
  expect((await run(ada, ['users', 'end', 'Eve'])).stderr).toContain('Eve is no user.');
  expect((await run(ada, ['users', 'end', 'Grace'])).code).toBe(0);
  expect((await run(tokens.Grace ?? '', ['users', 'token', 'Grace'])).stderr).toContain('not known, or was ended');
  expect((await run(ada, ['users', 'token', 'Grace'])).stderr).toContain('Grace is no user.');
  expect((await run(null, ['users'])).stdout).toMatch(
    /^NAME .*\nAda +admin .*\nGrace +viewer, approver .* ended +\d{4}-/,
  );
  expect((await run(ada, ['users', 'add', 'Grace', '--role', 'finance'])).code).toBe(0);
  expect(await json('users')).toMatchObject({
    total: 3,
    items: [{ name: 'Ada' }, { name: 'Grace', endedAt: null }, {}],
  });
  expect(await json('audit', 'verify')).toMatchObject({ ok: true });
});

test('with --link a user gets one also where the dashboard is opened alone', async () => {
  const own = new StatementFolder(temporaryFolder());
  own.file('tallyhook.yaml', 'database: ./tallyhook.db\n');
  const { stdout } = await command(['users', 'add', 'Ada', '--role', 'admin', '--link'], { cwd: own.cwd, env: {} });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:4603\/link\/[\w-]{43}$/m);
});

test('where there is a dashboard, a user gets a link beside the token: at add and at reset, one at a time', async () => {
  const own = new StatementFolder(temporaryFolder());
  own.file('tallyhook.yaml', 'database: ./tallyhook.db\ndashboard: {publicUrl: https://pay.example.com}\n');
  const named = (args: readonly string[], token = '') =>
    command(args, { cwd: own.cwd, env: token === '' ? {} : { TALLYHOOK_TOKEN: token } });
  const [token, link = ''] = (await named(['users', 'add', 'Ada', '--role', 'admin'])).stdout.trim().split('\n');
  expect(link).toMatch(/^https:\/\/pay\.example\.com\/link\/[\w-]{43}$/);
  const added = await named(['users', 'add', 'Grace', '--role', 'viewer', '--json'], token);
  const grace = JSON.parse(added.stdout);
  expect(grace.link).toMatch(/\/link\/[\w-]{43}$/);
  expect(undocumentedFields(grace, ['users list, add, roles, token, reset, end'])).toEqual([]);
  const reset = JSON.parse((await named(['users', 'reset', 'Grace', '--json'])).stdout);
  expect(reset.link).not.toBe(grace.link);
  const archive = await openStore(own.database).archive();
  const owners = [grace, reset].map((one) => archive.linkOwner(linkDigest(one.link.split('/').at(-1))));
  expect(await Promise.all(owners)).toEqual([null, 'Grace']);
  await archive.close();
  const sessions = await named(['users', 'sessions']);
  expect([sessions.code, sessions.stdout + sessions.stderr]).toEqual([0, 'No one is logged in.\n']);
  const ended = await named(['users', 'sessions', 'end', 'Grace', '--json'], token);
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, { ended: 0 }]);
});
