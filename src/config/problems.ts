import { readFileSync, type Stats, statSync } from 'node:fs';
import { TallyhookError } from '../domain/error.ts';

/** One mistake in the configuration; all of them are reported together. */
export interface Problem {
  /** `receiver.port`, or the name of the environment variable the value came from. */
  readonly path: string;
  /** The value as a message may show it: secrets as prefix and length (shown.ts). Absent when there is none. */
  readonly seen?: string;
  /** The rule that the value breaks. */
  readonly rule: string;
  /** The known name nearest to an unknown one. */
  readonly suggestion?: string;
}

/** The source of a configuration without a file. */
export const ENVIRONMENT_ALONE = 'environment variables';

/** The configuration cannot be used; `problems` lists all of its mistakes. */
export class ConfigurationError extends TallyhookError {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly Problem[];

  constructor(source: string, problems: readonly Problem[]) {
    super(problemList('the configuration', source, problems), {
      kind: 'configuration',
      hint:
        source === ENVIRONMENT_ALONE
          ? 'No configuration file was read: `tallyhook init` writes one that works. Every variable and every setting of it is described in docs/configuration.md.'
          : 'Every setting is described in docs/configuration.md; `tallyhook init` writes a file that works.',
    });
    this.problems = problems;
  }
}

/** Mistakes of one file that a message names: a file that is none of ours has thousands. */
const MOST_NAMED = 50;

/** Returns the message about the mistakes in a file: `2 problems in the profile (wallet.yaml):` and a line for each of the first 50. */
export function problemList(what: string, source: string, problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const lines = problems.slice(0, MOST_NAMED).map(problemLine);
  if (problems.length > MOST_NAMED) lines.push(`… and ${problems.length - MOST_NAMED} more.`);
  return `${count} in ${what} (${source}):${lines.map((line) => `\n  ${line}`).join('')}`;
}

/** Returns a problem as one line of a message. */
export function problemLine({ path, seen, rule, suggestion }: Problem): string {
  const value = seen === undefined ? '' : ` is ${seen}`;
  const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return `${path}${value}: ${rule}${rule.endsWith('?') ? '' : '.'}${advice}`;
}

/** Returns why reading a file failed, in plain words. The system's own message would repeat the path. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    ENOENT: 'it does not exist',
    EACCES: 'this user may not read it',
    EISDIR: 'it is a folder',
    ENOTDIR: 'its folder does not exist',
  };
  return known[code ?? ''] ?? code ?? message;
}

/** Bytes of a file of settings: far more than any has. */
const LARGEST_BYTES = 1024 * 1024;

/**
 * Returns the bytes of a file of settings. A pipe or device is refused: it may never end.
 *
 * @throws Error whose message says why it cannot be read, in plain words
 */
export function settingsBytes(path: string): Buffer {
  let facts: Stats;
  try {
    facts = statSync(path);
    if (facts.isFile() && facts.size <= LARGEST_BYTES) return readFileSync(path);
  } catch (error) {
    throw new Error(reasonOf(error));
  }
  throw new Error(
    facts.isFile() ? 'it is larger than 1 MiB' : facts.isDirectory() ? 'it is a folder' : 'it is no file',
  );
}

/** Returns why writing a file or making a folder failed, in plain words. */
export function writeReasonOf(error: unknown): string {
  const known: Record<string, string> = {
    ENOENT: 'its folder does not exist',
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EEXIST: 'it exists already',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is full',
    EROFS: 'the file system is read-only',
  };
  return known[(error as NodeJS.ErrnoException).code ?? ''] ?? reasonOf(error);
}
