import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { command } from '../support/command.ts';
import { OnTerminal } from '../support/on-terminal.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { refund, TestDatabase } from '../support/test-database.ts';

// Most tests of commands run them in one process. It stands for the program only while the two do the same.

const db = new TestDatabase();
db.keepAndApply(refund('R1', 'pending'), refund('R2', 'success'));
afterAll(() => db.remove());

const here = { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } };
const nowhere = mkdtempSync(join(db.folder, 'nowhere-'));
const elsewhere = mkdtempSync(join(db.folder, 'elsewhere-'));
writeFileSync(join(elsewhere, 'tallyhook.yaml'), 'databse: x.db\n');

const LINES: [string, Parameters<typeof command>[1]][] = [
  ['refunds list', here],
  ['prune --older 400d --dry-run --json', { cwd: nowhere }], // an error as JSON
  ['events list --json', { ...here, cwd: nowhere }],
  ['stats', { cwd: elsewhere }], // a wrong configuration
  ['health --no-serve', here],
  ['refunds show NOPE', here],
  ['refunds list', here], // again: nothing is left of the others
];

test('one process for many commands prints what the program prints, with its exit codes', async () => {
  const codes: (number | null)[] = [];
  for (const [line, options] of LINES) {
    const words = line.split(' ');
    const [one, real] = await Promise.all([command(words, options), tallyhook(words, options)]);
    expect([line, one]).toEqual([line, real]);
    codes.push(one.code);
  }
  expect(new Set(codes).size).toBeGreaterThan(2);
});

test('with columns it prints what the program prints on a terminal of that width', { tags: ['script'] }, async () => {
  const options = { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path, TERM: 'xterm' }, columns: 60 };
  const terminal = new OnTerminal(['refunds', 'list'], { ...options, stdout: 'terminal' });
  onTestFinished(() => terminal.kill());
  const one = await command(['refunds', 'list'], options);
  await terminal.ended();
  expect(one.stdout + one.stderr).toBe(terminal.shown.replaceAll('\r\n', '\n'));
});
