import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addStatementsProfileCommand } from './statements/profile.ts';

/** `tallyhook statements …`: files that say what moved an account. */
export function addStatementsCommand(cli: Cli): Cli {
  return cli.command('statements', SUMMARY.statements, (statements) => {
    for (const add of [
      // One line for each subcommand.
      addStatementsProfileCommand,
    ]) {
      add(statements);
    }
    return statements.demandCommand(1, 'Which command of statements?');
  });
}
