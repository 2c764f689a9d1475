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
  'a log that sets synchronous = NORMAL after it opened': [
    {
      file: 'src/store/sqlite/log/appender.ts',
      text: 'this.#log = openLog(file);',
      by: "this.#log = openLog(file); this.#log.pragma('synchronous = NORMAL');",
    },
  ],
  'books that set synchronous = NORMAL, so that the log forgets too early': [
    {
      file: 'src/store/sqlite/carry-out/thread.ts',
      text: 'this.#database = database;',
      by: "this.#database = database; this.#database.pragma('synchronous = NORMAL');",
    },
  ],
  'an ack that leaves before the commit': [
    {
      file: 'src/store/sqlite/log/thread.ts',
      text: "this.#post({ type: 'appended', entries: entries.length });",
      by: '',
    },
    {
      file: 'src/store/sqlite/log/thread.ts',
      text: 'this.#appender.append(entries);',
      by: "this.#post({ type: 'appended', entries: entries.length }); this.#appender.append(entries);",
    },
  ],
} as const satisfies Record<string, readonly Patch[]>;

/** No mistake: the write-ahead logs are moved, and begin anew, every few commits. With the measures of `serve` that takes some MB. */
export const SHORT_LOGS: readonly Patch[] = [
  { file: 'src/store/sqlite/log/appender.ts', text: 'CHECKPOINT_PAGES = 1_000', by: 'CHECKPOINT_PAGES = 40' },
  {
    file: 'src/store/sqlite/engine/database.ts',
    text: "if (readonly) database.pragma('query_only = ON');",
    by: "if (readonly) database.pragma('query_only = ON'); else database.pragma('wal_autocheckpoint = 40');",
  },
];
