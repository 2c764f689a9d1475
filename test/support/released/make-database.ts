import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { parseAmount } from '../../../src/domain/money/amount.ts';
import { packageFile, packageVersion } from '../../../src/package-root.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { createClient, memoryJournal } from '../../../src/service/index.ts';
import { signed } from '../signer.ts';
import { PROFILE } from '../statement-files.ts';
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
/** Nothing listens at the target's address: news waits in the outbox. */
const configuration = {
  database: './tallyhook.db',
  baseUrl: sandbox.url,
  receiver: { port: 0 },
  admin: { port: 0 },
  keys: { test: [{ id: 'test', ...keys }] },
  forward: { targets: [{ name: 'shop', url: 'http://127.0.0.1:1/news', secrets: [`whsec_${'QQ'.repeat(16)}`] }] },
};
writeFileSync(join(folder, 'tallyhook.yaml'), JSON.stringify(configuration));
const env = { PATH: process.env.PATH ?? '' };

/** Runs a command; 3 means that there is something to look at. */
async function run(...args: string[]): Promise<string> {
  const ended = promisify(execFile)(process.execPath, [launcher, ...args], { cwd: folder, env });
  const { stdout } = await ended.catch((error: { code: number; stdout: string; stderr: string }) => {
    const { code, stdout, stderr } = error;
    if (code !== 3) throw new Error(`${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return error;
  });
  return stdout;
}

const serve = spawn(process.execPath, [launcher, 'serve'], {
  cwd: folder,
  env,
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
await closeOctober();
await run('backup', join(folder, 'copy.db'));
serve.kill('SIGTERM');
await once(serve, 'exit');
await sandbox.close();

/** October by the statement of a wallet: no record is behind its lines, so persons say what becomes of them, and sign. */
async function closeOctober(): Promise<void> {
  const lines = ['2026-10-01,C-1,Collection,,100.00,1100.00', '2026-10-31,C-2,Collection,,50.00,1150.00'];
  writeFileSync(join(folder, 'october.csv'), ['Date,Reference,Type,Details,Amount,Balance', ...lines, ''].join('\n'));
  writeFileSync(join(folder, 'wallet.yaml'), PROFILE);
  await run('statements', 'import', 'october.csv', '--profile', 'wallet.yaml');
  await run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31');
  const { exceptions }: { exceptions: { id: string }[] } = JSON.parse(await run('exceptions', 'list', '--json'));
  const ids = exceptions.map(({ id }) => id);
  const accepted = ['--resolution', 'accept', '--reason-code', 'bank_charge', '--comment', 'Ours', '--as', 'ada'];
  await run('exceptions', 'resolve', ...ids, ...accepted);
  await run('period', 'close', '2026-10', '--as', 'ada');
  await run('period', 'approve', '2026-10', '--as', 'grace');
}

const copy = new SQLite(join(folder, 'copy.db'), { readonly: true });
const facts = factsOf(copy);
copy.close();
for (const [name, rows] of Object.entries(facts)) if (rows.length === 0) throw new Error(`the fixture has no ${name}`);
const auditKey = readFileSync(join(folder, 'audit.key'), 'utf8').trim();
const target = packageFile('test', 'fixtures', 'released', packageVersion());
writeFileSync(`${target}.db.gz`, gzipSync(readFileSync(join(folder, 'copy.db')), { level: 9 }));
writeFileSync(`${target}.json`, `${JSON.stringify({ keys, body, auditKey, facts }, null, 2)}\n`);
rmSync(folder, { recursive: true });
