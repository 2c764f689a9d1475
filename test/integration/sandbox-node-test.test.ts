import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/folder.ts';

/** A merchant's own test, with Node's runner: it must also end by itself, without anything left running. */
const MERCHANTS_TEST = `
import assert from 'node:assert';
import { after, before, test } from 'node:test';
import { startSandbox } from '${packageFile('src/sandbox/index.ts')}';

let sandbox;
before(async () => { sandbox = await startSandbox({ seed: 7, clock: 'manual' }); });
after(() => sandbox.close());

test('a forced pending payment succeeds after 20 seconds', async () => {
  const response = await fetch(sandbox.url + '/api/s2s/v1/banktransfer/initialize', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + sandbox.keys.test.secretKey },
    body: JSON.stringify({ email: 'a@b.co', amount: '1.00', currency: 'NGN', reference: 'R1', status: 'pending' }),
  });
  assert.equal(response.status, 200);
  assert.equal(sandbox.collections()[0].status, 'pending');
  await sandbox.advance('20s');
  assert.equal(sandbox.collections()[0].status, 'success');
});

test('a running clock follows real time, as fast as it is told', async () => {
  const fast = await startSandbox({ speed: 1_000_000 });
  fast.setBalance({ currency: 'USD', pending: '5.00' });
  while (fast.balances()[3].pending !== '0.00') await new Promise(setImmediate);
  await fast.close();
});
`;

it('works in node:test', async () => {
  const file = join(temporaryFolder(), 'merchant.test.mjs');
  writeFileSync(file, MERCHANTS_TEST);
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], { env });
  expect(stdout).toMatch(/# pass 2\n# fail 0/);
});
