import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { refusalsIn } from '../support/refusals.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// The key changes at the service while `serve` runs with the old one; then the process is killed. What says so?

const DELIVERIES = 5;

let sandbox: Sandbox;
let serve: Serve;
let folder: string;
let env: Record<string, string>;
let sent = 0;
let kept = 0;

beforeEach(async () => {
  [sent, kept] = [0, 0];
  folder = temporaryFolder();
  sandbox = await startSandbox({ seed: 7 });
  const { publicKey, secretKey } = sandbox.keys.test;
  env = {
    TALLYHOOK_DATABASE: `${folder}/tallyhook.db`,
    TALLYHOOK_TEST_PUBLIC_KEY: publicKey,
    TALLYHOOK_TEST_SECRET_KEY: secretKey,
    TALLYHOOK_BASE_URL: sandbox.url,
  };
  serve = await Serve.start({ cwd: folder, database: `${folder}/tallyhook.db`, env });
  sandbox.setWebhookUrl(`${serve.url}/webhooks/test`);
});
afterEach(async () => {
  if (!serve.ended) await serve.kill();
  await sandbox.close();
});

const run = (...args: string[]) => command(args, { cwd: folder, env });
const counted = (count: number) => until(() => refusalsIn(`${folder}/tallyhook.db`) === count, `${count} are counted`);
const page = async () => (await fetch(`${serve.adminUrl}/metrics`)).text();

/** Makes payments that succeed, each with one webhook, and waits until every webhook was answered `status`. */
async function pay(status: 200 | 401): Promise<void> {
  const { secretKey } = sandbox.keys.test;
  for (let n = 0; n < DELIVERIES; n++) {
    const body = {
      email: 'a@example.com',
      amount: '10.00',
      currency: 'NGN',
      reference: `PAY_${sent++}`,
      status: 'success',
    };
    const response = await fetch(`${sandbox.url}/api/s2s/v1/banktransfer/initialize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  }
  if (status === 200) kept += DELIVERIES;
  const metric =
    status === 200
      ? `tallyhook_deliveries_kept_total{outcome="new"} ${kept}`
      : new RegExp(`deliveries_refused_total\\{reason="payload_signature_mismatch"\\} ([${DELIVERIES}-9]|\\d\\d)`);
  await until(
    async () => (typeof metric === 'string' ? (await page()).includes(metric) : metric.test(await page())),
    `${status}`,
  );
}

test('after a key change status, health, the metrics and sweep say what is wrong and what to do', async () => {
  const first = await page();
  expect(first).toContain('tallyhook_deliveries_refused_total{reason="payload_signature_mismatch"} 0');
  expect(first).toContain('tallyhook_problems{code="deliveries_refused"} 0');
  await pay(200);
  const well = await run('status');
  expect(well.stdout).toMatch(/^Everything is well\.\n/);
  expect(well.code).toBe(0);

  sandbox.rotateKeys({ environment: 'test' });
  await pay(401);
  await until(async () => /problems\{code="deliveries_refused"\} 1/.test(await page()), 'the metrics say it');
  expect(await page()).toMatch(/tallyhook_deliveries_refused_in_a_row\{environment="test"\} \d+/);

  const refused =
    /test: (\d+) of the last \1 deliveries refused since \d{4}-\d\d-\d\d \d\d:\d\d Africa\/Lagos: signature of another\s+key/;
  const status = await run('status');
  expect([status.code, status.stdout]).toEqual([3, expect.stringMatching(refused)]);
  expect(status.stdout).toMatch(/tallyhook\s+verify/);
  const health = await run('health');
  expect([health.code, health.stderr]).toEqual([3, expect.stringMatching(refused)]);
  const json = JSON.parse((await run('health', '--json')).stdout);
  expect(json.problems).toMatchObject([{ code: 'deliveries_refused', environment: 'test' }]);

  const sweep = await run('sweep', '--reference', 'PAY_0');
  expect(sweep.stderr).toMatch(/secret key was changed or revoked there.*tallyhook doctor/s);
  expect((await run('status')).stdout).toMatch(/the service refuses our secret key/);
});

test('noise of strangers is no problem, and one genuine delivery ends the suspicion', async () => {
  await pay(200);
  const post = (headers: Record<string, string>) =>
    fetch(`${serve.url}/webhooks/test`, { method: 'POST', body: '{}', headers });
  for (let n = 0; n < 50; n++) expect((await post({ 'user-agent': 'scanner' })).status).toBe(401);
  await counted(50);
  expect(await run('status', '--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"count": 50') });

  const forged = { payloadSignature: 'ab'.repeat(64), merchantSignature: 'cd'.repeat(64) };
  for (let n = 0; n < 20; n++) expect((await post(forged)).status).toBe(401);
  await counted(70);
  expect((await run('health')).code).toBe(3); // signed refusals without a delivery are suspected
  await pay(200);
  const { code, stdout } = await run('health', '--json');
  expect([code, JSON.parse(stdout).problems]).toEqual([0, []]);
});

test('a merchantSignature that was copied raises no alarm alone; changed bodies do once deliveries are missed', async () => {
  const { publicKey, secretKey } = sandbox.keys.test;
  const { merchantSignature } = signed('{}', { publicKey, secretKey });
  const forge = (body: string, payloadSignature: string) =>
    fetch(`${serve.url}/webhooks/test`, { method: 'POST', body, headers: { payloadSignature, merchantSignature } });
  expect((await forge('{"event":"forged"}', 'ab'.repeat(64))).status).toBe(401);
  for (let n = 0; n < 3; n++) expect((await forge(publicKey, merchantSignature)).status).toBe(401);
  await counted(4);
  expect(await run('status')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Everything is well/) });

  for (let n = 0; n < 2; n++) await forge('{"event":"forged"}', 'ab'.repeat(64));
  await counted(6);
  const { code, stdout } = await run('status');
  expect(code).toBe(3);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /- test: 3 requests with our merchantSignature and another body since \d{4}-\d\d-\d\d \d\d:\d\d Africa\/Lagos: a proxy changes the body, or a stranger repeats the header/,
  );
  expect(stdout).not.toMatch(/authentic/);
  await pay(200);
  expect(await run('status')).toMatchObject({ code: 0 });
});

test('without serve, killed or stopped, status and health say so, until it runs again', async () => {
  await pay(200);
  await serve.kill();
  const killed = await run('status');
  expect(killed.code).toBe(3);
  expect(killed.stdout).toMatch(/^One thing needs you:\n- serve is not running: serve on .*, process \d+ ended/);
  expect(killed.stdout).toMatch(/tallyhook serve/);
  expect(await run('health')).toMatchObject({ code: 3, stderr: expect.stringMatching(/serve is not running/) });
  expect(await run('health', '--no-serve')).toMatchObject({ code: 0 });

  serve = await Serve.start({ cwd: folder, database: `${folder}/tallyhook.db`, env });
  expect(await run('status')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Everything is well/) });
  await serve.stop();
  expect(await run('health')).toMatchObject({ code: 3, stderr: expect.stringMatching(/was stopped/) });
});
