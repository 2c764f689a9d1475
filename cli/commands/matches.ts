import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addMatchesConfirmCommand } from './matches/confirm.ts';
import { addMatchesListCommand } from './matches/list.ts';
import { addMatchesUndoCommand } from './matches/undo.ts';

/** `tallyhook matches …`: which line of a statement belongs to which record, and what persons said of it. */
export function addMatchesCommand(cli: Cli): Cli {
  return cli.command('matches', SUMMARY.matches, (matches) => {
    for (const add of [addMatchesListCommand, addMatchesConfirmCommand, addMatchesUndoCommand]) add(matches);
    return matches.demandCommand(1, 'Which command of matches?');
  });
}
