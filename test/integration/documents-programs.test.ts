import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { PAGES, programsOf, writePrograms } from '../support/documents/programs.ts';
import { merchantsProject, run, typeErrors } from '../support/installed-package.ts';
import { spawn } from '../support/processes.ts';
import { rawRequest } from '../support/raw-http.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';

// Every program of the documents is type-checked here, and run: here, or in the test that the table names. Both with the
// packed package, in a project of its own. So are programs of a merchant: the compiler runs once for all of them.

const RUN_BY: Readonly<Record<string, { file: string; programs: number }>> = {
  'docs/library.md': { file: 'documents-programs.test.ts', programs: 5 },
  'docs/forwarding.md': { file: 'forwarding-programs.test.ts', programs: 1 },
  'docs/client.md': { file: 'client-docs.test.ts', programs: 6 },
  'docs/callback.md': { file: 'callback-docs.test.ts', programs: 1 },
  'docs/sandbox.md': { file: 'documents-programs.test.ts', programs: 1 },
};

const folder = await merchantsProject();
const written = new Map(PAGES.map((page) => [page, writePrograms(folder, page)]));
const program = (page: string, number: number) => written.get(page)?.[number - 1] ?? '';

test('every page with programs is in the table, and the test named there reads it', () => {
  const found = PAGES.filter((page) => programsOf(page).length > 0).map((page) => [page, programsOf(page).length]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(RUN_BY).map(([page, { programs }]) => [page, programs])),
  );
  for (const [page, { file }] of Object.entries(RUN_BY)) {
    expect(readFileSync(packageFile('test/integration', file), 'utf8')).toContain(page);
  }
});

test("every program in TypeScript, and a merchant's own, type-checks strictly with the declarations; a secret key as a public key is refused", () => {
  writeFileSync(join(folder, 'shop.mts'), TYPED_SHOP);
  writeFileSync(join(folder, 'application.ts'), APPLICATION);
  expect(typeErrors(folder)).toBe('');
});

test('in an application with a prefix, a 404 page and an error handler of its own it receives', () => {
  expect(run(process.execPath, ['application.ts'], folder).split('\n')).toEqual([
    '200 {"received":true}',
    '404 {"nothingAt":"/webhooks/test"}',
    '500 {"ours":"broken"}',
    '200 {"amount":"1.50"}',
    '',
  ]);
});

const KEYS = { PUBLIC_KEY: TEST_KEY_ENV.TALLYHOOK_TEST_PUBLIC_KEY, SECRET_KEY: TEST_KEY_ENV.TALLYHOOK_TEST_SECRET_KEY };
const env = { PATH: process.env.PATH ?? '', PORT: '0', ...KEYS };
const BODY = '{"event":"refund.success","data":{"refund_reference":"R1","status":"success","amount":"50.00"}}';

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill();
});

/** Starts a program that prints its address in its first line; returns the port. */
async function portOf(name: string): Promise<string> {
  const child = spawn(process.execPath, [name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  return Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => /\d{4,5}/.exec(line)?.[0] ?? ''),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`))),
  ]);
}

test.each([
  ['docs/library.md', 1],
  ['docs/library.md', 2],
] as const)('the server of %s (program %i) keeps what is signed, once, and refuses the rest', async (page, number) => {
  const url = `http://127.0.0.1:${await portOf(program(page, number))}`;
  const send = async (headers: object, body = BODY) => {
    const answer = await rawRequest(url, { path: '/webhooks/test', headers: Object.entries({ ...headers }), body });
    return [answer.status, JSON.parse(answer.body).received];
  };
  expect(await send(signed(BODY))).toEqual([200, true]);
  expect(await send({ ...signed(BODY), 'content-type': 'application/json' })).toEqual([200, true]);
  expect(await send(signed(BODY), `${BODY} `)).toEqual([401, undefined]);
  expect(await send({}, '')).toEqual([401, undefined]);
});

