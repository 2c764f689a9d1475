import { appendFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { OnTerminal } from '../on-terminal.ts';
import { spawn } from '../processes.ts';
import { Serve } from '../serve.ts';
import { TEST_KEY_ENV } from '../signer.ts';
import { until } from '../wait.ts';
import { processesIn } from './processes-in.ts';

// Ends badly in three ways. test/integration/left-processes.test.ts runs it and expects that no process is left.

const cwd = process.env.LEFT_BEHIND_FOLDER as string;
const reached = (what: string) => appendFileSync(process.env.LEFT_BEHIND_REACHED as string, `${what}\n`);
const env = { ...TEST_KEY_ENV, TALLYHOOK_PORT: '0', TALLYHOOK_ADMIN_PORT: '0', TALLYHOOK_DATABASE: 'terminal.db' };

// A killed process with threads takes a moment to end.
beforeEach(() => until(() => processesIn(cwd).length === 0, 'the processes of the test before are gone'));

test('fails with processes under way', async () => {
  const terminal = new OnTerminal(['serve'], { cwd, env });
  await terminal.shows('Ctrl-C stops.');
  await Serve.start({ cwd, database: 'tallyhook.db', under: ['sh', '-c', '"$@"; true', 'sh'] });
  expect(processesIn(cwd)).toHaveLength(4); // script, sh, and twice serve
  reached('failure');
  throw new Error('as planned');
});

test('comes to its time-out with processes under way', async () => {
  spawn('sh', ['-c', 'sleep 600 & wait'], { cwd });
  reached('time-out');
  await new Promise(() => {});
}, 500);

test('loses the process of the tests', async () => {
  const terminal = new OnTerminal(['serve'], { cwd, env });
  await terminal.shows('Ctrl-C stops.');
  reached('death');
  process.kill(process.pid, 'SIGKILL');
});
