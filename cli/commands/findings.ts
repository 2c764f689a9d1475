import type { Cli } from '../options/options.ts';
import { addFindingsListCommand } from './findings/list.ts';
import { addFindingsShowCommand } from './findings/show.ts';

/** `tallyhook findings …`: what a person or the service must clear up. Without a subcommand it is `list`. */
export function addFindingsCommand(cli: Cli): Cli {
  return cli.command(
    'findings',
    'List and show what must be cleared up; exit code 3 when a finding is open',
    (findings) => {
      addFindingsListCommand(findings);
      addFindingsShowCommand(findings);
      return findings;
    },
  );
}
