import { afterAll, expect, test } from 'vitest';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { someOf } from '../support/random-runs.ts';
import { refund, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
db.keepAndApply(...Array.from({ length: 20 }, (_, index) => refund(`R${index}`, 'success')));
afterAll(() => db.remove());

/** Runs the program in a shell that has redirected its output, on the Node of this test. */
function run(line: string, redirection: string, under = ''): Promise<{ code: number | null; output: string }> {
  const program = `${under} '${process.execPath}' '${LAUNCHER}' ${line} ${redirection}`;
  const env = { PATH: process.env.PATH ?? '', TALLYHOOK_DATABASE: db.path };
  const child = spawn('sh', ['-c', `exec ${program}`], { cwd: db.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

const FULL = 'Cannot write the output: the disk is full; the file is incomplete.';
/** A table, rows one after the other, a help, and what needs no command. */
const LINES = [
  'refunds list',
  'events export --format csv',
  'refunds list --help',
  '--version',
  'refunds list --all --format csv',
  'refunds show R1',
  'events export',
  'why R1',
  'stats',
  'help',
];

test.each(someOf(4, LINES))('%s on a full disk says so, without a stack trace', { tags: ['linux'] }, async (line) => {
  const { code, output } = await run(line, '>/dev/full');
  expect(output).toContain(`tallyhook: ${FULL}\nFree some space, then run it again.\n`);
  expect(output).not.toMatch(/^ +at |node:|ENOSPC/m);
  expect(code).toBe(1);
});

test.each([
  ['refunds list --json', '>/dev/full', FULL],
  ['events export --json', '>/dev/full', FULL],
  ['refunds show R1 --json', '1</dev/null', 'Cannot write the output: stdout is not open for writing.'],
])('%s %s: the error is one line of JSON', { tags: ['linux'] }, async (line, redirection, message) => {
  const { code, output } = await run(line, redirection);
  const last = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  expect(last).toEqual({ error: { kind: 'failed', message, hint: expect.any(String), exitCode: 1 } });
  expect(output).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
});

test('a device that fails is named', { tags: ['strace'] }, async () => {
  const under = `strace -f -o /dev/null -P '${db.folder}/list.csv' -e trace=write -e inject=write:error=EIO`;
  const { code, output } = await run('refunds list --format csv', '>list.csv', under);
  expect([code, output]).toEqual([
    1,
    'tallyhook: Cannot write the output: the device failed; the file is incomplete.\nWrite to another device.\n',
  ]);
});

test.each([
  ['refunds list --limit 1', 1], // its note that there is more is lost
  ['refunds list --nope', 2],
  ['refunds show NOPE', 1],
])(
  '%s: a message that cannot be written is no success, and no stack trace',
  { tags: ['linux'] },
  async (line, code) => {
    for (const redirection of someOf(1, ['>/dev/full 2>&1', '2>/dev/full'])) {
      const ended = await run(line, redirection);
      expect(ended.output).not.toMatch(/^ +at |ENOSPC/m);
      expect([redirection, ended.code]).toEqual([redirection, code]);
    }
  },
);
