import { type CommandName, SUMMARY } from '../overview.ts';
import type { Cli } from './options.ts';

/** Adds a command to a command line. */
export type AddCommand = (cli: Cli) => unknown;

/** The subcommands of a group by their names, in the order of its help; each value loads one. */
type Subcommands = Readonly<Record<string, () => Promise<AddCommand>>>;

/**
 * A command that has subcommands. Of these only the one is loaded that `word` names, which stands behind the name of the group. All are loaded for help,
 * for completions, and to answer a word that is none of them. `asks`: the answer to a line without a subcommand; null where one of them runs then.
 */
export async function commandGroup(
  name: CommandName,
  word: string | undefined,
  subcommands: Subcommands,
  asks: string | null = `Which command of ${name}?`,
): Promise<AddCommand> {
  const named = word !== undefined && Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  // One file may add several subcommands.
  const loads = named === undefined ? new Set(Object.values(subcommands)) : [named];
  const adds = await Promise.all([...loads].map((load) => load()));
  return (cli) =>
    cli.command(name, SUMMARY[name], (group) => {
      for (const add of adds) add(group);
      return asks === null ? group : group.demandCommand(1, asks);
    });
}
