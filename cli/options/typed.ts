import { seeHelp } from './mistakes.ts';
import { type Cli, UsageError } from './options.ts';
import { commandPath, internals } from './yargs-internals.ts';

// What yargs would take without a word. It compares values, and so defaults, too; these rules look at what was typed.

/** One of the two at most. */
const EXCLUSIVE: readonly (readonly [one: string, other: string])[] = [
  ['all', 'limit'],
  ['wrong-signature', 'mutate-body'],
  ['wrong-signature', 'old-key'],
];

/** The first has a meaning with one of the others only. */
const DEPENDENT: readonly (readonly [option: string, needs: readonly string[]])[] = [
  ['every', ['watch']],
  ['by', ['since', 'until']],
  ['public-url', ['deploy']],
];

/**
 * Refuses what yargs would take without a word: an option with a value that is given twice (it takes the last), and options that
 * contradict each other.
 *
 * @throws UsageError
 */
export function refuseTyped(words: readonly string[], cli: Cli): void {
  const { array, boolean, key } = internals(cli).getOptions();
  const seen = new Set<string>();
  for (const word of words) {
    if (word === '--') break;
    const [, name = ''] = /^--([a-z][a-z-]*)/.exec(word) ?? [];
    if (name === '') continue;
    const isRepeatable = array.includes(name) || boolean.includes(name);
    if (seen.has(name) && !isRepeatable)
      throw new UsageError(`--${name} is given twice: give it once.`, seeHelp(commandPath(cli)));
    seen.add(name);
  }
  refuseContradictions(seen, Object.keys(key), seeHelp(commandPath(cli)));
}

/** `known`: the options of the command; `help`: where they are explained. */
function refuseContradictions(given: ReadonlySet<string>, known: readonly string[], help: string): void {
  for (const [one, other] of EXCLUSIVE) {
    if (!given.has(one) || !given.has(other)) continue;
    throw new UsageError(`--${one} and --${other} exclude each other: give one of them.`, help);
  }
  for (const [option, needs] of DEPENDENT) {
    const applies = given.has(option) && needs.every((name) => known.includes(name));
    if (!applies || needs.some((name) => given.has(name))) continue;
    throw new UsageError(`--${option} needs ${needs.map((name) => `--${name}`).join(' or ')}.`, help);
  }
}
