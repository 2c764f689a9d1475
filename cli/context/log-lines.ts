import { write, writeSync } from 'node:fs';

/** Most bytes of lines that wait until they can be written; of later ones only the number is kept. */
const MOST_WAITING = 1024 * 1024;
/** Time between two tries while nothing can be written, as on a full disk. */
const RETRY_MS = 100;

/** Where lines go: an open file. Tests pass their own. */
export interface LinesFile {
  readonly write: (text: Buffer, done: (error: Error | null, written: number) => void) => void;
  readonly writeSync: (text: Buffer) => number;
}

export function fileOf(descriptor: number): LinesFile {
  return {
    write: (text, done) => write(descriptor, text, done),
    writeSync: (text) => writeSync(descriptor, text),
  };
}

/**
 * A stream of pino that no fault of its file stops: lines wait, as far as there is room, and are written once they can be; then `missing`
 * makes the line that says how many were left out.
 */
export class LogLines {
  readonly #file: LinesFile;
  readonly #missing: (lines: number) => string;
  #waiting: Buffer[] = [];
  #size = 0;
  #rest: Buffer = Buffer.alloc(0);
  /** A write is on its way, or the next try waits. */
  #isBusy = false;
  #isWriting = false;
  /** Lines that found no room, and are not told of yet. */
  #left = 0;

  constructor(file: LinesFile, missing: (lines: number) => string) {
    this.#file = file;
    this.#missing = missing;
  }

  write(line: string): void {
    const text = Buffer.from(line);
    if (this.#size + text.length > MOST_WAITING) this.#left++;
    else {
      this.#waiting.push(text);
      this.#size += text.length;
    }
    if (!this.#isBusy) this.#next();
  }

  /** What can be written at once, as at the end of the process; it waits for no file that takes nothing. */
  flushSync(): void {
    if (!this.#isWriting) this.#rest = this.#writeNow(this.#rest);
    if (!this.#isWriting && this.#rest.length > 0) return;
    this.#waiting = [this.#writeNow(Buffer.concat(this.#waiting))];
  }

  /** Returns what could not be written. */
  #writeNow(text: Buffer): Buffer {
    let rest = text;
    try {
      while (rest.length > 0) rest = rest.subarray(this.#file.writeSync(rest));
    } catch {
      // The file takes nothing now.
    }
    return rest;
  }

  #take(): void {
    if (this.#rest.length > 0) return;
    if (this.#left > 0) this.#waiting.push(Buffer.from(this.#missing(this.#left)));
    this.#left = 0;
    this.#rest = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#size = this.#rest.length;
  }

  #next(): void {
    this.#take();
    this.#isBusy = this.#rest.length > 0;
    if (!this.#isBusy) return;
    this.#isWriting = true;
    this.#file.write(this.#rest, (error, written) => {
      this.#isWriting = false;
      if (error !== null) {
        setTimeout(() => this.#next(), RETRY_MS).unref();
        return;
      }
      this.#rest = this.#rest.subarray(written);
      this.#next();
    });
  }
}
