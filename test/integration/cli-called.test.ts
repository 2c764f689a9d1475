import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';

// A real shell passes the name on: advice can be pasted.
test.each([
  ['./cli/tallyhook.js', '.', './cli/tallyhook.js'],
  ['../cli/tallyhook.js', 'docs', '../cli/tallyhook.js'],
  [`${process.execPath} cli/tallyhook.js`, '.', './cli/tallyhook.js'],
  [`timeout 60 ${packageFile('cli/tallyhook.js')}`, 'docs', packageFile('cli/tallyhook.js')],
])('%s in %s is named as it was called', (typed, folder, name) => {
  const env = { PATH: process.env.PATH ?? '' };
  const options = { cwd: packageFile(folder), env, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', `${typed} refunds show; exit $?`], options);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `tallyhook: Which refund? ${name} refunds show REFERENCE\nSee: ${name} refunds show --help\n`,
  });
  const json = spawnSync('bash', ['--norc', '-c', `${typed} refunds show --json; exit $?`], options).stderr;
  expect(JSON.parse(json).error.hint).toBe(`See: ${name} refunds show --help`);
  const help = spawnSync('bash', ['--norc', '-c', `${typed} refunds list -h; exit $?`], options).stdout;
  expect(help).toContain(`  ${name} refunds list --since`); // a long name breaks the line behind it
});
