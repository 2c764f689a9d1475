import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeReasonOf } from '../../../src/config/problems.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { UsageError } from '../../options/options.ts';

// Files that the controls of the sandbox write where the user says.

export const FORCE_OPTION = {
  force: { type: 'boolean', default: false, describe: 'Replace an existing file' },
} as const;

interface FileOptions {
  readonly force: boolean;
  /** Bits of the file's mode, before the umask. */
  readonly mode?: number;
}

/** @throws UsageError when `path` is there and `force` is not given, or when it is no file */
export function refuseExisting(path: string, { force }: FileOptions): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isFile()) throw new UsageError(`${path} is not a file.`, 'Give the name of a file.');
  if (!force) throw new UsageError(`${path} exists already.`, 'Give another name, or replace it with --force.');
}

/**
 * Writes a file beside `path` and gives it that name once it is whole and on disk: an error, such as a full disk, leaves
 * what was there. Throws an error that names the path.
 */
export function writeWhole(path: string, content: string | Buffer, options: FileOptions): void {
  const partial = `${path}.partial-${process.pid}`;
  try {
    const file = openSync(partial, 'wx', options.mode ?? 0o666);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    refuseExisting(path, options); // it may have been made since the command began
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error instanceof TallyhookError ? error : notWritten(path, error);
  }
}

function notWritten(path: string, cause: unknown): TallyhookError {
  const isFull = ['ENOSPC', 'EDQUOT'].includes((cause as NodeJS.ErrnoException).code ?? '');
  return new TallyhookError(`Cannot write ${path}: ${writeReasonOf(cause)}.`, {
    kind: isFull ? 'failed' : 'usage',
    hint: isFull
      ? 'Free some space there, and run it again.'
      : 'Choose a file in a folder that exists and that you may write to.',
    cause,
  });
}
