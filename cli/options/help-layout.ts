import { mistake, seeHelp } from './mistakes.ts';
import { type Cli, usageError } from './options.ts';
import { commandPath, internals } from './yargs-internals.ts';

/**
 * Sets a blank between a description and the kind of its option: yargs leaves none where both fill the line exactly.
 * `asked`: the words behind `help`; one that is no command is refused, instead of the help of the command before it.
 */
export function layOutHelp(cli: Cli, asked: readonly string[] | null): void {
  const methods = internals(cli).getInternalMethods();
  const usage = methods.getUsageInstance();
  const layOut = usage.help.bind(usage);
  usage.help = () => {
    const path = commandPath(cli);
    const extra = asked?.[path.length];
    if (extra !== undefined && methods.getCommandInstance().getCommands().length > 0)
      throw mistake(`Unknown command: ${extra}`, cli);
    if (extra !== undefined) throw usageError(`There is no command ${asked?.join(' ')}.`, seeHelp(path));
    return layOut().replace(KIND, '$1 [');
  };
}

const KIND = /(\S)\[(?=(?:string|boolean|array|choices|required|default)\b)/g;
