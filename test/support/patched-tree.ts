import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../src/package-root.ts';
import { temporaryFolder } from './folder.ts';

/** A mistake to put into a copy of the program: `text`, which the file must hold exactly once, becomes `by`. */
export interface Patch {
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

export interface PatchedTree {
  readonly folder: string;
  readonly launcher: string;
  readonly env: Record<string, string>;
}

/**
 * Copies the program into a temporary folder, with mistakes in it: the controls that show that a proof can fail.
 *
 * @throws Error when a text to replace is gone, so that no control can lose its mistake unseen
 */
export function patchedTree(...patches: readonly Patch[]): PatchedTree {
  const folder = temporaryFolder();
  for (const name of ['cli', 'src', 'migrations', 'templates', 'package.json'])
    cpSync(packageFile(name), join(folder, name), { recursive: true });
  symlinkSync(packageFile('node_modules'), join(folder, 'node_modules'));
  for (const { file, text, by } of patches) {
    const path = join(folder, file);
    const pieces = readFileSync(path, 'utf8').split(text);
    if (pieces.length !== 2)
      throw new Error(
        `${file} must hold this text once to take the mistake, and holds it ${pieces.length - 1} times:\n${text}`,
      );
    writeFileSync(path, pieces.join(by));
  }
  return { folder, launcher: join(folder, 'cli/tallyhook.js'), env: { NODE_COMPILE_CACHE: join(folder, 'compiled') } };
}

/** The mistakes that the proofs of durability must find. */
export const MISTAKES = {
  'synchronous = NORMAL': [
    {
      file: 'src/store/sqlite/engine/database.ts',
      text: "database.pragma('synchronous = FULL');\n  expectPragma(database, 'synchronous', 2);",
      by: "database.pragma('synchronous = NORMAL');",
    },
  ],
  'a writer that sets synchronous = NORMAL after it opened': [
    {
      file: 'src/store/sqlite/writer/thread.ts',
      text: 'this.#database = database;',
      by: "this.#database = database; this.#database.pragma('synchronous = NORMAL');",
    },
  ],
  'an ack that leaves before the commit': [
    {
      file: 'src/store/sqlite/writer/thread.ts',
      text: 'kept = this.#events.keep(deliveries);',
      by: 'kept = this.#events.keep(deliveries); this.#acknowledge(kept, deliveries); kept = [];',
    },
    {
      file: 'src/store/sqlite/writer/thread.ts',
      text: 'kept = this.#events.keep(arrived);',
      by: 'kept = this.#events.keep(arrived); this.#acknowledge(kept, arrived); kept = [];',
    },
  ],
} as const satisfies Record<string, readonly Patch[]>;

/** No mistake: the log is moved, and begins anew, every few commits. With the measures of `serve` that takes 32 MB. */
export const SHORT_LOG: readonly Patch[] = [
  {
    file: 'src/store/sqlite/writer/checkpoints.ts',
    text: 'intervalMs: 10, minPages: 100, autoPages: 8_000 }',
    by: 'intervalMs: 0, minPages: 40, autoPages: 160 }',
  },
];
