import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { ConfigurationError } from '../../../src/config/problems.ts';
import { packageFile } from '../../../src/package-root.ts';
import { leastMet, SHARE_OF_RUNS } from '../../support/random-runs.ts';

// A configuration error never repeats a secret, wherever in the file it stands by mistake.

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallyhook-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Path = readonly (string | number)[];

/** Every section and every setting of the published JSON Schema, those of a list under its first item. */
function pathsOf(node: Schema, path: Path = []): Path[] {
  const inner = [node, ...(node.anyOf ?? [])];
  const named = inner.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, child]) => [[...path, name], ...pathsOf(child, [...path, name])]),
  );
  const listed = inner.flatMap(({ items }) =>
    items === undefined ? [] : [[...path, 0], ...pathsOf(items, [...path, 0])],
  );
  return [...named, ...listed];
}

const SCHEMA = JSON.parse(readFileSync(packageFile('templates', 'config', 'tallyhook.schema.json'), 'utf8')) as Schema;
const PATHS = pathsOf(SCHEMA);

/** The message, and everything that a log line or a debugger would show of the error; null for a configuration that loads. */
function messageOf(yaml: string, env: Record<string, string> = {}): string | null {
  writeFileSync(join(folder, 'tallyhook.yaml'), yaml);
  try {
    loadConfig({ env, cwd: folder });
    return null;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return `${error.message}\n${error.hint}\n${error.stack}\n${JSON.stringify(error)}\n${inspect(error, { depth: 9 })}`;
  }
}

function treeWith(path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  return typeof step === 'number' ? [treeWith(rest, value)] : { [step]: treeWith(rest, value) };
}

const SECRETS = {
  'a text': 'CANARYcanary0123',
  'a secret key': 'sk_live_CANARYcanary0123',
  'a short secret key': 'sk_test_CANA',
  base64: 'CANARY/canary+0123==',
  'a sentence': 'CANARY horse battery staple',
  'five words': 'CANARYcanary0123 * * * *',
};
const PAIRS = Math.round(Object.keys(SECRETS).length / SHARE_OF_RUNS);
/** Every spelling of which a part would be a part of a secret. */
const LEAK = /CANA|canary|battery/i;

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the configuration's own references
const WRITTEN: Readonly<Record<string, (secret: string) => unknown>> = {
  'as the value': (secret) => secret,
  'in a list': (secret) => [secret],
  'under an unknown name': (secret) => ({ unknownName: secret }),
  'as a name': (secret) => ({ [secret]: 1 }),
  'as the name of a section': (secret) => ({ [secret]: { port: 1 } }),
  'in a URL, as its password': (secret) => `https://user:${secret}@host.example/`,
  'in a URL, as its user': (secret) => `https://${secret}@host.example/`,
  'in a URL, as its query': (secret) => `http://host.example/?token=${secret}`,
  'in a URL, as its path': (secret) => `http://host.example/${secret}`,
  'in a URL, with a slash in the password': (secret) => `http://user:1/${secret}@host.example/`,
  'in a database URL': (secret) => `postgres://user:${secret}@host/db`,
  'as a variable': (secret) => `\${${secret}}`,
  'from a variable': () => '${SECRET}',
  'from a variable, within a text': () => 'x ${SECRET} y',
  'from a short variable': () => '${SHORT}',
  'as a file': (secret) => ({ file: secret }),
  'as a file from a variable': () => ({ file: '${SECRET}' }),
  'from a file': () => ({ file: './secret.txt' }),
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the configuration's own references

test.each(Object.entries(SECRETS).map(([what, secret], place) => [what, secret, place] as const))(
  '%s at every path of the schema, written in every way, is never shown',
  (_what, secret, place) => {
    let refused = 0;
    writeFileSync(join(folder, 'secret.txt'), secret);
    for (const [at, path] of PATHS.entries()) {
      // Each path meets every way of writing with exactly one of the secrets: all combinations would take a minute. Of these
      // pairs a smaller share of runs takes some at each path, spread over all ways.
      const ways = Object.entries(WRITTEN).filter((_way, index) => (index + at) % PAIRS === place);
      for (const [how, write] of ways) {
        const yaml = stringify(treeWith(path, write(secret)));
        const message = messageOf(yaml, { SECRET: secret, SHORT: 'CANARY' });
        if (message === null) continue;
        refused++;
        expect(message, `${path.join('.')} ${how}:\n${yaml}`).not.toMatch(LEAK);
      }
    }
    expect(refused).toBeGreaterThan(leastMet(PATHS.length));
  },
);

test.each([
  ['an alias', 'keys: {test: [{publicKey: pk_test_x, secretKey: *CANARYcanary0123}]}'],
  ['an alias as a name', '? *CANARYcanary0123\n: 1'],
  ['an alias that is merged', '<<: *CANARYcanary0123'],
  ['an anchor', 'admin: {port: &CANARYcanary0123}'],
  ['an anchor, and another alias', 'a: &CANARYcanary0123 1\nb: *CANARYother'],
  ['a tag', 'admin: {token: !CANARYcanary0123}'],
  ['a list as a name', '? [CANARYcanary0123]\n: 1'],
  ['a map as a name', '? {CANARYcanary0123: 1}\n: 1'],
  ['broken YAML', 'admin: {token: CANARYcanary0123: x'],
  ['a directive', '%CANARYcanary0123\n---\na: 1'],
  ['two documents', 'a: CANARYcanary0123\n---\nb: 1'],
  ['the whole file', 'CANARYcanary0123'],
  ['a number', 'log: {level: 1234567890123456}'],
])('%s in YAML', (_what, yaml) => {
  const warnings: unknown[] = [];
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: unknown) => void warnings.push(warning);
  try {
    const message = messageOf(yaml);
    expect(message).not.toBeNull();
    expect(`${message}${warnings}`).not.toMatch(/CANA|canary|1234567890/i);
  } finally {
    process.emitWarning = emitWarning;
  }
});

