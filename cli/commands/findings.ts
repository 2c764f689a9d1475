import type { Cli } from '../options/options.ts';
import { addFindingsListCommand } from './findings/list.ts';
import { addFindingsShowCommand } from './findings/show.ts';

/** `tallyhook findings …`: what a person or the service must clear up. `list` is what it does without a word more. */
export function addFindingsCommand(cli: Cli): Cli {
  return cli.command('findings', 'What must be cleared up; ends with 3 when something is open', (findings) => {
    addFindingsListCommand(findings);
    addFindingsShowCommand(findings);
    return findings;
  });
}
