import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addFindingsListCommand } from './findings/list.ts';
import { addFindingsShowCommand } from './findings/show.ts';

/** `tallyhook findings …`: what a person or the service must clear up. Without a subcommand it is `list`. */
export function addFindingsCommand(cli: Cli): Cli {
  return cli.command('findings', SUMMARY.findings, (findings) => {
    addFindingsListCommand(findings);
    addFindingsShowCommand(findings);
    return findings;
  });
}
