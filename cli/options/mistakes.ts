import { didYouMean } from '../../src/config/did-you-mean.ts';
import { SUMMARY } from '../overview.ts';
import { type Cli, UsageError, usageError } from './options.ts';
import { commandPath, internals } from './yargs-internals.ts';

// The messages of yargs in the words of this program: what is wrong, the value seen, what to write instead.

/** Where a mistake in this command is explained. */
export function seeHelp(path: readonly string[]): string {
  return `See: ${['tallyhook', ...path, '--help'].join(' ')}`;
}

/** The first word is no command; null: there are options alone. */
export function unknownCommand(name: string | null, words: readonly string[]): UsageError {
  if (name === null) {
    const option = words.find((word) => word.startsWith('-')) ?? '';
    return new UsageError(`Unknown option: ${option}`, `The command comes first. ${seeHelp([])}`);
  }
  return withSuggestion(`Unknown command: ${name}`, didYouMean(name, Object.keys(SUMMARY)), []);
}

/** The error of a command line that yargs refuses with this message. */
export function mistake(message: string, cli: Cli): UsageError {
  const path = commandPath(cli);
  for (const [pattern, explain] of EXPLAINED) {
    const match = pattern.exec(message);
    if (match !== null) return explain(match, cli, path);
  }
  const asksWhich = message.endsWith('?') && subcommands(cli).length > 0;
  return usageError(message, `${asksWhich ? `One of: ${subcommands(cli).join(', ')}. ` : ''}${seeHelp(path)}`);
}

type Explain = (match: RegExpExecArray, cli: Cli, path: readonly string[]) => UsageError;

const EXPLAINED: readonly (readonly [RegExp, Explain])[] = [
  [
    /^Not enough non-option arguments: got (\d+)/,
    ([, got = ''], cli, path) => missingPositional(Number(got), cli, path),
  ],
  [/^Unknown commands?: (.*)$/s, unknownWord],
  [/^Unknown arguments?: (.*)$/s, unknownOption],
  [
    /^Not enough arguments following: (.*)$/,
    ([, name = ''], _cli, path) => new UsageError(`${dashed(name)} needs a value.`, seeHelp(path)),
  ],
  [
    /^Missing required arguments?: (.*)$/s,
    ([, names = ''], _cli, path) => {
      const options = names.split(', ').map(dashed);
      return new UsageError(`${listed(options)} ${options.length === 1 ? 'is' : 'are'} missing.`, seeHelp(path));
    },
  ],
  [/Argument: (.*?), Given: "(.*)", Choices: (.*)$/m, outsideChoices],
  [
    /^Arguments (\S+) and (\S+) are mutually exclusive/,
    ([, one = '', other = ''], _cli, path) =>
      new UsageError(`${dashed(one)} and ${dashed(other)} exclude each other: give one of them.`, seeHelp(path)),
  ],
];

/**
 * Refuses an argument without a character, such as an unset variable of a shell: it names nothing, or everything.
 *
 * @throws UsageError
 */
export function refuseEmpty(argv: Readonly<Record<string, unknown>>, cli: Cli): void {
  const empty = positionals(cli).findIndex((name) => [argv[name]].flat().includes(''));
  if (empty >= 0) throw missingPositional(empty, cli, commandPath(cli));
}

/** `Which refund? tallyhook refunds show REFERENCE`: the argument that is missing, and the whole command. */
function missingPositional(at: number, cli: Cli, path: readonly string[]): UsageError {
  const names = positionals(cli);
  const missing = names[at] ?? 'argument';
  const question = QUESTIONS[missing];
  const group = path.at(-2);
  const isOfGroup = group?.endsWith('s') === true && ['reference', 'id'].includes(missing);
  const thing = isOfGroup ? (ONE_OF[group] ?? group.slice(0, -1)) : missing.replaceAll('-', ' ');
  const line = ['tallyhook', ...path, ...names.map((name) => name.toUpperCase())].join(' ');
  return new UsageError(`${question ?? `Which ${thing}?`} ${line}`, seeHelp(path));
}

/** For groups whose name is no plural. */
const ONE_OF: Readonly<Record<string, string>> = { chaos: 'rule' };

/** For arguments whose name does not make a question. */
const QUESTIONS: Readonly<Record<string, string>> = {
  what: 'Which reference, or which FILE.csv?',
  by: 'By how long, such as 30s or 2h?',
};

/** yargs names a word that it cannot place a command, also where a command takes no further word. */
function unknownWord([, words = '']: RegExpExecArray, cli: Cli, path: readonly string[]): UsageError {
  const [word = ''] = words.split(', '); // the other words are its arguments
  const known = subcommands(cli);
  if (known.length > 0) return withSuggestion(`Unknown command: ${word}`, didYouMean(word, known), path);
  const names = positionals(cli).map((name) => name.toUpperCase());
  const taken = names.length === 0 ? 'takes no argument' : `takes ${names.join(' ')}`;
  return usageError(`Unexpected argument: ${word}. ${['tallyhook', ...path].join(' ')} ${taken}.`, seeHelp(path));
}

function unknownOption([, names = '']: RegExpExecArray, cli: Cli, path: readonly string[]): UsageError {
  const [name = ''] = names.split(', ');
  const instead = ELSEWHERE[[...path, dashed(name)].join(' ')];
  if (instead !== undefined) return withSuggestion(`Unknown option: ${dashed(name)}`, instead, path);
  const known = Object.keys(internals(cli).getOptions().key).filter((one) => !/[A-Z]/.test(one));
  const nearest = didYouMean(name, known) ?? onlyOneThatBegins(name, known);
  return withSuggestion(`Unknown option: ${dashed(name)}`, nearest === undefined ? undefined : dashed(nearest), path);
}

/** What another command, or the configuration, has in the place of an option. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'serve --port': 'the setting receiver.port, or TALLYHOOK_PORT',
  'events list --format': 'tallyhook events export --format csv',
};

/** `environment` for `env`. */
function onlyOneThatBegins(start: string, known: readonly string[]): string | undefined {
  const [only, ...others] = known.filter((name) => start.length > 1 && name.startsWith(start));
  return others.length === 0 ? only : undefined;
}

function outsideChoices([, name = '', given = '', list = '']: RegExpExecArray, cli: Cli, path: readonly string[]) {
  const choices: string[] = JSON.parse(`[${list}]`);
  const shown = positionals(cli).includes(name) ? name.toUpperCase() : dashed(name);
  const message = `${shown} is ${JSON.stringify(given)}: it must be ${listed(choices, 'or')}.`;
  return withSuggestion(message, didYouMean(given, choices), path);
}

function withSuggestion(message: string, nearest: string | undefined, path: readonly string[]): UsageError {
  return usageError(message, `${nearest === undefined ? '' : `Did you mean ${nearest}? `}${seeHelp(path)}`);
}

function subcommands(cli: Cli): string[] {
  return internals(cli).getInternalMethods().getCommandInstance().getCommands();
}

/** The arguments of the command that is being parsed, in their order. */
function positionals(cli: Cli): string[] {
  const usage = internals(cli).getInternalMethods().getContext().fullCommands.at(-1) ?? '';
  return [...usage.matchAll(/[<[]([\w-]+)/g)].map(([, name = '']) => name);
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

function listed(items: readonly string[], last = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}
