import { parseYaml } from '../../config/yaml.ts';
import { takeMarks } from '../profile/marks.ts';

/*
 * A proposal as a form: each guess with its value and its reason, then the profile once a person has confirmed or mended each. The text is
 * the proposal as it was shown, so that a file is read by what the person saw.
 */

/** A guess of a proposal, as a person looks at it. */
export interface ShownGuess {
  /** `columns.date`, `types.Payment` */
  readonly path: string;
  readonly value: string;
  /** Why it was guessed; null: the proposal says nothing. */
  readonly why: string | null;
}

/** The guesses that are left in a proposal, in its order. */
export function guessesIn(text: string): ShownGuess[] {
  const { document, lines } = parseYaml(text);
  const rows = text.split('\n');
  return takeMarks(document, lines).map(({ path, value, line }) => {
    const [, why] = /\s#\s(.*)$/.exec(rows[line - 1] ?? '') ?? [];
    return { path, value, why: why?.trim() ?? null };
  });
}

/** A guess as `proposeProfile` writes it. */
const GUESS = /"confirm: (?:[^"\\]|\\.)*"/g;

/** The profile with these values in place of its guesses, in their order, and without the head. A setting whose guess was emptied is left out. */
export function confirmedProfile(text: string, values: readonly string[]): string {
  let at = 0;
  const rows = text.split('\n').flatMap((row) => {
    if (row.startsWith('#')) return [];
    const guesses = row.match(GUESS)?.length ?? 0;
    const own = values.slice(at, at + guesses);
    at += guesses;
    if (guesses > 0 && own.length === guesses && own.every((value) => value === '')) return [];
    let place = 0;
    return [row.replace(GUESS, (guess) => JSON.stringify(own[place++] ?? JSON.parse(guess)))];
  });
  return withoutEmptyMaps(rows).join('\n');
}

/** Rows without the names of maps that have no setting left. */
function withoutEmptyMaps(rows: readonly string[]): readonly string[] {
  const kept = rows.filter((row, at) => {
    const [, indent] = /^( *)[^#\s].*:$/.exec(row) ?? [];
    return indent === undefined || indentOf(rows[at + 1] ?? '') > indent.length;
  });
  return kept.length === rows.length ? kept : withoutEmptyMaps(kept);
}

function indentOf(row: string): number {
  return row.length - row.trimStart().length;
}
