import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

const EVENTS = 3_000;
const db = new TestDatabase();
const filler = 'x'.repeat(1_000);
db.keepAndApply(...Array.from({ length: EVENTS }, (_, n) => refund(`R${n}`, 'pending', { data: { filler } })));
afterAll(() => db.remove());

/** Each line of an export holds one event; a cut one does not parse. */
const READ = {
  ndjson: (lines: string[]) => lines.map((line) => JSON.parse(line).id),
  csv: ([, ...lines]: string[]) =>
    lines.map((line) => {
      const cells = line.split(',');
      expect(cells).toHaveLength(18);
      return Number(cells[0]);
    }),
} as const;

/** Runs a command without reading its output, so that it waits with a full pipe; presses Ctrl-C, and then reads all of it. */
async function stopped(words: readonly string[], note: string) {
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    cwd: db.folder,
    env: { PATH: process.env.PATH ?? '', TALLYHOOK_DATABASE: db.path },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  await until(() => child.stdout.readableLength > 0, 'the output has begun');
  child.kill('SIGINT');
  await until(() => stderr.includes(note), 'the note at Ctrl-C');
  const ended = once(child, 'close');
  const stdout = (await child.stdout.setEncoding('utf8').toArray()).join('');
  const [code] = await ended;
  return { code, stdout, stderr };
}

test.each(['ndjson', 'csv'] as const)('Ctrl-C ends an export as %s after whole lines', async (format) => {
  const words = ['events', 'export', '--format', format];
  const { code, stdout, stderr } = await stopped(words, 'the export ends after the current events');
  expect(code).toBe(1);
  expect(stdout.endsWith('\n')).toBe(true);
  const ids = READ[format](stdout.trimEnd().split(/\r?\n/));
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(ids.length).toBeLessThan(EVENTS);
  expect(stderr).toContain(`\n${ids.length} events exported, and more are left.\n`);
});

test('Ctrl-C ends a list as JSON as a whole document that says that there is more', async () => {
  const { code, stdout, stderr } = await stopped(['refunds', 'list', '--all', '--json'], 'the list ends after');
  const { items, shown, total, more } = JSON.parse(stdout);
  expect({ code, total, more }).toEqual({ code: 1, total: null, more: true });
  expect(items).toHaveLength(shown);
  expect(shown).toBeLessThan(EVENTS);
  expect(stderr).toContain(`\n${shown} shown, and there are more; --all\n`);
});
