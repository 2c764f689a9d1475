import { LIFECYCLES, RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import type { Cli } from '../../options/options.ts';
import { COMPLETIONS_OF } from '../../options/words.ts';
import { type CommandName, isCommand, SUMMARY } from '../../overview.ts';
import { print } from '../../show/output.ts';

/**
 * Prints what may stand in the place of the last word, one candidate per line; the shell keeps those that begin as the word does.
 * `load` makes the command line of one command.
 */
export async function printCompletions(
  words: readonly string[],
  load: (name: CommandName) => Promise<Cli>,
): Promise<void> {
  const { asked, start } = withoutEquals(words);
  for (const candidate of await candidates(asked, load)) print(start + candidate);
}

/** The words with the value of an option as a word of its own, and what stands before it in the last word. */
function withoutEquals(words: readonly string[]): { asked: readonly string[]; start: string } {
  const last = words.at(-1) ?? '';
  // zsh passes `--environment=l`; bash passes three words.
  const [, option, value = ''] = /^(--[a-z-]+)=(.*)$/.exec(last) ?? [];
  if (option !== undefined) return { asked: [...words.slice(0, -1), option, value], start: `${option}=` };
  if (last === '=') return { asked: [...words.slice(0, -1), ''], start: '' };
  return { asked: words.at(-2) === '=' ? words.toSpliced(-2, 1) : words, start: '' };
}

async function candidates(
  words: readonly string[],
  load: (name: CommandName) => Promise<Cli>,
): Promise<readonly string[]> {
  const [name = ''] = words;
  if (words.length <= 1) return [...Object.keys(SUMMARY), 'help'];
  if (name === 'help') return candidates(words.slice(1), load);
  if (!isCommand(name)) return [];
  if (words.at(-2) === '--status' && isList(words)) return furtherOf(statusesOf(name), words.at(-1) ?? '');
  const cli = await load(name);
  let printed = '';
  await cli.parseAsync([COMPLETIONS_OF, 'tallyhook', ...words], {}, (_error, _argv, output) => {
    printed = output;
  });
  const all = printed.split('\n').filter((one) => one !== '');
  const values = all.filter((one) => !one.startsWith('-'));
  // Options only when one is begun, or when nothing else can stand here.
  return words.at(-1)?.startsWith('-') === true || values.length === 0 ? all : values;
}

/** Not `collections start --status`, which has its own choices. */
const isList = ([name, command]: readonly string[]) => command === 'list' || name === 'events';

/** Values for the place behind the last comma: `a,` offers every other one as `a,b`. */
function furtherOf(values: readonly string[], word: string): readonly string[] {
  const before = word.slice(0, word.lastIndexOf(',') + 1);
  const chosen = before.split(',');
  return values.filter((value) => !chosen.includes(value)).map((value) => before + value);
}

/** The statuses that a list filters by: those of its kind, or of every kind. Others may come from the service. */
function statusesOf(name: CommandName): readonly string[] {
  const kinds = RECORD_KINDS.filter((kind) => name === `${kind}s`);
  const ranks = (kinds.length > 0 ? kinds : RECORD_KINDS).flatMap((kind) => LIFECYCLES[kind].ranks.flat());
  return [...new Set<string>(ranks)];
}
