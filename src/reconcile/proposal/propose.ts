import { cellText } from '../file/cell.ts';
import { marked } from '../profile/marks.ts';
import { lookAt } from './look.ts';
import { notesOn, severalAccounts } from './notes.ts';
import type { Setting } from './setting.ts';
import { type Said, settingsFor } from './settings.ts';
import { findTable } from './table.ts';
import { unusedColumns } from './unused.ts';

/** A guess of a proposal, which a person must confirm. */
export interface ProposedGuess {
  readonly path: string;
  readonly value: Setting['value'];
  readonly why: string;
}

export interface Proposal {
  /** The profile as YAML. */
  readonly text: string;
  readonly guesses: readonly ProposedGuess[];
  /** Columns of the file that the profile does not name. */
  readonly unused: readonly string[];
  /** What else a person must know of the file: several accounts, other sheets. */
  readonly notes: readonly string[];
  /** The first rows of the file, as texts: what a person looks at beside the guesses. */
  readonly firstRows: readonly (readonly string[])[];
}

/** Enough for the rows above a table, its header and some lines. */
const FIRST_ROWS = 15;

/** Proposes a profile for a file. Throws StatementFileError when the file cannot be read. */
export async function proposeProfile(path: string, said: Said = {}): Promise<Proposal> {
  const look = await lookAt(path);
  const table = findTable(look.rows, look.isWhole);
  const several = severalAccounts(table);
  const notes = notesOn(look, table, several).map(oneLine);
  const settings = settingsFor(look, table, { ...said, isOfSeveral: several !== null }).map((one) => ({
    ...one,
    path: one.path.map((step) => step.replaceAll('\u0000', '.')),
  }));
  const guesses = settings.flatMap(({ path: at, value, why }) =>
    why === null ? [] : [{ path: at.join('.'), value, why }],
  );
  const unused = unusedColumns(table, settings).map(oneLine);
  const notUsed = unused.length === 0 ? '' : `# not used: ${unused.join(', ')}\n`;
  const head = `${HEAD.replace('NAME', () => look.name)}${notes.map((note) => `# ${note}\n`).join('')}${notUsed}`;
  const firstRows = look.rows.slice(0, FIRST_ROWS).map((row) => row.map(cellText));
  return { text: `${head}${yamlOf(settings)}`, guesses, unused, notes, firstRows };
}

/** A comment ends with its line, and YAML has no control signs. */
function oneLine(text: string): string {
  return text.replace(/\p{C}+/gu, ' ');
}

const HEAD = `# yaml-language-server: $schema=./profile.schema.json
# Proposed from NAME. Each "confirm: ..." is a guess: look at it, mend it if need be, and take "confirm: " away. An import is
# refused while one is left. Every setting is described in docs/statements.md.
`;

/** Settings with one path before them stand together, and become one map. */
function yamlOf(settings: readonly Setting[]): string {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const { path, value, why } of settings) {
    const folders = path.slice(0, -1);
    const common = folders.findIndex((step, index) => open[index] !== step);
    for (let depth = common < 0 ? folders.length : common; depth < folders.length; depth++) {
      lines.push(`${'  '.repeat(depth)}${keyOf(folders[depth] ?? '')}:`);
    }
    open = folders;
    const text = `${'  '.repeat(folders.length)}${keyOf(path.at(-1) ?? '')}: ${yamlValue(value, why !== null)}`;
    lines.push(why === null ? text : `${text.padEnd(40)} # ${why.replace(/[\r\n]+/g, ' ')}`);
  }
  return `${lines.join('\n')}\n`;
}

function keyOf(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(name)
    ? name
    : JSON.stringify(name);
}

function yamlValue(value: Setting['value'], isGuess: boolean): string {
  if (Array.isArray(value)) return `[${value.map((one) => yamlValue(one, isGuess)).join(', ')}]`;
  if (isGuess) return JSON.stringify(marked(String(value)));
  return JSON.stringify(value);
}
