import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addApprovalsDecideCommands } from './approvals/decide.ts';
import { addApprovalsListCommand } from './approvals/list.ts';
import { addApprovalsShowCommand } from './approvals/show.ts';

/** `tallyhook approvals …`: what needs a second person. Without a subcommand it is `list`. */
export function addApprovalsCommand(cli: Cli): Cli {
  return cli.command('approvals', SUMMARY.approvals, (approvals) => {
    addApprovalsListCommand(approvals);
    addApprovalsShowCommand(approvals);
    addApprovalsDecideCommands(approvals);
    return approvals;
  });
}
