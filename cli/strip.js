// Runs after `npm ci` in a clone (`prepare` in package.json). Loads every source once, so that its JavaScript, stripped of
// the types, is kept beside the modules: no command and no thread of a server loads the stripper then, which takes a
// quarter of a second and 10 MB each. A source that is changed later is stripped by whoever loads it first.
import fs from 'node:fs'; // an older one has no globSync to import by name
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const NEEDED_MAJOR = 24;
/** These act as soon as they are loaded: a command line, and two processes that each end by themselves. */
const ACTING = ['cli/main.ts', 'src/store/sqlite/upkeep/check-process.ts', 'src/store/sqlite/upkeep/backup-process.ts'];
const root = fileURLToPath(new URL('..', import.meta.url));

// An older Node runs the launcher only, which then finds the clone's own.
if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  // V8 takes what was kept under the same flags only: this one and that of `prepare` are the launcher's.
  setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? `${root}node_modules/.cache/tallyhook`);
  for (const file of fs.globSync('{src,cli}/**/*.ts', { cwd: root })) {
    if (!ACTING.includes(file)) await import(`../${file}`);
  }
}
