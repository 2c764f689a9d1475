// How Node must run Tallyhook: its version, the flags and variables of the process, and where compiled code is kept. They
// stand here alone; a thread's memory limits stand where it is started. Plain JavaScript, because an older Node imports it too.
import module from 'node:module'; // an older one has no enableCompileCache to import by name
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/** The oldest Node that runs TypeScript as it is; better-sqlite3 ends Node 20 with a segmentation fault. */
export const NODE_MAJOR = 24;

/**
 * At most 8 MiB for each half of V8's space for young objects. Without it V8 follows the machine's memory: 64 MiB and
 * more, kept for the life of the process. V8 reads this flag at its start only, so it must stand on the command line.
 */
const SMALL_YOUNG_SPACE = '--max-semi-space-size=8';

/**
 * V8 never recompiles the calls between WebAssembly and JavaScript. undici, also inside fetch, parses HTTP in WebAssembly: after a thousand
 * calls V8 would recompile them, and if a thread has ended before, the process can abort with
 * `Check failed: jit_page.has_value()`. This flag also acts when it is set later.
 */
export const STABLE_WASM_CALLS = '--wasm-wrapper-tiering-budget=2000000000';

/**
 * The heap grows by half of what lives in it before V8 collects all of it; by default it may grow fourfold. Closed connections become
 * garbage there, so a flood of short ones took 60 MB more.
 */
const SMALL_HEAP_GROWTH = '--heap-growing-percent=50';

/**
 * Resets SMALL_YOUNG_SPACE after the main thread has made its heap with it. Without that, V8 gives each later thread the same size
 * and ignores the limit that the thread is started with (`maxYoungGenerationSizeMb`).
 */
const YOUNG_SPACE_BY_THREAD = '--max-semi-space-size=0';

/** V8 accepts kept code only in a process with the same of these flags as the one that compiled it. */
export const FLAGS_OF_KEPT_CODE = [SMALL_HEAP_GROWTH, STABLE_WASM_CALLS];

export const V8_FLAGS = [SMALL_YOUNG_SPACE, ...FLAGS_OF_KEPT_CODE];

/**
 * glibc uses 2 heaps for all threads. By default each thread has its own, and request bodies spread over all of them:
 * 40 MB more in a flood. glibc reads the variable when the process starts.
 */
export const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

/** What is said on an older Node. */
export const NEEDS_NODE =
  `tallyhook needs Node ${NODE_MAJOR} or newer, and this is ${process.version}. ` +
  `Install Node ${NODE_MAJOR}. In a clone \`npm ci\` brings it, elsewhere \`npm install node@${NODE_MAJOR}\`.`;

export const isOlderNode = (version = process.versions.node) => Number(version.split('.')[0]) < NODE_MAJOR;

/** False when a flag or variable that acts only from the start of the process is missing. */
export function startedWithSettings() {
  const variables = Object.keys(ENVIRONMENT).every((name) => process.env[name] !== undefined);
  return variables && V8_FLAGS.every((flag) => process.execArgv.includes(flag));
}

export function setLaterFlags() {
  setFlagsFromString(YOUNG_SPACE_BY_THREAD);
  setFlagsFromString(SMALL_HEAP_GROWTH);
  setFlagsFromString(STABLE_WASM_CALLS);
}

/**
 * Keeps the compiled code of every module for the next process and thread, in this package: a fifth of the time of a start. In a clone
 * it keeps the JavaScript of every source, too. Without it each process loads the type stripper, which takes 250 ms and 10 MB. Where
 * the folder cannot be written, nothing is kept. It must run under FLAGS_OF_KEPT_CODE: call setLaterFlags before, or
 * start the process with them.
 */
export function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/tallyhook', import.meta.url));
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
