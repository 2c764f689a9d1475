import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package, which holds `templates/` and `docs/`, whether this runs from `src/` or from `dist/src/`. */
export function packagePath(...parts: string[]): string {
  return join(packageRoot(), ...parts);
}

let root: string | undefined;

function packageRoot(): string {
  if (root !== undefined) return root;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'tallyhook') {
      root = folder;
      return folder;
    }
    if (folder === dirname(folder)) throw new Error('the tallyhook package folder was not found above this file');
  }
}
