import { calledAs } from '../show/program.ts';
import { wrapped } from '../show/text.ts';
import { mistake, seeHelp } from './mistakes.ts';
import { type Cli, isWholeNumber, usageError } from './options.ts';
import { commandPath, internals } from './yargs-internals.ts';

type Usage = ReturnType<ReturnType<ReturnType<typeof internals>['getInternalMethods']>['getUsageInstance']>;

/**
 * The help of a command where yargs lays it out badly: it folds long examples, sets no blank between a description and the kind of
 * its option where both fill the line exactly, and names a whole number `string`. `asked`: the words behind `help`; one that is no
 * command is refused, instead of the help of the command before it.
 */
export function layOutHelp(cli: Cli, asked: readonly string[] | null): void {
  const methods = internals(cli).getInternalMethods();
  const usage = methods.getUsageInstance();
  const layOut = usage.help.bind(usage);
  const ending = endingOf(usage);
  usage.help = () => {
    const path = commandPath(cli);
    const extra = asked?.[path.length];
    if (extra !== undefined && methods.getCommandInstance().getCommands().length > 0)
      throw mistake(`Unknown command: ${extra}`, cli);
    if (extra !== undefined) throw usageError(`There is no command ${asked?.join(' ')}.`, seeHelp(path));
    nameNumbers(cli, usage);
    return layOut().replace(KIND, '$1 [') + ending();
  };
}

const KIND = /(\S)\[(?=(?:string|number|boolean|array|choices|required|default)\b)/g;

/** From here on yargs parses no more, and lists these options as numbers. */
function nameNumbers(cli: Cli, usage: Usage): void {
  const options = internals(cli).getOptions();
  const descriptions = usage.getDescriptions();
  options.number.push(...options.string.filter((name) => isWholeNumber(name, descriptions[name])));
}

interface Example {
  readonly command: string;
  readonly meaning: string;
}

/** Takes the examples and the last sentences over from yargs; the result lays them out. */
function endingOf(usage: Usage): () => string {
  let examples: Example[] = [];
  let sentences: string[] = [];
  usage.example = (command, meaning) => {
    examples.push({ command: `  ${command.replaceAll('$0', calledAs())}`, meaning });
  };
  usage.epilog = (text) => {
    sentences.push(text.replaceAll('$0', calledAs()));
  };
  const reset = usage.reset.bind(usage);
  usage.reset = (localLookup) => {
    [examples, sentences] = [[], []]; // those of the command before
    return reset(localLookup);
  };
  return () => {
    const width = usage.getWrap();
    const listed = examples.length === 0 ? [] : [['Examples:', ...exampleLines(examples, width)]];
    const last = sentences.length === 0 ? [] : [sentences.flatMap((text) => wrapped(text, width))];
    return [...listed, ...last].map((lines) => `\n\n${lines.join('\n')}`).join('');
  };
}

/** Each command whole on a line, so that it can be copied: its meaning beside it, or below where one of them does not fit. */
function exampleLines(examples: readonly Example[], width: number): string[] {
  const column = Math.max(...examples.map(({ command }) => command.length)) + 2;
  const isNarrow = examples.some(({ meaning }) => column + meaning.length > width);
  if (!isNarrow) return examples.map(({ command, meaning }) => command.padEnd(column) + meaning);
  return examples.flatMap(({ command, meaning }) => [
    command,
    ...wrapped(meaning, width - BELOW.length).map((line) => BELOW + line),
  ]);
}

const BELOW = '      ';
