import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { begin, entryOf, openLog, orderOf } from '../support/postgres/log.ts';
import { PostgresServer } from '../support/postgres/server.ts';
import { spawn } from '../support/processes.ts';
import { PGBOUNCER } from '../support/tools.ts';
import { until } from '../support/wait.ts';

/** The real pgbouncer before a real server; returns its port. */
async function bouncer(server: PostgresServer, mode: string): Promise<number> {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755); // it does not run as root
  const port = Number(await freePort());
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n');
  writeFileSync(
    settings,
    `[databases]
postgres = host=127.0.0.1 port=${server.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
`,
    { mode: 0o644 },
  );
  const asUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child = spawn(PGBOUNCER ?? 'pgbouncer', [settings], {
    ...asUser,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended:\n${output}`);
    return output.includes('process up');
  }, 'pgbouncer listens');
  return port;
}

test.each(['transaction', 'statement'])(
  'pgbouncer with pool_mode = %s is refused with a sentence',
  { tags: ['pgbouncer'] },
  async (mode) => {
    const server = await PostgresServer.start();
    await begin(server.url('postgres'));
    const port = await bouncer(server, mode);
    const log = openLog(orderOf(`postgres://postgres@127.0.0.1:${port}/postgres`));
    await expect(log.head()).rejects.toMatchObject({
      fault: 'cluster_refused',
      message: expect.stringContaining('A pooler at 127.0.0.1'),
      hint: expect.stringContaining('pool_mode = session'),
    });
  },
);

test('pgbouncer with pool_mode = session is as good as none', { tags: ['pgbouncer'] }, async () => {
  const server = await PostgresServer.start();
  await begin(server.url('postgres'));
  const port = await bouncer(server, 'session');
  const log = openLog(orderOf(`postgres://postgres@127.0.0.1:${port}/postgres`));
  expect((await log.append([entryOf('one')])).entries[0]?.seq).toBe(1);
  expect((await log.head()).seq).toBe(1);
});
