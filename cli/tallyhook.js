#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
// The launcher. Plain JavaScript, because an older Node cannot even read a .ts file, and no native module may load
// there. It finds a Node >= 24 (this one, or the clone's own), then runs main.ts, or dist/ in an installed package.
// The flag keeps the space for young objects small: Node sizes it by the machine's memory, 128 MB on a large one. The
// variable keeps glibc from scattering the bodies over a heap per thread, which costs 40 MB in a flood.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const NEEDED_MAJOR = 24;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) await runHere();
else handOver(here('../node_modules/node/bin/node'));

async function runHere() {
  // fetch parses HTTP in WebAssembly. When V8 compiles its calls into JavaScript anew, after a thousand of them, and a
  // thread has ended before, the process may die of `Check failed: jit_page.has_value()`: so it never does.
  setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000');
  // A reload that comes while it still starts must not end it, as SIGHUP does by default: its keys are read after this.
  if (process.argv.includes('serve')) process.on('SIGHUP', () => {});
  const source = new URL('./main.ts', import.meta.url);
  const built = new URL('../dist/cli/main.js', import.meta.url);
  if (existsSync(source)) keepStripped();
  await import(existsSync(source) ? source.href : built.href);
}

/**
 * In a clone: what was stripped of its types once is kept, for the next command and for every thread and process that is
 * started from here. Without it each of them loads the stripper, which takes a quarter of a second and 10 MB.
 */
function keepStripped() {
  process.env.NODE_COMPILE_CACHE ??= here('../node_modules/.cache/tallyhook');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

function handOver(node) {
  if (!existsSync(node)) {
    console.error(
      `tallyhook needs Node ${NEEDED_MAJOR} or newer, and this is ${process.version}. ` +
        `Install Node ${NEEDED_MAJOR}, or run \`npm ci\` in a clone: it brings its own.`,
    );
    process.exit(2);
  }
  const args = ['--max-semi-space-size=8', fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  // The channel closes with this process, even by kill -9, and the child then ends (leaveWithParent). `detached` gives the
  // child a session of its own: a signal to this whole group, Ctrl-C included, reaches the child once, from here. It can
  // still read the terminal.
  const child = spawn(node, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    detached: true,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGCONT']) process.on(signal, () => child.kill(signal));
  process.on('SIGTSTP', () => {
    child.kill('SIGSTOP');
    process.kill(process.pid, 'SIGSTOP');
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
