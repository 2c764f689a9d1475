import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeStandIn, Shell } from '../support/documents/shell.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a shell runs many commands one after the other, without a warning of Node about listeners left behind', async () => {
  const warnings: string[] = [];
  const warned = (warning: Error) => void warnings.push(warning.name);
  process.on('warning', warned);
  const shell = new Shell(temporaryFolder(), { PATH: process.env.PATH ?? '' });
  await shell.run('counted=0');
  for (let n = 1; n <= 20; n++) {
    expect(await shell.run('counted=$((counted + 1)); echo $counted')).toEqual({ code: 0, output: `${n}\n` });
  }
  shell.end();
  await expect(shell.run('echo')).rejects.toThrow('the shell ended at: echo');
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('the stand-in gives a command its words, folder, environment and time, and the shell its output in order and its code', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'below'));
  makeStandIn(join(folder, 'bin', 'tallyhook'));
  const shell = new Shell(folder, { PATH: [join(folder, 'bin'), process.env.PATH].join(':') });
  const output = async (line: string) => {
    const { code, output } = await shell.run(`{ ${line}\n} 2>&1`);
    return [code, output];
  };
  shell.nowMs = Date.parse('2001-02-03T04:05:06Z');
  const track = 'export TALLYHOOK_DATABASE=made.db; cd below; tallyhook track refund "R-$((1 + 1))" --environment test';
  expect(await output(track)).toEqual([0, expect.stringContaining('R-2')]);
  expect(await output('ls')).toEqual([0, expect.stringContaining('made.db')]);
  const read = `tallyhook sql "SELECT 'two\nlines', tracked_at FROM tracked" --json | tr -d ' \\n'`;
  expect(await output(read)).toEqual([0, expect.stringContaining(`[["two\\nlines",${shell.nowMs}]]`)]);
  expect(await output('tallyhook refunds show NOPE')).toEqual([1, expect.stringContaining('NOPE')]);
  shell.end();
});
