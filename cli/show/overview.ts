import { COMMAND_GROUPS, EXIT_CODES, GLOBAL_OPTIONS } from '../overview.ts';
import { bold, print } from './output.ts';
import { calledAs } from './program.ts';
import { wrapped } from './text.ts';

const NAME_WIDTH = 15;
const WIDEST = 120;
/** A terminal that reports no size, or none, is taken for this wide. */
const USUAL_WIDTH = 120;

const EXAMPLES = [
  ['init', 'Write tallyhook.yaml and .env'],
  ['trigger refund.success', 'Send a correctly signed sample to the receiver'],
  ['why REFERENCE', 'The story of one refund, payout or collection'],
] as const;

/** Prints the commands in groups, the options of all of them, and how to go on: `tallyhook --help`. */
export function printOverview(): void {
  const width = Math.min(WIDEST, process.stdout.columns || USUAL_WIDTH);
  print(`${calledAs()} COMMAND`);
  print('\nReceives, keeps, confirms and reconciles the webhooks of one payment service.');
  for (const [title, commands] of Object.entries(COMMAND_GROUPS)) section(title, Object.entries(commands), width);
  const options = Object.entries(GLOBAL_OPTIONS).map(([name, { describe }]) => [`--${name}`, describe] as const);
  const help = ['-h, --help', 'Show this help, or that of a command'] as const;
  section('Options of every command', [...options, help], width);
  section('', [['--version', 'Show the version']], width);
  print(`\n${bold('Examples')}`);
  for (const [line, meaning] of EXAMPLES) print(`  ${`tallyhook ${line}`.padEnd(34)}${meaning}`);
  print('\nThe options and subcommands of a command: tallyhook help COMMAND');
  for (const line of wrapped(EXIT_CODES, width)) print(line);
}

function section(title: string, rows: readonly (readonly [string, string])[], width: number): void {
  if (title !== '') print(`\n${bold(title)}`);
  for (const [name, text] of rows) {
    wrapped(text, width - NAME_WIDTH - 2).forEach((line, index) => {
      print(`  ${(index === 0 ? name : '').padEnd(NAME_WIDTH)}${line}`);
    });
  }
}
