import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { rawRequest } from '../support/raw-http.ts';
import { Serve } from '../support/serve.ts';

const TOKEN = 'token-0123456789abcdef';
const authorized = ['Authorization', `Bearer ${TOKEN}`] as const;

let serve: Serve;
beforeAll(async () => {
  const folder = temporaryFolder();
  const env = { TALLYHOOK_ADMIN_TOKEN: TOKEN };
  serve = await Serve.start({ cwd: folder, database: `${folder}/tallyhook.db`, env });
});
afterAll(() => serve.kill());

const get = async (path: string, ...headers: (readonly [string, string])[]) => {
  const { status, body } = await rawRequest(serve.adminUrl, { method: 'GET', path, headers });
  return { status, error: (JSON.parse(body) as { error?: string }).error };
};

const PATHS = ['/metrics', '/nothing', '/%zz', '/%'];

test.each(PATHS)('GET %s under a foreign Host is answered 403, whether the path exists or not', async (path) => {
  expect(await get(path, authorized)).toEqual({ status: 403, error: 'host_not_allowed' });
});

/** `rawRequest` names the host `receiver`, so these requests are written by hand. */
async function local(path: string, headers = ''): Promise<number> {
  const { RawConnection } = await import('../support/raw-http.ts');
  const connection = await RawConnection.open(serve.adminUrl);
  const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
  const { status } = await connection.sendBytes(bytes);
  connection.close();
  return status;
}

test.each(PATHS)('GET %s without the token is answered 401, whether the path exists or not', async (path) => {
  expect(await local(path)).toBe(401);
  expect(await local(path, 'Authorization: Bearer wrong\r\n')).toBe(401);
});

test('with Host and token each path has its own answer; the health routes need no token', async () => {
  const token = `Authorization: Bearer ${TOKEN}\r\n`;
  expect(await Promise.all(PATHS.map((path) => local(path, token)))).toEqual([200, 404, 400, 400]);
  expect(await Promise.all(['/healthz', '/readyz'].map((path) => local(path)))).toEqual([200, 200]);
});
