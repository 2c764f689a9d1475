import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { spawn } from '../support/processes.ts';
import { someOf } from '../support/random-runs.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// SIGTERM to npm must stop what it started: an orphan would hold the port and the database.
const ON_LINUX = { tags: ['linux'] };

let npm: ChildProcess;
let pid: number | undefined;
let log: string;
afterEach(() => {
  npm.kill('SIGKILL');
  if (isThere()) process.kill(Number(pid), 'SIGKILL');
});

async function npmStart(script = 'start'): Promise<{ port: string; database: string }> {
  const port = await freePort();
  const database = join(temporaryFolder(), 'tallyhook.db');
  [pid, log] = [undefined, ''];
  npm = spawn('npm', ['run', script, '--prefix', packageFile('.')], {
    cwd: packageFile('.'),
    detached: true, // a process group of its own, as on a terminal
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: temporaryFolder(),
      TALLYHOOK_DATABASE: database,
      TALLYHOOK_PORT: port,
      TALLYHOOK_ADMIN_PORT: '0',
      ...TEST_KEY_ENV,
    },
  });
  npm.stdout?.resume();
  npm.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await until(() => log.includes('"serving"'), 'the receiver listens');
  pid = Number(/"pid":(\d+)/.exec(log)?.[1]);
  return { port, database };
}

const isThere = () => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The last line of the log may come through the pipe after the process is gone. */
async function ended(): Promise<void> {
  await until(() => !isThere(), 'the receiver ends');
  await until(() => log.includes('"stopped"'), 'the log says that it stopped');
}

test.each(['start', 'dev'])('SIGTERM to `npm run %s` stops the receiver in order', ON_LINUX, async (script) => {
  const { port, database } = await npmStart(script);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  npm.kill('SIGTERM');
  await ended();
  expect(log).toContain('SIGTERM: stopping');
  expect(existsSync(`${database}-wal`)).toBe(false);
});

// Ctrl-C on a terminal and a service manager signal the whole group, and npm passes its own signal on: one stop, not two.
test.each(someOf(1, ['SIGINT', 'SIGTERM'] as const))(
  '%s to the process group of `npm start` is one stop',
  ON_LINUX,
  async (signal) => {
    const { database } = await npmStart();
    process.kill(-Number(npm.pid), signal);
    await ended();
    expect(log).toContain(`${signal}: stopping`);
    expect(existsSync(`${database}-wal`)).toBe(false);
  },
);
