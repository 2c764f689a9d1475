// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is what the configuration file holds
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { ConfigurationError, type Problem } from '../../../src/config/problems.ts';
import { requireKeyPairs } from '../../../src/config/required-keys.ts';

const PUBLIC = 'pk_test_0123456789';
const SECRET = 'sk_test_0123456789abcdef';
const VERDICT_SECRET = 'signs the verdicts of this test, long enough';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallyhook-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(yaml: string | null, env: Record<string, string> = {}): Config {
  if (yaml !== null) writeFileSync(join(folder, 'tallyhook.yaml'), yaml);
  return loadConfig({ env, cwd: folder });
}

function problemsOf(yaml: string | null, env: Record<string, string> = {}): readonly Problem[] {
  try {
    load(yaml, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('what is accepted', () => {
  test('nothing at all gives the defaults, with paths from the working folder', () => {
    const config = load(null);
    expect(config).toMatchObject({ file: null, baseUrl: null, timeZone: 'Africa/Lagos', keyPairs: [] });
    expect(config.database).toBe(join(folder, 'data/tallyhook.db'));
    expect(config.receiver).toMatchObject({ host: '127.0.0.1', port: 4600, bodyLimitBytes: 1_048_576, strict: false });
    expect(config.admin).toMatchObject({ host: '127.0.0.1', port: 4601, token: null });
  });

  test('variables alone run a receiver', () => {
    const config = load(null, {
      TALLYHOOK_TEST_PUBLIC_KEY: PUBLIC,
      TALLYHOOK_TEST_SECRET_KEY: SECRET,
      TALLYHOOK_BASE_URL: 'https://service.example/',
      TALLYHOOK_DATABASE: '/var/lib/tallyhook.db',
      TALLYHOOK_HOST: '0.0.0.0',
      TALLYHOOK_PORT: '80',
      TALLYHOOK_ADMIN_HOST: '0.0.0.0',
      TALLYHOOK_ADMIN_PORT: '81',
      TALLYHOOK_ADMIN_TOKEN: '1234567890123456',
    });
    expect(config).toMatchObject({ baseUrl: 'https://service.example', database: '/var/lib/tallyhook.db' });
    expect(config.receiver).toMatchObject({ host: '0.0.0.0', port: 80 });
    expect(config.admin).toMatchObject({ host: '0.0.0.0', port: 81 });
    expect(config.admin.token?.reveal()).toBe('1234567890123456');
    const [pair] = config.keyPairs;
    expect(pair).toMatchObject({ id: 'test-1', environment: 'test', publicKey: PUBLIC, notAfter: null });
    expect(pair?.secretKey.reveal()).toBe(SECRET);
  });

  test('variables override the file, and keys in the file outrank the key variables of their environment only', () => {
    const config = load(`receiver: {port: 1}\nkeys: {test: [{publicKey: ${PUBLIC}, secretKey: ${SECRET}}]}`, {
      TALLYHOOK_PORT: '2',
      TALLYHOOK_TEST_PUBLIC_KEY: 'pk_test_other',
      TALLYHOOK_TEST_SECRET_KEY: 'sk_test_other_0123456789',
      TALLYHOOK_LIVE_PUBLIC_KEY: 'pk_live_other',
      TALLYHOOK_LIVE_SECRET_KEY: 'sk_live_other_0123456789',
    });
    expect(config.receiver.port).toBe(2);
    expect(config.keyPairs.map(({ id, publicKey }) => [id, publicKey])).toEqual([
      ['test-1', PUBLIC],
      ['live-1', 'pk_live_other'],
    ]);
  });

  test('.env beside the file is read, and the real environment wins over it', () => {
    writeFileSync(join(folder, '.env'), `TALLYHOOK_PORT=1\nTALLYHOOK_ADMIN_PORT=2\n`);
    expect(load('', { TALLYHOOK_PORT: '3' })).toMatchObject({ receiver: { port: 3 }, admin: { port: 2 } });
  });

  test('${NAME} and {file: …} are replaced at every place; $${ is a literal ${', () => {
    writeFileSync(join(folder, 'secret.txt'), `${SECRET}\n`);
    const config = load(
      'receiver: {port: "${PORT}", strict: "${STRICT}"}\nlog: {level: "${A}${B}"}\ndatabase: "$${x}/t.db"\n' +
        `keys: {test: [{publicKey: ${PUBLIC}, secretKey: {file: secret.txt}, notAfter: 2027-01-31T01:00:00+01:00}]}`,
      { PORT: '8080', STRICT: 'true', A: 'de', B: 'bug' },
    );
    expect(config).toMatchObject({ receiver: { port: 8080, strict: true }, log: { level: 'debug' } });
    expect(config.database).toBe(join(folder, '${x}/t.db'));
    expect(config.keyPairs[0]?.secretKey.reveal()).toBe(SECRET);
    expect(config.keyPairs[0]?.notAfter).toBe('2027-01-31T00:00:00.000Z');
  });

  test('--config, then TALLYHOOK_CONFIG, then ./tallyhook.yaml; paths start at the folder of the file', () => {
    mkdirSync(join(folder, 'etc'));
    writeFileSync(join(folder, 'etc/one.yaml'), 'database: d.db\nreceiver: {port: 1, captureFailed: failed}');
    writeFileSync(join(folder, 'etc/two.yaml'), 'receiver: {port: 2}');
    writeFileSync(join(folder, 'tallyhook.yaml'), 'receiver: {port: 3}');
    const env = { TALLYHOOK_CONFIG: 'etc/two.yaml' };
    const one = loadConfig({ file: 'etc/one.yaml', env, cwd: folder });
    expect(one).toMatchObject({ file: join(folder, 'etc/one.yaml'), database: join(folder, 'etc/d.db') });
    expect(one.receiver).toMatchObject({ port: 1, captureFailed: join(folder, 'etc/failed') });
    expect(loadConfig({ env, cwd: folder }).receiver.port).toBe(2);
    for (const none of [{}, { TALLYHOOK_CONFIG: '' }])
      expect(loadConfig({ env: none, cwd: folder }).receiver.port).toBe(3);
  });

  test('a callback with its page and secret; http only on this machine', () => {
    const yaml = (page: string) =>
      `baseUrl: https://service.example\ncallback: {page: "${page}", secret: "${VERDICT_SECRET}", perMinute: 7}`;
    const { callback } = load(yaml('https://shop.example/thanks?a=1#b'));
    expect(callback).toMatchObject({ page: 'https://shop.example/thanks?a=1#b', perMinute: 7, timeoutMs: 3_000 });
    expect(callback.secret?.reveal()).toBe(VERDICT_SECRET);
    expect(load(yaml('http://127.0.0.1:8080/')).callback.page).toBe('http://127.0.0.1:8080/');
  });

  test('a schedule, in its own zone or the one at the top; its folder starts at that of the file', () => {
    const { schedule } = load('schedule: {sweep: "*/5 * * * *", backup: 30 2 * * *, backupFolder: ../backups}');
    expect(schedule).toMatchObject({ timeZone: 'Africa/Lagos', sweep: '*/5 * * * *', backup: '30 2 * * *' });
    expect(schedule.backupFolder).toBe(join(folder, '..', 'backups'));
    expect(load('schedule: {sweep: null, timeZone: Asia/Kathmandu}').schedule).toMatchObject({
      timeZone: 'Asia/Kathmandu',
      sweep: null,
      backup: null,
    });
  });

  test('with prune.afterDays pruning has a default schedule; schedule.prune null turns it off', () => {
    expect(load(null).schedule.prune).toBeNull();
    expect(load('prune: {afterDays: 400}').schedule.prune).toBe('15 3 * * *');
    expect(load('prune: {afterDays: 400}\nschedule: {prune: 0 5 * * 0}').schedule.prune).toBe('0 5 * * 0');
    expect(load('prune: {afterDays: 400}\nschedule: {prune: null}').schedule.prune).toBeNull();
  });

  test('requireKeyPairs refuses an environment without keys and names the variables', () => {
    const config = load(null, { TALLYHOOK_TEST_PUBLIC_KEY: PUBLIC, TALLYHOOK_TEST_SECRET_KEY: SECRET });
    expect(requireKeyPairs(config)).toHaveLength(1);
    expect(() => requireKeyPairs(config, 'live')).toThrow(/TALLYHOOK_LIVE_PUBLIC_KEY and TALLYHOOK_LIVE_SECRET_KEY/);
  });
});

describe('what is refused', () => {
  const pair = (over: string) => `keys: {test: [{publicKey: ${PUBLIC}, secretKey: ${SECRET}, ${over}}]}`;
  const callback = (setting: string) => `baseUrl: https://service.example\ncallback: {${setting}}`;
  const refusals: [what: string, yaml: string | null, env: Record<string, string>, path: string, rule: RegExp][] = [
    ['an unknown setting', 'receiver: {prot: 1}', {}, 'receiver.prot', /not a setting/],
    ['an unknown variable', null, { TALLYHOOK_PROT: '1' }, 'TALLYHOOK_PROT', /not a variable/],
    ['an empty variable', null, { TALLYHOOK_PORT: '' }, 'TALLYHOOK_PORT', /whole number/],
    ['a port beyond the range', 'receiver: {port: 70000}', {}, 'receiver.port', /0 to 65535/],
    ['a fraction', 'receiver: {queueLimit: 1.5}', {}, 'receiver.queueLimit', /whole number/],
    ['a switch as a number', 'receiver: {strict: 1}', {}, 'receiver.strict', /true or false/],
    ['trust in every proxy', 'receiver: {trustProxy: true}', {}, 'receiver.trustProxy', /proxy addresses/],
    [
      'a proxy that is no address',
      'receiver: {trustProxy: [10.0.0.0/33]}',
      {},
      'receiver.trustProxy[0]',
      /proxy addresses/,
    ],
    ['a section that is a list', 'receiver: [1]', {}, 'receiver', /map of settings/],
    ['time-outs in the wrong order', 'receiver: {headersTimeoutMs: 20000}', {}, 'receiver.headersTimeoutMs', /exceed/],
    ['a lease shorter than a check', 'service: {timeoutMs: 90000}', {}, 'confirm.leaseSeconds', /180 at least/],
    ['an unknown level', 'log: {level: loud}', {}, 'log.level', /one of trace/],
    ['an unknown zone', 'timeZone: Lagos', {}, 'timeZone', /IANA/],
    ['six fields', 'schedule: {sweep: "* * * * * *"}', {}, 'schedule.sweep', /five fields/],
    ['an hour that is none', 'schedule: {sweep: 0 24 * * *}', {}, 'schedule.sweep', /value for hour: 24/],
    ['a day that never comes', 'schedule: {sweep: 0 0 30 2 *}', {}, 'schedule.sweep', /never comes/],
    ['a number of minutes', 'schedule: {sweep: 5}', {}, 'schedule.sweep', /cron expression/],
    ['a star without quotes', 'schedule:\n  sweep: * * * * *', {}, 'line 2, column 10', /in quotes/],
    ['a backup to nowhere', 'schedule: {backup: 30 2 * * *}', {}, 'schedule.backupFolder', /name a folder/],
    ['pruning without an age', 'schedule: {prune: 15 3 * * *}', {}, 'schedule.prune', /needs prune.afterDays/],
    ['a zone of the schedule', 'schedule: {timeZone: Lagos}', {}, 'schedule.timeZone', /IANA/],
    ['PostgreSQL', 'database: postgres://u:p@h/d', {}, 'database', /cluster\.url/],
    ['PostgreSQL by variable', null, { TALLYHOOK_DATABASE: 'postgresql://h/d' }, 'TALLYHOOK_DATABASE', /cluster\.url/],
    ['a database in memory', 'database: ":memory:"', {}, 'database', /on disk/],
    ['http beyond loopback', 'baseUrl: http://service.example', {}, 'baseUrl', /https/],
    ['credentials in the URL', 'baseUrl: https://u:p@service.example', {}, 'baseUrl', /user name/],
    ['an open admin listener', 'admin: {host: 0.0.0.0}', {}, 'admin.host', /admin.token/],
    ['the same by variable', null, { TALLYHOOK_ADMIN_HOST: '::' }, 'TALLYHOOK_ADMIN_HOST', /admin.token/],
    ['a short token', 'admin: {token: short}', {}, 'admin.token', /16 characters/],
    [
      'a callback without a secret',
      callback('page: https://shop.example/'),
      {},
      'callback.secret',
      /signs the verdict/,
    ],
    ['a callback without a service', 'callback: {page: https://shop.example/}', {}, 'baseUrl', /checked there/],
    ['a secret for no page', `callback: {secret: "${VERDICT_SECRET}"}`, {}, 'callback.page', /callback.secret/],
    ['32 equal letters as a secret', callback(`secret: ${'x'.repeat(32)}`), {}, 'callback.secret', /8 different/],
    ['a repeated word as a token', 'admin: {token: secret12secret12}', {}, 'admin.token', /repeated/],
    ['room for no body', 'receiver: {bodiesLimitBytes: 65536}', {}, 'receiver.bodiesLimitBytes', /1048576/],
    ['a short secret for verdicts', callback(`secret: ${SECRET}`), {}, 'callback.secret', /32 characters/],
    ['a page in clear text', callback('page: http://shop.example/'), {}, 'callback.page', /https/],
    ['a page that is a script', callback('page: "javascript:alert(1)"'), {}, 'callback.page', /https/],
    ['a page with a password', callback('page: https://u:p@shop.example'), {}, 'callback.page', /user name/],
    ['a page with a verdict', callback('page: "https://shop.example?verdict=x"'), {}, 'callback.page', /verdict/],
    ['a page that is a path', callback('page: /thanks'), {}, 'callback.page', /URL/],
    ['a time-out of 0', callback('timeoutMs: 0'), {}, 'callback.timeoutMs', /100 to 30000/],
    ['half a pair', null, { TALLYHOOK_LIVE_PUBLIC_KEY: 'pk_live_x' }, 'TALLYHOOK_LIVE_SECRET_KEY', /secret key/],
    [
      'an empty secret',
      'keys: {test: [{publicKey: pk_test_a, secretKey: ""}]}',
      {},
      'keys.test[0].secretKey',
      /sk_test_/,
    ],
    [
      'a short secret',
      'keys: {test: [{publicKey: pk_test_a, secretKey: sk_test_abc}]}',
      {},
      'keys.test[0].secretKey',
      /16/,
    ],
    [
      'a live secret under test',
      null,
      { TALLYHOOK_TEST_PUBLIC_KEY: PUBLIC, TALLYHOOK_TEST_SECRET_KEY: 'sk_live_0123456789' },
      'TALLYHOOK_TEST_SECRET_KEY',
      /live key under test/,
    ],
    [
      'a test public key under live',
      null,
      { TALLYHOOK_LIVE_PUBLIC_KEY: PUBLIC, TALLYHOOK_LIVE_SECRET_KEY: 'sk_live_0123456789' },
      'TALLYHOOK_LIVE_PUBLIC_KEY',
      /test key under live/,
    ],
    [
      'swapped keys',
      `keys: {test: [{publicKey: ${SECRET}, secretKey: ${PUBLIC}}]}`,
      {},
      'keys.test[0].publicKey',
      /swapped/,
    ],
    [
      'white space in a secret',
      `keys: {test: [{publicKey: ${PUBLIC}, secretKey: "${SECRET} "}]}`,
      {},
      'keys.test[0].secretKey',
      /spaces/,
    ],
    ['a notAfter without zone', pair('notAfter: 2027-01-31T00:00:00'), {}, 'keys.test[0].notAfter', /offset/],
    ['a notAfter that is a day', pair('notAfter: 2027-01-31'), {}, 'keys.test[0].notAfter', /offset/],
    ['a strange id', pair('id: "a b"'), {}, 'keys.test[0].id', /letters/],
    ['a missing variable', 'database: "${NOWHERE}"', {}, 'database', /NOWHERE, which is not set/],
    ['an empty variable in the file', 'database: "${E}"', { E: '' }, 'database', /empty/],
    ['a broken reference', 'database: "${a b}"', {}, 'database', /name a variable/],
    ['a missing secret file', 'admin: {token: {file: nope}}', {}, 'admin.token', /does not exist/],
    ['a file that is a list', '- 1', {}, 'the file', /map/],
    ['broken YAML', 'a: b: c', {}, 'line 1, column 4', /not valid YAML/],
    ['a key written twice', 'timeZone: UTC\ntimeZone: UTC', {}, 'line 2, column 1', /not valid YAML/],
  ];

  test.each(refusals)('%s', (_what, yaml, env, path, rule) => {
    const problems = problemsOf(yaml, env);
    expect(problems.map((problem) => problem.path)).toContain(path);
    expect(problems.find((problem) => problem.path === path)?.rule).toMatch(rule);
  });

  test('a file that --config names and that does not exist', () => {
    expect(() => loadConfig({ file: 'no.yaml', env: {}, cwd: folder })).toThrow(
      /no\.yaml: cannot be read: it does not/,
    );
  });

  test('ids and secrets used twice, also across environments and with a default id', () => {
    const other = 'sk_test_another_0123456789';
    const problems = problemsOf(
      `keys: {test: [{publicKey: ${PUBLIC}, secretKey: ${SECRET}}, {id: test-1, publicKey: ${PUBLIC}, secretKey: ${other}}], ` +
        `live: [{id: x, publicKey: pk_live_a, secretKey: ${SECRET}}]}`,
    );
    expect(problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['keys.test[1].id', 'keys.live[0].secretKey']),
    );
  });

  test('all mistakes are reported at once, each with a suggestion where a name is near', () => {
    const yaml = 'prot: 1\nrecevier: {}\nadmin: {allowed_hosts: []}\nlog: {level: 3}\ndatabase: ""';
    const problems = problemsOf(yaml, { TALLYHOOK_PROT: '1', TALLYHOOK_ADMIN_PORT: 'x' });
    expect(problems.map(({ path, suggestion }) => [path, suggestion])).toEqual(
      expect.arrayContaining([
        ['prot', 'receiver.port'],
        ['recevier', 'receiver'],
        ['admin.allowed_hosts', 'allowedHosts'],
        ['TALLYHOOK_PROT', 'TALLYHOOK_PORT'],
        ['TALLYHOOK_ADMIN_PORT', undefined],
        ['log.level', undefined],
        ['database', undefined],
      ]),
    );
  });
});

describe('what is never shown', () => {
  const canary = 'CANARYcanary0123';
  test.each([
    ['a key in the wrong place', `baseUrl: sk_live_${canary}`],
    ['a broken secret', `keys: {test: [{publicKey: pk_test_x, secretKey: "${canary}"}]}`],
    ['a secret under a misspelt name', `keys: {test: [{publicKey: pk_test_x, secretkey: "sk_test_${canary}"}]}`],
    ['a secret where a list belongs', `keys: {test: "${canary}"}`],
    ['a secret where the file begins', canary],
    ['a secret on a line that is no YAML', `keys: sk_test_${canary}: x`],
    ['a database password', `database: postgres://user:${canary}@host/db`],
    ['a password in the URL', `baseUrl: https://user:${canary}@host`],
    ['a secret of the verdicts that is too short', `callback: {secret: ${canary}}`],
    ['a list as a token', `admin: {token: [${canary}]}`],
  ])('%s', (_what, yaml) => {
    const problems = problemsOf(yaml);
    expect(problems.length).toBeGreaterThan(0);
    const error = new ConfigurationError('x', problems);
    expect(`${error.message}${error.hint}${JSON.stringify(problems)}`).not.toContain(canary.slice(0, 6));
  });

  test('a loaded configuration can be printed', () => {
    const config = load(
      `admin: {token: "${canary}"}\nkeys: {test: [{publicKey: pk_test_x, secretKey: sk_test_${canary}}]}`,
    );
    const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config, asText)).not.toContain(canary);
  });
});