test('the serverless handler of docs/library.md keeps the bytes before it answers 200', () => {
  const call = `
    const { POST } = await import('${pathToFileURL(join(folder, program('docs/library.md', 3)))}');
    for (const [headers, body] of [[${JSON.stringify(signed(BODY))}, ${JSON.stringify(BODY)}], [{}, '{}']]) {
      const answer = await POST(new Request('https://shop.example/webhook', { method: 'POST', headers, body }));
      console.log(answer.status, await answer.text());
    }`;
  const flags = ['--input-type=module', '--eval', call];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { cwd: folder, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    `test-1 ${BODY}`,
    '200 {"received":true}',
    '401 {"error":"missing_payload_signature"}',
    '',
  ]);
});

test.each([
  ['docs/library.md', 4, /^pk_test_\w+\n$/],
  ['docs/sandbox.md', 1, /^success\n$/],
] as const)('the program of %s (%i) runs to its end', (page, number, prints) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(page, number)], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: expect.stringMatching(prints), stderr: '' });
});

const APPLICATION = `
import Fastify from 'fastify';
import { type KeyPair, KeyRings, openStore, receiver, systemClock } from 'tallyhook';
import { parseAmount } from 'tallyhook/client';
import { Secret, signWebhook, verifySignatures } from 'tallyhook/signature';

const secretKey = new Secret('sk_test_0123456789abcdef');
const pair: KeyPair = { id: 'a', environment: 'test', publicKey: 'pk_test_0123456789', secretKey, notAfter: null };
const inbox = await openStore('application.db').inbox({ limit: 100, onFatal: (error) => console.error(error) });
const app = Fastify();
app.setNotFoundHandler((request, reply) => reply.code(404).send({ nothingAt: request.url }));
app.setErrorHandler<Error>((error, _request, reply) => reply.code(500).send({ ours: error.message }));
app.get('/broken', () => Promise.reject(new Error('broken')));
app.get('/amount', () => ({ amount: parseAmount('1.5') }));
await app.register(receiver, {
  prefix: '/pay',
  ...{ keyRings: new KeyRings([pair]), clock: systemClock, bodyLimitBytes: 10_000, strict: true },
  keep: (delivery) => inbox.keep(delivery),
  onRefused: ({ path, reason }) => console.log(path, reason),
});
const payload = '{"event":"refund.pending","data":{"refund_reference":"R1","status":"pending"}}';
const headers = { ...signWebhook(Buffer.from(payload), pair) };
console.assert(verifySignatures(Buffer.from(payload), headers, [pair]).ok);
for (const request of [
  { method: 'POST', url: '/pay/webhooks/test', headers, payload },
  { method: 'POST', url: '/webhooks/test', headers, payload },
  { method: 'GET', url: '/broken' },
  { method: 'GET', url: '/amount' },
] as const) {
  const { statusCode, body } = await app.inject(request);
  console.log(statusCode, body);
}
await app.close();
await inbox.close();
`;

const TYPED_SHOP = `
import Fastify from 'fastify';
import { pino } from 'pino';
import { type ConfirmedNews, loadConfig, openStore, type OpenJournal, startTallyhook } from 'tallyhook';
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
const onConfirmed = (news: ConfirmedNews): string | null => {
  if (news.type === 'payout.reversed') return news.data.facts.accountNumber;
  // @ts-expect-error no such type of news
  if (news.type === 'payout.reversd') return null;
  return news.kind === 'refund' ? news.data.facts.transactionReference : news.reference;
};
type Application = Parameters<typeof startTallyhook>[0];
const takes: Application['onConfirmed'] = onConfirmed;
console.log(takes);
const config = loadConfig({ file: 'tallyhook.yaml' });
await startTallyhook({ config, onConfirmed, app: Fastify({ loggerInstance: pino() }) });
await startTallyhook({ config, onConfirmed, app: Fastify({ http2: true }) });
await Fastify({ https: {} }).register((part) => startTallyhook({ config, onConfirmed, app: part }).then(() => {}));
// @ts-expect-error no application
await startTallyhook({ config, onConfirmed, app: {} });
// @ts-expect-error no such status
sandbox.movePayout('payout-1', 'paid');
await sandbox.close();
`;