test.each([
  ['as a value', 'admin: {token: &t canary12}\nlog: {level: *t}', 'log.level is'],
  ['in a list', 'admin: {token: &t canary12}\nschedule: {sweep: [*t]}', 'schedule.sweep'],
  ['with the whole section', 'admin: &t {level: canary12}\nlog: *t', 'log.level'],
  ['with a list', 'admin: {token: &t [canary12]}\nkeys: {test: *t}', 'keys.test'],
  ['of an alias', 'admin: {token: &t canary12}\nbaseUrl: &u [*t]\nlog: {level: *t}', 'log.level'],
  ['whose anchor is not the secret', 'log: {level: &t canary12}\nadmin: {token: *t}', 'log.level'],
  ['as a name', 'admin: {token: &t canary12}\nlog: {? *t : 1}', 'line 2, column 9'],
  ['as a name of the file', 'admin: {token: &t canary12}\n*t : 1', 'line 2, column 1'],
  ['whose anchor is a name', '? &t canary12\n: 1\nadmin: {token: *t}', 'line 1, column 6'],
])('a short secret by an alias, %s, is never shown', (_what, yaml, named) => {
  const message = messageOf(yaml);
  expect(message).toContain(named);
  expect(message).not.toMatch(LEAK);
});

test('an anchor that holds itself is reported', () => {
  expect(messageOf('log: &log {level: *log}')).toMatch(/log\.level|the file|line 1/);
});

test('an alias without an anchor is reported with its place', () => {
  expect(messageOf('admin:\n  token: *secret-word')).toMatch(/line 2, column 10: is an alias .* in quotes/);
  expect(messageOf('log: &log {level: warn}\nadmin: {token: "0123456789abcdef"}')).toBeNull();
});

test('a secret in the name of a variable, in .env and in the environment', () => {
  writeFileSync(
    join(folder, '.env'),
    'TALLYHOOK_TEST_SECRET_KEYsk_test_CANARYcanary0123=\nTALLYHOOK_CANARYcanary0123=1\n',
  );
  const message = messageOf('{}', { TALLYHOOK_CANARYcanary01234: 'x', TALLYHOOK_PORT: 'CANARYcanary0123' });
  expect(message).toContain('TALLYHOOK_PORT');
  expect(message).not.toMatch(LEAK);
});

test('a key where a path, host or folder belongs is refused, because other messages show those', () => {
  for (const yaml of [
    'database: sk_test_CANARY.db',
    'receiver: {host: sk_live_CANARY}',
    'schedule: {backupFolder: sk_test_CANARY}',
  ])
    expect(messageOf(yaml), yaml).toMatch(/holds a secret key/);
  mkdirSync(join(folder, 'data'));
  expect(messageOf('database: data/tallyhook.db')).toBeNull();
});

test.each([
  ['a short text', 'log: {level: loud}', '"loud"'],
  ['a port', 'receiver: {port: 70000}', '70000'],
  ['a cron expression', 'schedule: {sweep: "*/15 0-6 * 13 1-5"}', '"*/15 0-6 * 13 1-5"'],
  ['a time', 'keys: {test: [{notAfter: 2027-01-31T00:00:00}]}', '"2027-01-31T00:00:00"'],
  ['a URL', 'baseUrl: http://service.example/api', '"http://service.example/…"'],
  ['a URL with a login', 'baseUrl: https://u:p@service.example', '"https://***@service.example"'],
  ['a misspelt name', 'confirm: {awaitingSettlementAttempt: 1}', 'confirm.awaitingSettlementAttempt'],
  ['a variable that is not set', `database: "\${TALLYHOOK_DATABASE_FOLDER}"`, 'TALLYHOOK_DATABASE_FOLDER'],
  ['a file that is missing', 'admin: {token: {file: /run/secrets/tallyhook-token}}', '/run/secrets/tallyhook-token'],
])('%s is still shown, because it is no secret', (_what, yaml, shown) => {
  expect(messageOf(yaml)).toContain(shown);
});
