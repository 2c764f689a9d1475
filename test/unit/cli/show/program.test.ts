import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programName } from '../../../../cli/show/program.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const folder = temporaryFolder();
const bin = join(folder, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'tallyhook'), '');
const launcher = join(folder, 'cli/tallyhook.js');
const ELSEWHERE = '/opt/th/cli/tallyhook.js';
const dependency = join(folder, 'node_modules/.bin/tallyhook');

test.each([
  ['from the PATH', { launcher: join(bin, 'tallyhook'), env: { PATH: `/usr/bin:${bin}` } }, 'tallyhook'],
  ['from the PATH, by its bare name in _', { launcher, env: { PATH: bin, _: 'tallyhook' } }, 'tallyhook'],
  ['the path that the shell passes in _', { launcher, env: { _: '../cli/tallyhook.js' } }, '../cli/tallyhook.js'],
  ['an absolute path in _', { launcher, env: { _: launcher } }, launcher],
  ['node with the launcher of this folder', { launcher, env: { _: '/usr/bin/node' } }, './cli/tallyhook.js'],
  ['npm start', { launcher, env: { npm_lifecycle_event: 'start', _: '/usr/bin/npm' } }, './cli/tallyhook.js'],
  ['npx', { launcher: dependency, env: { npm_lifecycle_event: 'npx' } }, 'npx tallyhook'],
  ['npm exec', { launcher: dependency, env: { npm_command: 'exec' } }, 'npx tallyhook'],
  ['a dependency', { launcher: dependency, env: {} }, 'npx tallyhook'],
  ['from another folder, and nothing tells', { launcher: ELSEWHERE, env: {} }, ELSEWHERE],
  ['behind another program, outside its folder', { launcher: ELSEWHERE, env: { _: '/usr/bin/timeout' } }, ELSEWHERE],
  ['from a folder with a blank', { launcher: '/opt/t h/cli/tallyhook.js', env: {} }, "'/opt/t h/cli/tallyhook.js'"],
  ['another program that uses these files', { launcher: '/x/vitest.mjs', env: { npm_command: 'exec' } }, 'tallyhook'],
])('called %s', (_how, called, name) => {
  expect(programName({ ...called, cwd: folder })).toBe(name);
});
