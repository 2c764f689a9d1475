import type { Cli } from '../../options/options.ts';
import { PERSON_OPTIONS } from '../../options/person.ts';
import { decide, PAIR_OPTIONS } from './decide.ts';

/** `tallyhook matches confirm ID`: a line and a row of ours belong together. */
export function addMatchesConfirmCommand(cli: Cli): Cli {
  return cli.command(
    'confirm [id]',
    'Say that a line and a record belong together; the next reconcile uses it',
    (command) =>
      command
        .positional('id', { type: 'string', describe: 'Its number in the list' })
        .options({ ...PAIR_OPTIONS, ...PERSON_OPTIONS })
        .example('$0 matches confirm 17 --comment "seen in a letter of the bank"', 'A suggestion becomes a match')
        .example('$0 matches confirm --line 3:17 --reference ORDER-9', 'A line of which no run could say whose it is'),
    (argv) => decide('together', argv),
  );
}
