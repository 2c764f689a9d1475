import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { TallyhookError } from '../../domain/error.ts';

/** A file that is being written: it takes the place of `path` when it is whole. */
export interface GrowingFile {
  readonly write: (bytes: Uint8Array | string) => Promise<void>;
  readonly finish: () => Promise<void>;
  /** Leaves what stood there before, as far as nothing was written through. */
  readonly abandon: () => Promise<void>;
}

/**
 * Opens a file that takes the place of `path` once it is whole: a program that reads it before that reads the former one. Mode 0600,
 * because a report names customers' payments. A pipe or a device is written as it is, and stays.
 *
 * @throws TallyhookError `usage` for a folder, and for a descriptor of this process that is a file
 */
export async function growingFile(path: string): Promise<GrowingFile> {
  const there = await stat(path).catch(() => null); // why it cannot be looked at is told when it is opened
  if (there !== null && !there.isFile()) return throughFile(path, there);
  if (there !== null && (await isDescriptor(path))) {
    const hint = 'To write to stdout, leave --out away; else name the file itself.';
    throw new TallyhookError(`${path} is a descriptor of this process, and is a file: it would be cut.`, {
      kind: 'usage',
      hint,
    });
  }
  const part = `${path}.part`;
  await rm(part, { force: true });
  const file = await open(part, 'wx', 0o600);
  return {
    write: (bytes) => file.writeFile(bytes),
    async finish() {
      await file.sync();
      await file.close();
      await rename(part, path);
    },
    async abandon() {
      await file.close().catch(() => {}); // the first error says more
      await rm(part, { force: true }).catch(() => {});
    },
  };
}

/** Writes a file that takes the place of `path` once it is whole, as `growingFile` does. */
export async function writeWholeFile(path: string, bytes: Uint8Array): Promise<void> {
  const file = await growingFile(path);
  try {
    await file.write(bytes);
    await file.finish();
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

/** Renaming a file over a pipe or a device would take it away from everyone. */
async function throughFile(path: string, there: Stats): Promise<GrowingFile> {
  if (there.isDirectory()) {
    throw new TallyhookError(`${path} is a folder.`, { kind: 'usage', hint: 'Name a file in it.' });
  }
  const file: FileHandle = await open(path, constants.O_WRONLY | constants.O_NOCTTY);
  return {
    write: (bytes) => file.writeFile(bytes),
    finish: () => file.close(),
    abandon: () => file.close().catch(() => {}), // the first error says more
  };
}

/** Links that are followed at most: /dev/stdout leads to /proc/self/fd/1. */
const MOST_LINKS = 5;

/** Whether a path is a name of an open descriptor, such as /dev/stdout: a file beside it is no place for a part. */
async function isDescriptor(path: string): Promise<boolean> {
  let place = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const folder = await realpath(dirname(place));
    if (/^\/(?:proc|dev)\/(?:\d+\/|self\/)?(?:task\/\d+\/)?fd$/.test(folder)) return true;
    const real = join(folder, basename(place));
    if (!(await lstat(real)).isSymbolicLink()) return false;
    place = resolve(folder, await readlink(real));
  }
  return false;
}
