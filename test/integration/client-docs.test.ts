import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { writePrograms } from '../support/documents/programs.ts';
import { merchantsProject } from '../support/installed-package.ts';
import { spawn } from '../support/processes.ts';
import { payByCard, startService } from '../support/service.ts';

const { sandbox, client } = await startService({ merchants: [{ balances: { USD: '500.00' } }] });
const folder = await merchantsProject();
const env: Record<string, string> = {
  SERVICE_URL: sandbox.url,
  SECRET_KEY: sandbox.keys.test.secretKey,
  PUBLIC_KEY: sandbox.keys.test.publicKey,
  JOURNAL: join(folder, 'journal.db'),
};
beforeAll(async () => {
  env.PAYMENT = await payByCard(client, { amount: '20.00' });
  env.PAYMENT_BEYOND_FUNDS = await payByCard(client, { amount: '900.00' });
  sandbox.setBalance({ currency: 'USD', available: '500.00', pending: '0.00' });
});

const examples = writePrograms(folder, 'docs/client.md');
const PRINTS = [
  /^test\n$/,
  /^pending 5\.00 USD\ntrue\n$/,
  /^lacking \d+\.\d\d USD\nTransactionNotFoundError Check the reference/,
  /^Ada Sandbox answered\n$/,
  /^success 20\.00 USD\n$/,
  /^http:\/\/127\.0\.0\.1:\d+\/pay\/order-[0-9a-f]{32}\n$/,
];

test('every example of docs/client.md has an expected output', () => {
  expect(examples).toHaveLength(PRINTS.length);
});

test.each(PRINTS.map((prints, index) => [index, prints] as const))(
  'example %i runs and prints its expected output',
  async (index, prints) => expect(await runExample(index)).toMatch(prints),
);

test('the payout of its example, run again as after a crash, is checked and not paid twice', async () => {
  await runExample(3);
  expect(await runExample(3)).toMatch(/^Ada Sandbox checked\n$/);
  expect(sandbox.payouts()).toHaveLength(1);
});

/** Runs an example in a merchant's project; returns its output. */
async function runExample(index: number): Promise<string> {
  const child = spawn(process.execPath, [examples[index] ?? ''], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stderr).toBe('');
  return stdout;
}
