import { type Cli, UsageError } from '../../options/options.ts';
import { print, printJson } from '../../show/output.ts';
import { CONNECTION_OPTIONS, callSandbox } from './connection.ts';

/** `sandbox advance 2h` moves the clock and runs what becomes due. */
export function addTimeControls(cli: Cli): Cli {
  return cli.command(
    'advance <by>',
    'Move its clock forward and run what becomes due',
    (command) =>
      command
        .positional('by', { type: 'string', demandOption: true, describe: '90s, 5m, 2h, 1d' })
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox advance 1d', 'One day: pending payments, retries, settlement'),
    async (argv) => {
      if (/^\d+(\.\d+)?$/.test(argv.by)) throw withoutUnit(argv.by);
      const answer = await callSandbox<{ now: string }>(argv, 'POST', '/clock/advance', { by: argv.by });
      if (argv.json) printJson(answer);
      else print(`now  ${answer.now}`);
    },
  );
}

/** The control itself takes a bare number as milliseconds, and a person who types one means something else. */
function withoutUnit(by: string): UsageError {
  return new UsageError(
    `BY is ${JSON.stringify(by)}: it needs a unit.`,
    `Seconds, minutes, hours or days: ${by}s, ${by}m, ${by}h, ${by}d.`,
  );
}
