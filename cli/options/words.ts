import { randomUUID } from 'node:crypto';
import { GLOBAL_OPTIONS } from '../overview.ts';

/** What the words after the program's name ask for. */
export type CommandLine = { readonly asks: 'overview' | 'version' } | WorkLine;

/** A line for which yargs is loaded. */
export type WorkLine =
  /** `name` is the first word that is no option: a command, or a mistake. Null: options alone, none of them for the overview. */
  | {
      readonly asks: 'command';
      readonly name: string | null;
      readonly words: readonly string[];
      /** The words behind `help`; absent without it, or with options between them. */
      readonly helpOf?: readonly string[];
    }
  /** The words of a line that is being typed, without the program's name; the last one is not finished. */
  | { readonly asks: 'completions'; readonly words: readonly string[] };

/** The word with which a script of `tallyhook completion` calls; the name that yargs gives it. */
export const COMPLETIONS_OF = '--get-yargs-completions';

/**
 * Reads which command is meant, so that no other is loaded. `help COMMAND` is read as `COMMAND --help`; no word at all, `help`,
 * `--help` and `-h` ask for the overview.
 */
export function commandLine(words: readonly string[]): CommandLine {
  if (words[0] === COMPLETIONS_OF) return { asks: 'completions', words: words.slice(2) };
  const name = firstCommand(words);
  if (name === 'help') {
    const rest = words.toSpliced(words.indexOf('help'), 1);
    if (firstCommand(rest) === null) return { asks: 'overview' };
    const line = commandLine([...rest, '--help']);
    return line.asks === 'command' && !rest.some((word) => word.startsWith('-')) ? { ...line, helpOf: rest } : line;
  }
  if (name === null && (words.length === 0 || words.some((word) => word === '--help' || word === '-h')))
    return { asks: 'overview' };
  if (name === null && words.includes('--version')) return { asks: 'version' };
  return { asks: 'command', name, words };
}

/** The first word that is neither an option of every command nor the value of one. */
function firstCommand(words: readonly string[]): string | null {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (!word.startsWith('-')) return word;
    const isKnown = Object.keys(GLOBAL_OPTIONS).some((name) => word === `--${name}` || word.startsWith(`--${name}=`));
    if (!isKnown) return null;
    if (word === '--config') at++; // its value
  }
  return null;
}

/**
 * The words for yargs, which drops those behind `--` where a command takes arguments, and empties a lone `-`. They stand there without
 * the `--`, and what begins with a dash is marked, so that it is no option; `unmarked` takes the mark off.
 */
export function markedWords(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  const behind = end < 0 ? [] : words.slice(end + 1);
  return [
    ...before.map((word, at) => (word === '-' && !takesValue(words[at - 1]) ? MARK + word : word)),
    ...behind.map((word) => (word.startsWith('-') ? MARK + word : word)),
  ];
}

/** True where a `-` that follows may be the value of an option. */
function takesValue(word = ''): boolean {
  return word.startsWith('-') && !word.includes('=') && !['--json', '--verbose'].includes(word);
}

export function unmarked(text: string): string {
  return text.replaceAll(MARK, '');
}

/** Random: no argument holds it. */
const MARK = `word-${randomUUID()}:`;
