import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { randomRuns } from '../support/random-runs.ts';

/** A race, so it is run several times. */
const DATABASES = randomRuns(60);
/** Until all processes have started. */
const START_MS = 1_500;

test('four processes that make one new database at the same moment all find it whole, and none fails as busy', async () => {
  const folder = temporaryFolder();
  const script = join(import.meta.dirname, '../support/make-databases.ts');
  const args = [script, folder, String(performance.timeOrigin + performance.now() + START_MS), String(DATABASES)];
  const runs = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args));
  const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout);
  expect(outputs).toEqual(['', '', '', '']);
});
