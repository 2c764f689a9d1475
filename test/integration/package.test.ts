import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { packageFile, packageVersion, STABLE_WASM_CALLS } from '../../src/package-root.ts';
import { audit } from '../support/audit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { installedPackage, merchantsProject, run as runIn } from '../support/installed-package.ts';
import { PRETENDED } from '../support/older-node.ts';
import { rawRequest } from '../support/raw-http.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { AS_ROOT, BUSYBOX, OLDER_NODE } from '../support/tools.ts';

// The packed package, installed in an empty folder as docs/operations.md says.

let serve: Serve | undefined;
afterEach(() => serve?.kill());

const VERSION = `${packageVersion()}\n`;

const { folder: installed, files } = await installedPackage();
const cwd = await merchantsProject();
const program = join(cwd, 'node_modules', '.bin', 'tallyhook');
const launcher = join(cwd, 'node_modules', 'tallyhook', 'cli', 'tallyhook.js');
const run = (program: string, args: readonly string[]) => runIn(program, args, cwd);

test('it knows its version, and receives', async () => {
  expect(run(program, ['--version'])).toBe(VERSION);
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database, launcher });
  const body = '{"event":"refund.success","data":{"refund_reference":"R1","status":"success","amount":"50.00"}}';
  const send = () =>
    rawRequest(serve?.url ?? '', { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  expect(JSON.parse((await send()).body)).toEqual({ received: true });
  expect(JSON.parse((await send()).body)).toEqual({ received: true });
  expect(await serve.stop()).toBe(0);
  expect(audit(database, new Map([[body, 2]]))).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, stored: 1 });
});

test('its templates are in it, with what fills them in', () => {
  const keys = ['--test-public-key', 'pk_test_0123456789', '--test-secret-key', 'sk_test_0123456789abcdef'];
  const place = ['--folder', 'deployed', '--public-url', 'https://hooks.example.com'];
  run(program, ['init', '--deploy', 'docker', ...place, ...keys]);
  expect(readFileSync(join(cwd, 'deployed', 'Dockerfile'), 'utf8')).toContain(
    `/tmp/tallyhook-${packageVersion()}.tgz `,
  );
});

test('as a library it runs in plain JavaScript', () => {
  writeFileSync(join(cwd, 'shop.mjs'), SHOP);
  expect(run(process.execPath, ['shop.mjs'])).toBe('function success 250.00 NGN true News of Tallyhook\n');
});

/** A user's program: it notes each flag that V8 gets and each thread that starts, in order. */
const THREADS = `
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import v8 from 'node:v8';

const seen = [];
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => { seen.push(flag); setFlagsFromString(flag); };
threads.Worker = class extends threads.Worker {
  constructor(...args) { seen.push('thread'); super(...args); }
};
syncBuiltinESMExports();
const { openStore, openTracking } = await import('tallyhook');
const inbox = await openStore('inbox.db').inbox({ limit: 10, onFatal: () => process.exit(1) });
await inbox.close();
const tracking = await openTracking({ path: 'inbox.db' });
await tracking.close();
console.log(JSON.stringify(seen));
`;

test('a program that uses the library gets the flag against the fault of V8 before its first thread', () => {
  writeFileSync(join(cwd, 'threads.mjs'), THREADS);
  const seen: unknown = JSON.parse(run(process.execPath, ['threads.mjs']));
  expect(seen).toEqual(Array(3).fill([STABLE_WASM_CALLS, 'thread']).flat()); // books, log, operations
});

