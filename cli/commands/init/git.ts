import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeReasonOf } from '../../../src/config/problems.ts';
import { TallyhookError } from '../../../src/domain/error.ts';

/** What is secret or personal beside a configuration: what `init` writes, and what `serve` makes there. */
const PRIVATE = ['.env', 'audit.key', 'access.key', 'data/'];

/**
 * In a working tree of git, adds what is private to the `.gitignore` of the folder, before anything of it is written. Returns the
 * path of the file when it was changed, else null. tallyhook.yaml may be committed: it names the keys, and holds none.
 *
 * @throws TallyhookError when the file cannot be written
 */
export function ignoreInGit(folder: string): string | null {
  if (!isInWorkingTree(folder)) return null;
  const file = join(folder, '.gitignore');
  try {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const named = new Set(text.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, '')));
    const missing = PRIVATE.filter((name) => !named.has(name.replace(/\/$/, '')));
    if (missing.length === 0) return null;
    const before = text === '' || text.endsWith('\n') ? '' : '\n';
    const lines = ['# Tallyhook: keys and data', ...missing.map((name) => `/${name}`)];
    appendFileSync(file, `${before}${lines.join('\n')}\n`);
    return file;
  } catch (cause) {
    const hint = `Nothing was written. Let this user write there: ${PRIVATE.join(', ')} must not be committed.`;
    throw new TallyhookError(`Cannot write ${file}: ${writeReasonOf(cause)}.`, { kind: 'failed', hint, cause });
  }
}

function isInWorkingTree(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true; // a folder, or in a worktree and a submodule a file
  return dirname(folder) !== folder && isInWorkingTree(dirname(folder));
}
