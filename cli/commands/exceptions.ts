import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import {
  addExceptionsApproveCommand,
  addExceptionsAssignCommand,
  addExceptionsCommentCommand,
  addExceptionsReopenCommand,
} from './exceptions/acts.ts';
import { addExceptionsExportCommand } from './exceptions/export.ts';
import { addExceptionsImportCommand } from './exceptions/import.ts';
import { addExceptionsListCommand } from './exceptions/list.ts';
import { addExceptionsResolveCommand } from './exceptions/resolve.ts';
import { addExceptionsShowCommand } from './exceptions/show.ts';

/** `tallyhook exceptions …`: the breaks of all runs as a work queue. */
export function addExceptionsCommand(cli: Cli): Cli {
  return cli.command('exceptions', SUMMARY.exceptions, (exceptions) => {
    for (const add of [
      addExceptionsListCommand,
      addExceptionsShowCommand,
      addExceptionsAssignCommand,
      addExceptionsCommentCommand,
      addExceptionsResolveCommand,
      addExceptionsReopenCommand,
      addExceptionsApproveCommand,
      addExceptionsExportCommand,
      addExceptionsImportCommand,
    ])
      add(exceptions);
    return exceptions.demandCommand(1, 'Which command of exceptions?');
  });
}
