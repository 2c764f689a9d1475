import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

// The files of this package, and the threads that run them.

/**
 * V8 never recompiles the calls between WebAssembly and JavaScript (cli/runtime.js says why): a process that calls fetch, and in
 * which a thread has ended, could abort. The launcher has set it already; a program that uses the library has not.
 */
export const STABLE_WASM_CALLS = '--wasm-wrapper-tiering-budget=2000000000';

/** Returns the path of a file of this package (`migrations/…`, `templates/…`), from `src/` and from `dist/src/`. */
export function packageFile(...path: string[]): string {
  root ??= findRoot(import.meta.dirname);
  return join(root, ...path);
}

/**
 * Returns the URL of a source file by its path in `src/` without extension, to start a thread or process: `.ts` in a
 * clone, `.js` in the published package.
 */
export function sourceFile(path: string): URL {
  return new URL(`./${path}${extname(import.meta.filename)}`, import.meta.url);
}

/** A thread states how much young objects may take: without it V8 follows the machine's memory. */
type ThreadOptions = WorkerOptions & { readonly resourceLimits: { readonly maxYoungGenerationSizeMb: number } };

/** Starts a thread of this package. `path` as that of `sourceFile`. Every thread starts here. */
export function startThread(path: string, options: ThreadOptions): Worker {
  setFlagsFromString(STABLE_WASM_CALLS);
  return new Worker(sourceFile(path), options);
}

export function packageVersion(): string {
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).version;
}

let root: string | undefined;

function findRoot(folder: string): string {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'tallyhook') return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The package.json of tallyhook is missing: install the package again.');
  return findRoot(parent);
}
