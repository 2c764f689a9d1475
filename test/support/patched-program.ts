import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../src/package-root.ts';
import { temporaryFolder } from './folder.ts';

/** A mistake to put into the program: `text`, which the file must hold exactly once, becomes `by`. */
export interface Patch {
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/** How the program is started with mistakes in it. */
export interface PatchedProgram {
  readonly launcher: string;
  readonly env: Record<string, string>;
}

/**
 * The program with mistakes in it, which each of its processes and threads loads instead of the files as they are: the controls that
 * show that a proof can fail. All other files are those of the program, with the code that is kept of them.
 *
 * @throws Error when a text to replace is gone, so that no control can lose its mistake unseen
 */
export function patchedProgram(...patches: readonly Patch[]): PatchedProgram {
  const sources: Record<string, string> = {};
  for (const { file, text, by } of patches) {
    const { href } = pathToFileURL(packageFile(file));
    const pieces = (sources[href] ?? readFileSync(packageFile(file), 'utf8')).split(text);
    if (pieces.length !== 2)
      throw new Error(
        `${file} must hold this text once to take the mistake, and holds it ${pieces.length - 1} times:\n${text}`,
      );
    sources[href] = pieces.join(by);
  }
  const loader = join(temporaryFolder(), 'mistakes.mjs');
  writeFileSync(
    loader,
    `import { registerHooks } from 'node:module';
const sources = ${JSON.stringify(sources)};
registerHooks({
  load: (url, context, next) =>
    url in sources ? { format: 'module-typescript', source: sources[url], shortCircuit: true } : next(url, context),
});`,
  );
  return { launcher: packageFile('cli/tallyhook.js'), env: { NODE_OPTIONS: `--import=${loader}` } };
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
      text: "this.#post({ type: 'appended' });",
      by: '',
    },
    {
      file: 'src/store/sqlite/log/thread.ts',
      text: 'this.#appender.append(entries,',
      by: "this.#post({ type: 'appended' }); this.#appender.append(entries,",
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
