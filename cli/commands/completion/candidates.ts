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
  for (const candidate of await candidates(words, load)) print(candidate);
}

async function candidates(
  words: readonly string[],
  load: (name: CommandName) => Promise<Cli>,
): Promise<readonly string[]> {
  const [name = ''] = words;
  if (words.length <= 1) return [...Object.keys(SUMMARY), 'help'];
  if (name === 'help') return candidates(words.slice(1), load);
  if (!isCommand(name)) return [];
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
