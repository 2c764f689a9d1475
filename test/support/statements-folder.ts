import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROFILE } from './statement-files.ts';

/** A statements folder on disk. */
export class DropFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true });
  }

  /** Puts a file there, changed last at `modifiedAtMs`. */
  put(name: string, content: string | Buffer, modifiedAtMs: number): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    this.touch(name, modifiedAtMs);
  }

  mode(name: string, mode: number): void {
    chmodSync(join(this.path, name), mode);
  }

  touch(name: string, modifiedAtMs: number): void {
    utimesSync(join(this.path, name), modifiedAtMs / 1_000, modifiedAtMs / 1_000);
  }
}

/** The profile of another account than `wallet-main`. */
export function profileOf(account: string, name = account): string {
  return PROFILE.replace('wallet-main', account).replace('wallet-standard', name);
}
