import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/folder.ts';
import { processesIn } from '../support/left-behind/processes-in.ts';
import { spawn } from '../support/processes.ts';
import { until } from '../support/wait.ts';

test('tests that fail, time out or die leave no process behind', { tags: ['script'] }, async () => {
  const folder = temporaryFolder();
  const reached = join(temporaryFolder(), 'reached');
  const config = packageFile('test/support/left-behind/vitest.config.ts');
  const tests = spawn(process.execPath, [packageFile('node_modules/vitest/vitest.mjs'), 'run', '--config', config], {
    cwd: packageFile(),
    env: { ...process.env, LEFT_BEHIND_FOLDER: folder, LEFT_BEHIND_REACHED: reached, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [tests.stdout, tests.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  await once(tests, 'close');
  expect(output).toContain('2 failed'); // the third has no result
  expect(readFileSync(reached, 'utf8'), output).toBe('failure\ntime-out\ndeath\n');
  await until(() => processesIn(folder).length === 0, 'the last process ends');
});
