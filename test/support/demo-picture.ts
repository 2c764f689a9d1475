import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { packageFile } from '../../src/package-root.ts';
import { terminalPicture } from './terminal-picture.ts';

/** The picture of the README, drawn from a run of `npm run demo`; `npm run demo:svg` writes it again. */
export const DEMO_PICTURE = packageFile('docs/demo.svg');

/**
 * Runs the script `demo` of package.json and draws what it prints.
 *
 * @throws Error when the demo fails
 */
export function drawDemo(): string {
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const env = { PATH: `${packageFile('node_modules/node/bin')}:${process.env.PATH}`, FORCE_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(scripts.demo, {
    cwd: packageFile(),
    shell: true,
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(`The demo ended with ${status}: ${stdout}${stderr}`);
  return terminalPicture('npm run demo', stdout);
}

if (import.meta.main) writeFileSync(DEMO_PICTURE, drawDemo());
