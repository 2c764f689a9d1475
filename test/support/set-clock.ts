import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../src/package-root.ts';

/** The wall clock of programs that are started with its options and environment: it can stand still and jump. */
export class SetClock {
  readonly node = ['--import', packageFile('test/support/jumping-clock.ts')];
  readonly env: Record<string, string>;
  readonly #file: string;
  #aheadMs = 0;
  #standsAtMs: number | null = null;

  constructor(folder: string) {
    this.#file = join(folder, 'clock');
    this.env = { JUMPING_CLOCK: this.#file };
    this.#write();
  }

  nowMs(): number {
    return this.#standsAtMs ?? Date.now() + this.#aheadMs;
  }

  stop(): void {
    this.stopAt(this.nowMs());
  }

  stopAt(ms: number): void {
    this.#standsAtMs = ms;
    this.#write();
  }

  /** Goes as the clock of the machine. */
  reset(): void {
    this.#aheadMs = 0;
    this.#standsAtMs = null;
    this.#write();
  }

  /** Goes on from where it is, and so much ahead. */
  jump(ms: number): void {
    this.#aheadMs = this.nowMs() + ms - Date.now();
    this.#standsAtMs = null;
    this.#write();
  }

  #write(): void {
    writeFileSync(`${this.#file}.new`, this.#standsAtMs === null ? String(this.#aheadMs) : `=${this.#standsAtMs}`);
    renameSync(`${this.#file}.new`, this.#file); // never seen empty
  }
}
