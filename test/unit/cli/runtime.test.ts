import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { V8_FLAGS } from '../../../cli/runtime.js';
import { packageFile } from '../../../src/package-root.ts';
import { temporaryFolder } from '../../support/folder.ts';

const MEBIBYTE = 1024 * 1024;

/** As the launcher does: it sets the later flags and starts a thread. Each then makes many objects that live for a while. */
const PROGRAM = `
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

function youngBytes() {
  let kept = [];
  for (let count = 0; count < 1_000_000; count++) {
    kept.push({ count });
    if (kept.length > 60_000) kept = [];
  }
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
}

if (isMainThread) {
  const { setLaterFlags } = await import(process.argv[2]);
  setLaterFlags();
  const thread = new Worker(new URL(import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 2 } });
  thread.on('message', (ofThread) => console.log(JSON.stringify({ ofThread, ofMain: youngBytes() })));
} else parentPort.postMessage(youngBytes());
`;

test('a thread keeps to the limit of young objects it was started with, and the main thread to that of the process', () => {
  const program = join(temporaryFolder(), 'program.mjs');
  writeFileSync(program, PROGRAM);
  const runtime = String(pathToFileURL(packageFile('cli/runtime.js')));
  const { stdout, stderr } = spawnSync(process.execPath, [...V8_FLAGS, program, runtime], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ ofThread: 2 * MEBIBYTE, ofMain: 16 * MEBIBYTE });
});
