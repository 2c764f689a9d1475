import { packageFile } from '../../../src/package-root.ts';
import { type HelpOption, readHelp } from './help.ts';

/*
 * The tables of options in docs/cli.md, from the help of the commands. Comments of the page, which a reader does not see, say
 * what each table is of: `<!-- options of sweep -->`, `<!-- options of outbox list, outbox show -->`, and, once,
 * `<!-- options of many commands -->`. An option that only some commands of a table have names these.
 */

export const COMMANDS_PAGE = packageFile('docs/cli.md');

/** Returns what `tallyhook help` prints for the words of a command. */
export type AskHelp = (path: readonly string[]) => Promise<string>;

/** The options of every command that has some, by its words: `refunds list`. */
export type CommandOptions = ReadonlyMap<string, readonly HelpOption[]>;

/** Asks every command, from their first words. */
export async function commandOptions(ask: AskHelp, names: readonly string[]): Promise<CommandOptions> {
  const known = new Map<string, readonly HelpOption[]>();
  const add = async (path: readonly string[]) => {
    const { commands, isDefault, options } = readHelp(await ask(path), path);
    const own = options.filter(({ name }) => !OF_EVERY_COMMAND.has(name));
    if (own.length > 0 && !isDefault) known.set(path.join(' '), own);
    for (const word of commands) await add([...path, word]);
  };
  for (const name of names) await add([name]);
  return known;
}

const OF_EVERY_COMMAND = new Set(['--config', '--json', '--at-least', '--verbose', '--help']);
const OF_MANY = 'many commands';
/** So many commands have an option with the same words. */
const MANY = 6;

/** The page with the options that its commands have now. */
export function pageWithOptions(page: string, commands: CommandOptions): string {
  const shared = sharedRows(commands);
  return page.replace(TABLE, (_all, of: string) => {
    const table = of === OF_MANY ? tableOf([...shared]) : tableOf(rowsOfCommands(namesIn(of), commands, shared));
    return `<!-- options of ${of} -->\n\n${table}\n`;
  });
}

/** With the blank line behind it: what follows a row at once would be a row, too. */
const TABLE = /<!-- options of ([^>]+?) -->\n\n(?:\|.*\n)*\n?/g;
const namesIn = (of: string) => of.split(/,\s+/);

/** Every command with options that no table of the page is of, and every command of a table that has none. */
export function wrongTables(page: string, commands: CommandOptions): string[] {
  const named = [...page.matchAll(TABLE)].flatMap(([, of = '']) => namesIn(of)).filter((name) => name !== OF_MANY);
  const without = [...commands.keys()].filter((name) => !named.includes(name));
  return [...without, ...named.filter((name, at) => !commands.has(name) || named.indexOf(name) !== at)];
}

function tableOf(rows: readonly string[]): string {
  return ['| Option | Does |', '|---|---|', ...rows, ''].join('\n');
}

function sharedRows(commands: CommandOptions): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const row of [...commands.values()].flatMap((options) => options.map(rowOf)))
    counts.set(row, (counts.get(row) ?? 0) + 1);
  return new Set([...counts].filter(([row, count]) => row.startsWith('| `--') && count >= MANY).map(([row]) => row));
}

function rowsOfCommands(names: readonly string[], commands: CommandOptions, shared: ReadonlySet<string>): string[] {
  const having = new Map<string, string[]>();
  const known = new Set<string>();
  for (const name of names) {
    for (const option of commands.get(name) ?? []) {
      const row = rowOf(option);
      if (shared.has(row)) known.add(`\`${option.name}\``);
      else having.set(row, [...(having.get(row) ?? []), name]);
    }
  }
  const rows = [...having].map(([row, of]) =>
    of.length === names.length ? row : `${row.slice(0, -2)} (${ofText(of, names)}) |`,
  );
  return known.size === 0
    ? rows
    : [...rows, `| ${[...known].join(', ')} | as in [many commands](#options-of-many-commands) |`];
}

/** Which commands of a table have an option: by their last words, where these tell them apart. */
function ofText(having: readonly string[], names: readonly string[]): string {
  const lastWords = (name: string) => name.slice(name.indexOf(' ') + 1);
  const isAlone = (name: string) => names.filter((other) => lastWords(other) === lastWords(name)).length === 1;
  return having.map((name) => `\`${isAlone(name) ? lastWords(name) : name}\``).join(', ');
}

/** Choices that fit into a column. */
const MOST_CHOICES = 6;

function rowOf({ name, does, kind, choices, standard, isRequired }: HelpOption): string {
  const isArgument = !name.startsWith('--');
  const values = choices.length <= MOST_CHOICES ? choices : [];
  const value = values.length > 0 ? ` ${values.join('\\|')}` : kind === 'number' ? ' N' : '';
  const words = [
    isArgument && does === '' ? choices.map((choice) => `\`${choice}\``).join(', ') : does.replaceAll('|', '\\|'),
    isRequired && !isArgument ? 'required' : '',
    standard === null || standard === '[]' || kind === 'boolean' ? '' : `\`${standard}\` by default`,
  ];
  return `| \`${isArgument ? name.toUpperCase() : name + value}\` | ${words.filter((text) => text !== '').join('; ')} |`;
}
