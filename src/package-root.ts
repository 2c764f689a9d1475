import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Returns the path of a file of this package (`migrations/…`, `templates/…`), from `src/` and from `dist/src/`. */
export function packageFile(...path: string[]): string {
  root ??= findRoot(import.meta.dirname);
  return join(root, ...path);
}

/**
 * Returns the URL of a source file by its path in `src/` without extension, to start a thread or process: `.ts` in a
 * clone, `.js` in the published package.
 */
export function sourceFile(path: string): URL {
  return new URL(`./${path}${extname(import.meta.filename)}`, import.meta.url);
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
