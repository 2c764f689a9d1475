import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** A file of this package (`migrations/…`, `templates/…`), the same from `src/` and from the published `dist/src/`. */
export function packageFile(...path: string[]): string {
  return join(packageRoot(), ...path);
}

/**
 * A source file by its path in `src/` without an ending, to start a thread or a process from: `.ts` in a clone, `.js` in
 * the published package, the same as this file.
 */
export function sourceFile(path: string): URL {
  return new URL(`./${path}${extname(import.meta.filename)}`, import.meta.url);
}

export function packageVersion(): string {
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).version;
}

let root: string | undefined;

function packageRoot(): string {
  root ??= findRoot(import.meta.dirname);
  return root;
}

function findRoot(folder: string): string {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'tallyhook') return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The package.json of tallyhook is missing: install the package again.');
  return findRoot(parent);
}
