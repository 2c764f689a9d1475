import type { Cli } from '../../options/options.ts';
import { PERSON_OPTIONS } from '../../options/person.ts';
import { decide, PAIR_OPTIONS } from './decide.ts';

/** `tallyhook matches undo ID`: a line and a row of ours are never matched again, unless a person confirms the pair. */
export function addMatchesUndoCommand(cli: Cli): Cli {
  return cli.command(
    'undo [id]',
    'Say that a line and a record do not belong together; the next reconcile uses it',
    (command) =>
      command
        .positional('id', { type: 'string', describe: 'Its number in the list' })
        .options({ ...PAIR_OPTIONS, ...PERSON_OPTIONS })
        .example('$0 matches undo 17 --comment "another order"', 'Never matched again, unless it is confirmed'),
    (argv) => decide('apart', argv),
  );
}
