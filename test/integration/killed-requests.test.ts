import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { hostileServer } from '../support/hostile-server.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { someOf } from '../support/random-runs.ts';
import { payByCard, startService } from '../support/service.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { until } from '../support/wait.ts';

const { sandbox, client } = await startService({ merchants: [{ balances: { USD: '500.00' } }] });
const cwd = temporaryFolder();
const envOf = (name: string, baseUrl = sandbox.url) => ({
  TALLYHOOK_BASE_URL: baseUrl,
  TALLYHOOK_DATABASE: join(cwd, name),
  TALLYHOOK_TEST_PUBLIC_KEY: sandbox.keys.test.publicKey,
  TALLYHOOK_TEST_SECRET_KEY: sandbox.keys.test.secretKey,
});

/** Starts `refunds request`, kills it with -9 as soon as `moment` holds, and waits for its end. */
async function killedAt(args: string[], env: Record<string, string>, moment: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], { cwd, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
  await until(moment, 'the moment to kill it');
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

function requestsIn(name: string): { key: string; state: string }[] {
  const database = new SQLite(join(cwd, name), { readonly: true });
  try {
    return database.prepare<[], { key: string; state: string }>('SELECT key, state FROM requests').all();
  } finally {
    database.close();
  }
}

test('killed after the key was kept and before the service acted: the next run uses that key, and there is one refund', async () => {
  const transaction = await payByCard(client);
  const args = ['refunds', 'request', transaction, '--amount', '5.00', '--yes', '--json'];
  const silent = await hostileServer(() => {});
  await killedAt(args, envOf('before.db', silent.url), () => silent.requests.length > 0);
  const [kept] = requestsIn('before.db');
  expect(kept).toMatchObject({ state: 'open' });
  expect(silent.requests[0]?.toLowerCase()).toContain(`idempotency-key: ${kept?.key}`);
  const { code, stdout } = await command(args, { cwd, env: envOf('before.db') });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ repeated: false, idempotencyKey: kept?.key });
  expect(sandbox.refunds().filter((refund) => refund.transaction_reference === transaction)).toHaveLength(1);
});

test('killed between the acceptance and its response: the next run gets the original refund', async () => {
  const transaction = await payByCard(client);
  const mine = () => sandbox.refunds().filter((refund) => refund.transaction_reference === transaction);
  const args = ['refunds', 'request', transaction, '--amount', '5.00', '--yes', '--json'];
  sandbox.addChaos({ id: 'late', do: 'slow', by: '10m', paths: ['/api/v1/refund'], limit: 1 });
  await killedAt(args, envOf('after.db'), () => mine().length > 0);
  const { stdout } = await command(args, { cwd, env: envOf('after.db') });
  expect(JSON.parse(stdout)).toMatchObject({
    repeated: true,
    refund: { refundReference: mine()[0]?.refund_reference },
  });
  expect(mine()).toHaveLength(1);
  expect(requestsIn('after.db')).toEqual([{ key: expect.any(String), state: 'accepted' }]);
});

test('requested by three processes at once, and by one afterwards: one refund; another one needs its own key', async () => {
  const transaction = await payByCard(client);
  const mine = () => sandbox.refunds().filter((refund) => refund.transaction_reference === transaction);
  const args = ['refunds', 'request', transaction, '--amount', '5.00', '--yes', '--json'];
  const runs = await Promise.all([1, 2, 3].map(() => tallyhook(args, { cwd, env: envOf('thrice.db') })));
  runs.push(await command(args, { cwd, env: envOf('thrice.db') }));
  expect(mine()).toHaveLength(1);
  // Compares stderr, so that a failed run shows its message.
  expect(runs.map(({ code, stderr }) => (code === 0 ? null : stderr))).toEqual([null, null, null, null]);
  for (const { code, stdout } of runs) {
    expect([code, JSON.parse(stdout).refund.refundReference]).toEqual([0, mine()[0]?.refund_reference]);
  }
  expect(runs.at(-1)?.stderr).toContain('--idempotency-key');
  const own = await command([...args, '--idempotency-key', 'return-18'], { cwd, env: envOf('thrice.db') });
  expect(JSON.parse(own.stdout)).toMatchObject({ repeated: false, idempotencyKey: 'return-18' });
  expect(mine()).toHaveLength(2);
});

const STARTS = [
  [
    'a payout',
    'payouts',
    ['payouts', 'send', '--bank-code', '990001', '--bank-name', 'B', '--account', '0000000001', '--narration', 'n'],
  ],
  ['a payment', 'collections', ['collections', 'start', 'bank-transfer', '--email', 'ada@example.com']],
  [
    'a checkout session',
    'collections',
    ['checkout', 'start', '--email', 'ada@example.com', '--name', 'Ada', '--callback-url', 'https://shop.example'],
  ],
] as const;

test.each(someOf(1, STARTS))(
  'killed while %s is under way: its record stays due for a check',
  async (what, table, command) => {
    const silent = await hostileServer(() => {});
    const name = `${what.replaceAll(' ', '-')}.db`;
    const reference = `killed-${what.replaceAll(' ', '-')}`.padEnd(16, '-');
    const yes = what === 'a checkout session' ? [] : ['--yes'];
    const args = [...command, '--amount', '5.00', '--reference', reference, ...yes];
    await killedAt(args, envOf(name, silent.url), () => silent.requests.length > 0);
    const database = new SQLite(join(cwd, name), { readonly: true });
    const rows = database.prepare(`SELECT reference, reported FROM ${table} WHERE due_at IS NOT NULL`).all();
    database.close();
    expect(rows).toEqual([{ reference, reported: null }]);
    expect(requestsIn(name)).toEqual([{ key: reference, state: 'open' }]);
  },
);
