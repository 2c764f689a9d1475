import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { rawRequest } from '../support/raw-http.ts';
import { carriedOut } from '../support/reader.ts';
import { refusalsIn } from '../support/refusals.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// Deliveries of the service that never reach a webhook route: to a mistyped URL, or with a head that Node refuses.

const BODY = '{"event":"refund.pending","data":{"refund_reference":"R1","status":"pending"}}';
const SIGNED = Object.entries(signed(BODY));
const MISTYPED = [
  '/webhook/test',
  '//webhooks/test',
  '/api/webhooks/test',
  '/',
  '/webhooks/test%',
  `/${'x'.repeat(200)}`,
];

const LARGE = ['X-Large', 'x'.repeat(20_000)] as const;

// One process for the file: what is refused later is counted on top of what was refused before.
const folder = temporaryFolder();
const env = { TALLYHOOK_DATABASE: `${folder}/tallyhook.db`, ...TEST_KEY_ENV };
let serve: Serve;
beforeAll(async () => {
  serve = await Serve.start({ cwd: folder, database: `${folder}/tallyhook.db`, env });
});
afterAll(() => serve?.kill());

const run = (...args: string[]) => command(args, { cwd: folder, env });
const page = async () => (await fetch(`${serve.adminUrl}/metrics`)).text();
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
let refused = 0;
async function counted(more: number): Promise<void> {
  refused += more;
  await until(() => refusalsIn(`${folder}/tallyhook.db`) === refused, `${refused} are counted`);
}

test('signed requests to a mistyped path are logged with it, counted, and judged', async () => {
  for (const path of MISTYPED) {
    const { status, body } = await rawRequest(serve.url, { path, headers: SIGNED, body: BODY });
    expect([path, status, body]).toEqual([path, 404, '{"error":"not_found"}']);
  }
  await counted(MISTYPED.length);
  const status = await run('status');
  expect(status.code).toBe(3);
  expect(onOneLine(status.stdout)).toContain(
    `- test: ${MISTYPED.length} requests with our merchantSignature refused since `,
  );
  expect(onOneLine(status.stdout)).toMatch(
    /they come to \/x{99}…, which is no path of webhooks → .* must end in \/webhooks\/test or \/webhooks\/live/,
  );
  expect((await run('health')).code).toBe(3);
  expect(await page()).toContain(`tallyhook_deliveries_refused_total{reason="unknown_path"} ${MISTYPED.length}`);
  expect(JSON.parse((await run('stats', '--json')).stdout).refusals).toContainEqual(
    expect.objectContaining({ path: '(unknown)', reason: 'unknown_path', count: MISTYPED.length }),
  );
  const logged = serve.allLogged('delivery refused').filter(({ reason }) => reason === 'unknown_path');
  expect(logged.map(({ path }) => path)).toEqual([...MISTYPED.slice(0, -1), `/${'x'.repeat(99)}…`]);
});

test('signed requests with headers over 16 kB are judged', async () => {
  for (let n = 0; n < 3; n++) {
    const answer = await rawRequest(serve.url, { path: '/webhooks/test', headers: [...SIGNED, LARGE], body: BODY });
    expect(answer.status).toBe(431);
  }
  await counted(3);
  const status = await run('status');
  expect(status.code).toBe(3);
  expect(onOneLine(status.stdout)).toMatch(
    new RegExp(
      `- test: ${MISTYPED.length + 3} requests with our merchantSignature refused since .*: headers over 16 kB → Does a proxy add many headers\\?`,
    ),
  );
  expect((await run('health')).code).toBe(3);
});

test('a delivery that is kept ends the suspicion', async () => {
  const { status } = await rawRequest(serve.url, { path: '/webhooks/test', headers: SIGNED, body: BODY });
  expect(status).toBe(200);
  await carriedOut(`${folder}/tallyhook.db`);
  expect((await run('status')).code).toBe(0);
});

test('requests of strangers to any path are one counter, and nothing else', async () => {
  for (let n = 0; n < 20; n++) await rawRequest(serve.url, { path: `/wp-login-${n}.php`, body: 'x' });
  const { status } = await rawRequest(serve.url, { path: '/webhooks/test', body: 'x' });
  expect(status).toBe(401);
  await counted(1);
  const { refusals } = JSON.parse((await run('stats', '--json')).stdout);
  expect(refusals).toContainEqual(expect.objectContaining({ reason: 'missing_payload_signature', count: 1 }));
  expect(await page()).toContain('tallyhook_strays_total 20');
  expect(serve.stderr).not.toContain('wp-login');
  expect((await run('status')).code).toBe(0);
});

test('headers over 16 kB without signatures are no delivery', async () => {
  for (let n = 0; n < 5; n++) await rawRequest(serve.url, { path: '/webhooks/test', headers: [LARGE], body: BODY });
  await counted(5);
  expect((await run('status')).code).toBe(0);
});