test('the declarations of the client reach no store, and none reaches an engine', () => {
  const texts = globSync('dist/**/*.d.ts', { cwd: join(installed, 'node_modules', 'tallyhook') }).map((name) => {
    return [name, readFileSync(join(installed, 'node_modules', 'tallyhook', name), 'utf8')] as const;
  });
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter(([, text]) => /better-sqlite3|\/sqlite\//.test(text)).map(([name]) => name)).toEqual([]);
  // No page that the package does not have.
  expect(texts.filter(([, text]) => /\b(?!HTTP)[A-Z]{4,} \d|[A-Z]\w+\.md\b/.test(text)).map(([name]) => name)).toEqual(
    [],
  );
  expect(files).toContain('docs/decisions.md');
  const ofClient = texts.filter(([name]) => name.startsWith('dist/src/service/'));
  expect(ofClient.filter(([, text]) => /\/store\/|\/index\.ts/.test(text)).map(([name]) => name)).toEqual([]);
});

test('it has at most 1,200 files, no map, and every thread and process that is started by its path', () => {
  expect(files.length).toBeLessThanOrEqual(1_200);
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
  const sources = globSync('src/**/*.ts', { cwd: packageFile() }).map((name) =>
    readFileSync(packageFile(name), 'utf8'),
  );
  const started = new Set(sources.join('\n').match(/(?<=')[\w/]+\/(?:[\w-]+-)?(?:thread|process)(?=')/g));
  expect(started.size).toBeGreaterThan(8);
  expect([...started].filter((name) => !files.includes(`dist/src/${name}.js`))).toEqual([]);
});

test('signatures alone load at most 20 modules', () => {
  writeFileSync(join(cwd, 'count.mjs'), COUNT);
  const counted = run(process.execPath, ['count.mjs', 'tallyhook/signature', 'tallyhook']);
  const [ofSignatures, ofAll] = counted.split('\n').map(Number);
  expect(ofSignatures).toBeLessThanOrEqual(20);
  expect(ofAll).toBeGreaterThan(100); // it counts
});

test('an older Node that imports any part is told which one is needed', { tags: ['older-node'] }, () => {
  const parts = ['tallyhook', 'tallyhook/client', 'tallyhook/sandbox', 'tallyhook/signature'];
  const { stdout } = spawnSync(OLDER_NODE ?? 'node', ['--input-type=module', '--eval', TELL, ...parts], {
    cwd,
    encoding: 'utf8',
  });
  const told = /^(\S+): tallyhook needs Node 24 or newer, and this is v\d+\.\S+\. Install Node 24\./gm;
  expect([...stdout.matchAll(told)].map(([, part]) => part)).toEqual(parts);
});

test('npm has no script of it to run or to warn of', () => {
  const { scripts } = JSON.parse(readFileSync(join(cwd, 'node_modules', 'tallyhook', 'package.json'), 'utf8'));
  const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
  expect(atInstall.filter((name) => name in scripts)).toEqual([]);
});

test('its launcher starts under an `env` that takes one word only (BusyBox)', { tags: ['busybox', 'mounts'] }, () => {
  const mountThere = ['sh', '-c', 'mount --bind "$0" /usr/bin/env && exec "$@"', BUSYBOX ?? 'busybox'];
  expect(run('unshare', [...AS_ROOT, '--mount', ...mountThere, program, '--version'])).toBe(VERSION);
});

test('its launcher keeps its compiled code in its own folder for the next start, and starts as well where it cannot', () => {
  const packages = join(temporaryFolder(), 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(installed, 'node_modules')).filter((name) => name !== 'tallyhook'))
    symlinkSync(join(installed, 'node_modules', name), join(packages, name));
  const folder = join(packages, 'tallyhook');
  for (const name of ['package.json', ...files.filter((name) => /^(cli|dist)\//.test(name))])
    cpSync(join(installed, 'node_modules', 'tallyhook', name), join(folder, name));
  const cache = join(folder, 'node_modules', '.cache');
  mkdirSync(join(folder, 'node_modules'));
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined }; // that of the tests
  const words = [join(folder, 'cli', 'tallyhook.js'), '--version'];
  const start = () => {
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
    expect({ stdout, stderr }).toEqual({ stdout: VERSION, stderr: '' });
  };
  start();
  expect(readdirSync(join(cache, 'tallyhook')).length).toBe(1);
  rmSync(cache, { recursive: true });
  writeFileSync(cache, 'a file, where the folder would be');
  start();
});

test('under an older Node its launcher finds the package `node` beside it', () => {
  symlinkSync(packageFile('node_modules/node'), join(installed, 'node_modules', 'node'));
  expect(run(process.execPath, ['--import', PRETENDED, launcher, '--version'])).toBe(VERSION);
});

/** Prints the number of files that are loaded after each import. */
const COUNT = `
import { registerHooks } from 'node:module';

let count = 0;
registerHooks({ load: (url, context, next) => (count += url.startsWith('file:') ? 1 : 0, next(url, context)) });
for (const name of process.argv.slice(2)) {
  await import(name);
  console.log(count);
}
`;

const TELL = `
for (const name of process.argv.slice(1))
  await import(name).catch((error) => console.log(name + ': ' + error.message));
`;

const SHOP = `
import { openStore, Secret, signWebhook } from 'tallyhook';
import { createClient, formatAmount, newReference, parseAmount, TallyhookError } from 'tallyhook/client';
import { startSandbox } from 'tallyhook/sandbox';
import schema from 'tallyhook/news.schema.json' with { type: 'json' };

const sandbox = await startSandbox({ seed: 7 });
const journal = await openStore('shop.db').requestJournal();
const client = createClient({ baseUrl: sandbox.url, secretKey: new Secret(sandbox.keys.test.secretKey), journal });
const order = { reference: newReference('order'), amount: parseAmount('250'), currency: 'NGN', email: 'ada@example.com' };
await client.collections.bankTransfer({ ...order, status: 'success' });
const { status, requestedAmount, currency } = await client.collections.verify(order.reference);
const refused = await client.refunds.status('no-such-refund').catch((error) => error instanceof TallyhookError);
await journal.close();
await sandbox.close();
console.log(typeof signWebhook, status, formatAmount(requestedAmount), currency, refused, schema.title);
`;
