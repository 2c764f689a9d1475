import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of this package (`migrations/…`, `templates/…`), the same from `src/` and from the published `dist/src/`. */
export function packageFile(...path: string[]): string {
  return join(packageRoot(), ...path);
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
