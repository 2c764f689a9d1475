import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { sourceFile } from './package-root.ts';

/**
 * V8 never recompiles the calls between WebAssembly and JavaScript (cli/runtime.js says why): a process that calls fetch, and in
 * which a thread has ended, could abort. The launcher has set it already; a program that uses the library has not.
 */
export const STABLE_WASM_CALLS = '--wasm-wrapper-tiering-budget=2000000000';

/** Starts a thread of this package. `path` is in `src/`, without extension. Every thread starts here. */
export function startThread(path: string, options: WorkerOptions): Worker {
  setFlagsFromString(STABLE_WASM_CALLS);
  return new Worker(sourceFile(path), options);
}
