import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { packageFile, packageVersion } from '../../src/package-root.ts';
import { audit } from '../support/audit.ts';
import { PRETENDED } from '../support/older-node.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/receiver.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { AS_ROOT, BUSYBOX } from '../support/tools.ts';

// The packed package, installed in an empty folder as docs/operations.md says.

let serve: Serve | undefined;
afterEach(() => serve?.kill());

const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
const VERSION = `${packageVersion()}\n`;

const cwd = temporaryFolder();
const program = join(cwd, 'node_modules', '.bin', 'tallyhook');
const launcher = join(cwd, 'node_modules', 'tallyhook', 'cli', 'tallyhook.js');

beforeAll(() => {
  const packed = temporaryFolder();
  run('npm', ['pack', '--pack-destination', packed], checkout());
  const [tarball = ''] = readdirSync(packed);
  describeShop(cwd, join(packed, tarball));
  run('npm', ['ci', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'], cwd);
}, 180_000);

test('it knows its version, and receives', async () => {
  expect(run(program, ['--version'])).toBe(VERSION);
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database, launcher });
  const body = '{"event":"refund.success","data":{"refund_reference":"R1","status":"success","amount":"50.00"}}';
  const send = () =>
    rawRequest(serve?.url ?? '', { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  expect(JSON.parse((await send()).body)).toMatchObject({ received: true, duplicate: false });
  expect(JSON.parse((await send()).body)).toMatchObject({ received: true, duplicate: true });
  expect(await serve.stop()).toBe(0);
  expect(audit(database, new Map([[body, 2]]))).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, stored: 1 });
});

test('its templates are in it, with what fills them in', () => {
  const keys = ['--test-public-key', 'pk_test_0123456789', '--test-secret-key', 'sk_test_0123456789abcdef'];
  const place = ['--folder', 'deployed', '--public-url', 'https://hooks.example.com'];
  run(program, ['init', '--deploy', 'docker', ...place, ...keys]);
  expect(readFileSync(join(cwd, 'deployed', 'Dockerfile'), 'utf8')).toContain(`tallyhook@${packageVersion()} `);
});

test('as a library it runs in plain JavaScript', () => {
  writeFileSync(join(cwd, 'shop.mjs'), SHOP);
  expect(run(process.execPath, ['shop.mjs'])).toBe('function success 250.00 NGN true\n');
});

test("the merchant's compiler finds the declarations, and refuses a secret key as a public key", () => {
  writeFileSync(join(cwd, 'shop.mts'), TYPED_SHOP);
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const strictly = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck', 'shop.mts'];
  expect(run(process.execPath, [compiler, ...strictly])).toBe('');
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

test('under an older Node its launcher finds the package `node` beside it', () => {
  symlinkSync(packageFile('node_modules/node'), join(cwd, 'node_modules', 'node'));
  expect(run(process.execPath, ['--import', PRETENDED, launcher, '--version'])).toBe(VERSION);
});

/** A copy of the checkout to build in: other tests run at the same time, and a build removes dist/ first. */
function checkout(): string {
  const folder = temporaryFolder();
  const { files }: { files: string[] } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const packed = files.filter((name) => name !== 'dist' && existsSync(packageFile(name)));
  for (const name of [
    'package.json',
    'README.md',
    'LICENSE',
    'tsconfig.json',
    'tsconfig.build.json',
    'cli',
    'src',
    ...packed,
  ])
    cpSync(packageFile(name), join(folder, name), { recursive: true });
  symlinkSync(packageFile('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/**
 * A project with this one dependency. Its lock file has our versions, which `npm ci` left in npm's cache: no network. As
 * npm writes it, without the `gypfile: false` of better-sqlite3: only `--ignore-scripts` keeps npm from building it.
 */
function describeShop(cwd: string, tarball: string): void {
  const read = (name: string) => JSON.parse(readFileSync(packageFile(name), 'utf8'));
  const { version, bin, dependencies } = read('package.json');
  const ours: [string, { dev?: boolean; gypfile?: boolean }][] = Object.entries(read('package-lock.json').packages);
  const installed = ours
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { gypfile: _, ...entry }]) => [path, entry]);
  const shop = { name: 'shop', version: '1.0.0', private: true, dependencies: { tallyhook: `file:${tarball}` } };
  const packages = {
    '': shop,
    'node_modules/tallyhook': { version, resolved: `file:${tarball}`, bin, dependencies },
    ...Object.fromEntries(installed),
  };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(shop));
  const lock = { name: shop.name, version: shop.version, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify(lock));
}

const SHOP = `
import { openStore, Secret, signWebhook } from 'tallyhook';
import { createClient, formatAmount, newReference, parseAmount, TallyhookError } from 'tallyhook/client';
import { startSandbox } from 'tallyhook/sandbox';

const sandbox = await startSandbox({ seed: 7 });
const journal = await openStore('shop.db').requestJournal();
const client = createClient({ baseUrl: sandbox.url, secretKey: new Secret(sandbox.keys.test.secretKey), journal });
const order = { reference: newReference('order'), amount: parseAmount('250'), currency: 'NGN', email: 'ada@example.com' };
await client.collections.bankTransfer({ ...order, status: 'success' });
const { status, requestedAmount, currency } = await client.collections.verify(order.reference);
const refused = await client.refunds.status('no-such-refund').catch((error) => error instanceof TallyhookError);
await journal.close();
await sandbox.close();
console.log(typeof signWebhook, status, formatAmount(requestedAmount), currency, refused);
`;

const TYPED_SHOP = `
import { openStore, type OpenJournal } from 'tallyhook';
import { type Amount, AmbiguousOutcomeError, createCheckout, createClient, parseAmount, type Refund } from 'tallyhook/client';
import { type Sandbox, startSandbox } from 'tallyhook/sandbox';

const journal: OpenJournal = await openStore('shop.db').requestJournal();
const client = createClient({ baseUrl: 'https://service.example', secretKey: 'sk_test_0123456789abcdef', journal });
const amount: Amount = parseAmount('5.00');
const refunds: Refund[] = [];
try {
  refunds.push((await client.refunds.request({ transactionReference: 'TX_81', amount })).refund);
  for await (const refund of client.refunds.list()) refunds.push(refund);
} catch (error) {
  if (error instanceof AmbiguousOutcomeError) console.log(error.reference, error.hint);
}
// @ts-expect-error no amount is a number
await client.refunds.request({ transactionReference: 'TX_81', amount: 5 });
// @ts-expect-error card data must never travel with a refund
await client.refunds.request({ transactionReference: 'TX_81', card: '4000000000000002' });
// @ts-expect-error a secret key is no public key
createCheckout({ baseUrl: 'https://service.example', publicKey: 'sk_test_0123456789abcdef' });
const sandbox: Sandbox = await startSandbox();
const waiting: boolean = sandbox.refunds()[0]?.funding.status === 'awaiting_settlement';
const duty: number | undefined = sandbox.payouts()[0]?.stamp_duty;
const paid: string | null | undefined = sandbox.collections()[0]?.paid_at;
console.log(waiting, duty, paid);
// @ts-expect-error no such status
sandbox.movePayout('payout-1', 'paid');
await sandbox.close();
`;

function run(program: string, args: readonly string[], folder = cwd): string {
  const env = { ...process.env, PATH, NODE_GYP_FORCE_PYTHON: '/no/python' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
