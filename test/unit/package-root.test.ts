import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { STABLE_WASM_CALLS as OF_THE_LAUNCHER } from '../../cli/runtime.js';
import { packageFile, STABLE_WASM_CALLS } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/folder.ts';

/** A user's program: it notes each flag that V8 gets and each thread that starts, in order. */
const PROGRAM = `
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import v8 from 'node:v8';

const seen = [];
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => { seen.push(flag); setFlagsFromString(flag); };
threads.Worker = class extends threads.Worker {
  constructor(...args) { seen.push('thread'); super(...args); }
};
syncBuiltinESMExports();
const { openStore, openTracking } = await import(process.argv[2]);
const inbox = await openStore('inbox.db').inbox({ limit: 10, onFatal: () => process.exit(1) });
await inbox.close();
const tracking = await openTracking({ path: 'inbox.db' });
await tracking.close();
console.log(JSON.stringify(seen));
`;

test('a program that uses the library gets the flag against the fault of V8 before its first thread', () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'program.mjs'), PROGRAM);
  const library = String(pathToFileURL(packageFile('src/index.ts')));
  const { stdout, stderr } = spawnSync(process.execPath, ['program.mjs', library], { cwd, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(Array(3).fill([STABLE_WASM_CALLS, 'thread']).flat()); // books, log, operations
});

test('the launcher, which cannot import it, has the same flag', () => {
  expect(OF_THE_LAUNCHER).toBe(STABLE_WASM_CALLS);
});
