import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addStatementsFolderCommand } from './statements/folder.ts';
import { addStatementsImportCommand } from './statements/import.ts';
import { addStatementsListCommand } from './statements/list.ts';
import { addStatementsProfileCommand } from './statements/profile.ts';
import { addStatementsRemoveCommand } from './statements/remove.ts';
import { addStatementsShowCommand } from './statements/show.ts';

/** `tallyhook statements …`: files that say what moved an account. */
export function addStatementsCommand(cli: Cli): Cli {
  return cli.command('statements', SUMMARY.statements, (statements) => {
    for (const add of [
      // One line for each subcommand.
      addStatementsProfileCommand,
      addStatementsImportCommand,
      addStatementsListCommand,
      addStatementsShowCommand,
      addStatementsRemoveCommand,
      addStatementsFolderCommand,
    ]) {
      add(statements);
    }
    return statements.demandCommand(1, 'Which command of statements?');
  });
}
