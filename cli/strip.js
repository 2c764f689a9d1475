// Runs after `npm ci` in a clone (`dependencies` in package.json: npm runs that script in a clone only, so it warns of no
// install script where the package is installed). Imports every source once, so that keepCompiled keeps its
// JavaScript: no later command and no thread of a server loads the type stripper. A source that is changed later is
// stripped by the first process that imports it.
import fs from 'node:fs'; // an older one has no globSync to import by name
import { fileURLToPath } from 'node:url';
import { isOlderNode, keepCompiled, setLaterFlags } from './runtime.js';

/** Importing these acts: the command line, and the programs of side processes, which end by themselves. */
const acts = (file) => file === 'cli/main.ts' || (file.endsWith('-process.ts') && !file.endsWith('-side-process.ts'));

// An older Node runs the launcher only, which then finds the clone's own.
if (!isOlderNode()) {
  setLaterFlags(); // as the launcher does, before keepCompiled
  keepCompiled();
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  for (const file of fs.globSync('{src,cli}/**/*.ts', { cwd })) {
    if (!acts(file)) await import(`../${file}`);
  }
}
