import type { Cli } from './options.ts';

/**
 * What yargs knows of the command that it is parsing, and its help; there since yargs 17. Its published interface (18) has none
 * of it: `parsed` holds values and aliases, and neither the kinds of the options nor the names of commands; the words in
 * `argv._` do not tell a command from its arguments, and a failure may come before there are any.
 */
interface YargsInternals {
  getOptions(): {
    key: Record<string, unknown>;
    array: string[];
    boolean: string[];
    string: string[];
    number: string[];
  };
  getInternalMethods(): {
    getCommandInstance(): { getCommands(): string[] };
    getContext(): { commands: string[]; fullCommands: string[] };
    getUsageInstance(): {
      cacheHelpMessage(): void;
      epilog(text: string): void;
      example(command: string, meaning: string): void;
      getDescriptions(): Record<string, string>;
      getWrap(): number;
      help(): string;
      reset(localLookup: unknown): unknown;
    };
  };
}

export function internals(cli: Cli): YargsInternals {
  return cli as unknown as YargsInternals;
}

/** The command that is being parsed, as its words: `['refunds', 'show']`. */
export function commandPath(cli: Cli): string[] {
  return [...internals(cli).getInternalMethods().getContext().commands];
}

/**
 * Keeps yargs from laying out the help of a command that runs, for errors whose help we never print: 20 ms of processor time. It
 * does so for each command; the published `showHelpOnFail(false)` only keeps it from being printed.
 */
export function layOutNoHelp(cli: Cli): void {
  internals(cli).getInternalMethods().getUsageInstance().cacheHelpMessage = () => {};
}
