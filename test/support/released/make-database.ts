import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { parseAmount } from '../../../src/domain/amount.ts';
import { packageFile, packageVersion } from '../../../src/package-root.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { createClient, memoryJournal } from '../../../src/service/index.ts';
import { signed } from '../signer.ts';
import { factsOf } from './facts.ts';

/*
 * Makes the fixture of a release, with the real program: `node test/support/released/make-database.ts`, once, at the commit that is
 * released. It writes test/fixtures/released/VERSION.db.gz and VERSION.json (keys, bodies and facts), which are never made again.
 */

const launcher = packageFile('cli/tallyhook.js');
const folder = mkdtempSync(join(tmpdir(), 'tallyhook-released-'));
const merchants = [{ balances: { USD: '500.00', NGN: '500000.00' } }];
const sandbox = await startSandbox({ seed: 7, clock: 'manual', merchants });
const keys = sandbox.keys.test;
const env = {
  TALLYHOOK_DATABASE: join(folder, 'tallyhook.db'),
  TALLYHOOK_BASE_URL: sandbox.url,
  TALLYHOOK_PORT: '0',
  TALLYHOOK_ADMIN_PORT: '0',
  TALLYHOOK_TEST_PUBLIC_KEY: keys.publicKey,
  TALLYHOOK_TEST_SECRET_KEY: keys.secretKey,
};

/** Runs a command; 3 means that there is something to look at. */
async function run(...args: string[]): Promise<void> {
  const words = [launcher, ...args];
  const ended = promisify(execFile)(process.execPath, words, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  await ended.catch((error: { code: number; stdout: string; stderr: string }) => {
    const { code, stdout, stderr } = error;
    if (code !== 3) throw new Error(`${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  });
}

const serve = spawn(process.execPath, [launcher, 'serve'], {
  cwd: folder,
  env: { PATH: process.env.PATH ?? '', ...env },
  stdio: ['ignore', 'ignore', 'pipe'],
});
let log = '';
serve.stderr.setEncoding('utf8').on('data', (text: string) => {
  log += text;
});
process.once('exit', () => serve.kill());
while (!log.includes('"serving"')) await once(serve.stderr, 'data');
const receiver = `${/"receiver":"([^"]+)"/.exec(log)?.[1]}/webhooks/test`;
sandbox.setWebhookUrl(receiver);

/** Sends a body as the service would. */
async function deliver(body: string, headers = { ...signed(body, keys) }): Promise<void> {
  await (await fetch(receiver, { method: 'POST', headers, body })).text();
}

const client = createClient({ baseUrl: sandbox.url, secretKey: keys.secretKey, journal: memoryJournal() });
for (const reference of ['order-0000000000001', 'order-0000000000002']) {
  const details = { number: '4000000000000002', expiryMonth: '12', expiryYear: '30', cvv: '123' };
  const card = await client.collections.encryptTestCard({ card: details, reference });
  const order = { reference, amount: parseAmount('40.00'), currency: 'USD', email: 'ada@example.com' };
  await client.collections.card({ ...order, card });
  await run('refunds', 'request', reference, '--amount', '5.00', '--yes');
}
const payee = ['--bank-code', '990001', '--bank-name', 'Sandbox Bank One', '--narration', 'Wages', '--yes'];
await run(
  'payouts',
  'send',
  '--amount',
  '1500.50',
  '--account',
  '0000000001',
  '--reference',
  'payout-000000000001',
  ...payee,
);
await run(
  'payouts',
  'send',
  '--amount',
  '20.00',
  '--account',
  '0000000003',
  '--reference',
  'payout-000000000003',
  ...payee,
);
await sandbox.settle({ currency: 'USD' });
const [moved] = sandbox.refunds();
sandbox.moveRefund(moved?.refund_reference ?? '', 'success');
await sandbox.idle();

const data = {
  refund_reference: 'R-1',
  status: 'success',
  amount: '5.00',
  currency: 'USD',
  updated_at: '2026-11-20T10:00:00Z',
};
const body = JSON.stringify({ event: 'refund.success', data });
await deliver(body);
await deliver(body);
await deliver(JSON.stringify({ event: 'refund.success', data: { ...data, amount: '6.00' } })); // a variant, with its findings
await deliver('{"event":"something.new","data":{}}');
await deliver(body, { ...signed('another body', keys) });
await run('track', 'payout', 'P-never', '--amount', '10.00', '--currency', 'NGN', '--due', '2026-11-01');
await run('sweep');
await run('backfill');
await run('health', '--no-serve');
await run('backup', join(folder, 'copy.db'));
serve.kill('SIGTERM');
await once(serve, 'exit');
await sandbox.close();

const copy = new SQLite(join(folder, 'copy.db'), { readonly: true });
const facts = factsOf(copy);
copy.close();
for (const [name, rows] of Object.entries(facts)) if (rows.length === 0) throw new Error(`the fixture has no ${name}`);
const target = packageFile('test', 'fixtures', 'released', packageVersion());
writeFileSync(`${target}.db.gz`, gzipSync(readFileSync(join(folder, 'copy.db')), { level: 9 }));
writeFileSync(`${target}.json`, `${JSON.stringify({ keys, body, facts }, null, 2)}\n`);
rmSync(folder, { recursive: true });
