import { once } from 'node:events';
import { afterAll, expect, test, vi } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { spawn } from '../support/processes.ts';
import { until } from '../support/receiver.ts';
import { refund, TestDatabase } from '../support/test-database.ts';

vi.setConfig({ testTimeout: 120_000 });

const EVENTS = 2_000;
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
      expect(cells).toHaveLength(19);
      return Number(cells[0]);
    }),
} as const;

test.each(['ndjson', 'csv'] as const)('Ctrl-C ends an export as %s after whole lines', async (format) => {
  const words = [packageFile('cli/tallyhook.js'), 'events', 'export', '--format', format];
  const child = spawn(process.execPath, words, {
    cwd: db.folder,
    env: { PATH: process.env.PATH ?? '', TALLYHOOK_DATABASE: db.path },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  // Nobody reads its output yet: it waits with a full pipe, in the middle of a line.
  await until(() => child.stdout.readableLength > 0, 'the export has begun', 60_000);
  child.kill('SIGINT');
  await until(() => stderr.includes('what is written is whole'), 'the note at Ctrl-C', 60_000);
  const ended = once(child, 'close');
  const stdout = (await child.stdout.setEncoding('utf8').toArray()).join('');
  expect((await ended)[0]).toBe(1);
  expect(stdout.endsWith('\n')).toBe(true);
  const ids = READ[format](stdout.trimEnd().split(/\r?\n/));
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(ids.length).toBeLessThan(EVENTS);
  expect(stderr).toContain(`\n${ids.length} events exported, and more are left.\n`);
});
