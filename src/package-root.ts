import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { getEnvironmentData, isMainThread, setEnvironmentData, Worker, type WorkerOptions } from 'node:worker_threads';
import type { Logger } from 'pino';

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
 * Returns the URL of a source file by its path in `src/` without extension, to start a thread or process: in `src/` of a
 * clone, in `dist/src/` of the published package, wherever the build has put this module.
 */
export function sourceFile(path: string): URL {
  const extension = extname(import.meta.filename);
  return pathToFileURL(packageFile(extension === '.ts' ? 'src' : 'dist/src', `${path}${extension}`));
}

/** A thread states how much young objects may take: without it V8 follows the machine's memory. */
type ThreadOptions = WorkerOptions & { readonly resourceLimits: { readonly maxYoungGenerationSizeMb: number } };

/** Starts a thread of this package. `path` as that of `sourceFile`. Every thread starts here. */
export function startThread(path: string, options: ThreadOptions): Worker {
  setFlagsFromString(STABLE_WASM_CALLS);
  return new Worker(sourceFile(path), options);
}

/** Longest loading of native code: it takes milliseconds, and seconds on a machine that stands still. */
const LOAD_MS = 5_000;
const LOADING = 'tallyhook: loading';

/** Shared by all threads of the process. 1: one loads native code, or is being ended. */
const loading = sharedLoading();

function sharedLoading(): Int32Array {
  const known = getEnvironmentData(LOADING);
  if (known instanceof Int32Array) return known;
  const made = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setEnvironmentData(LOADING, made);
  return made;
}

/** False: another thread took too long. */
function takeLoading(): boolean {
  const untilMs = performance.now() + LOAD_MS;
  while (Atomics.compareExchange(loading, 0, 0, 1) !== 0) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return false;
    Atomics.wait(loading, 0, 1, leftMs);
  }
  return true;
}

function giveLoading(): void {
  Atomics.store(loading, 0, 0);
  Atomics.notify(loading, 0);
}

/** Loads native code on this thread. Node aborts the process when a thread is ended meanwhile; so no thread is. */
export function loadNative(load: () => void): void {
  const isTaken = takeLoading();
  try {
    load();
  } finally {
    if (isTaken) giveLoading();
  }
}

// The end of the process ends every thread.
if (isMainThread) process.on('exit', takeLoading);

/** Wait before a thread that ended is started again; what it held leases on is taken up when they are over. */
const RESTART_MS = 5_000;

export interface KeptThreadParts<From> {
  /** For the log: `jobs thread`. */
  readonly name: string;
  /** Called for each start. */
  start(): Worker;
  receive(message: From): void;
  readonly log: Logger;
}

/** A thread that is started again when it ends by itself, until it is stopped. */
export class KeptThread<To extends { readonly type: string }, From> {
  readonly #parts: KeptThreadParts<From>;
  #thread: Worker;
  #restart: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(parts: KeptThreadParts<From>) {
    this.#parts = parts;
    this.#thread = this.#start();
  }

  post(message: To): void {
    this.#thread.postMessage(message);
  }

  /** Asks the thread by `message` to end; after `graceMs` it is terminated, with `late` as a warning in the log. */
  async stop(message: To, graceMs: number, late: string): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const thread = this.#thread;
    if (thread.threadId === -1) return; // it has ended
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.post(message);
    let isTaken = false;
    const terminate = setTimeout(() => {
      this.#parts.log.warn(late);
      isTaken = takeLoading();
      thread.terminate();
    }, graceMs);
    await ended;
    clearTimeout(terminate);
    if (isTaken) giveLoading();
  }

  #start(): Worker {
    const { name, start, receive, log } = this.#parts;
    const thread = start();
    thread.on('message', receive);
    thread.on('error', (error) => log.error({ err: error }, `the ${name} failed`));
    thread.on('exit', () => {
      if (this.#stopping) return;
      log.error({ afterMs: RESTART_MS }, `the ${name} ended; it is started again`);
      this.#restart = setTimeout(() => {
        this.#thread = this.#start();
      }, RESTART_MS);
    });
    return thread;
  }
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
