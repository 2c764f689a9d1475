import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { PAGES, programsOf, writePrograms } from '../support/documents/programs.ts';
import { merchantsProject, typeErrors } from '../support/installed-package.ts';
import { spawn } from '../support/processes.ts';
import { rawRequest } from '../support/raw-http.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';

// Every program of the documents is type-checked here, and run: here, or in the test that the table names. Both with the
// packed package, in a project of its own.

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

test('every program in TypeScript type-checks strictly, with the declarations of the package', () => {
  expect(typeErrors(folder)).toBe('');
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
