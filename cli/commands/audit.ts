import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addAuditExportCommand } from './audit/export.ts';
import { addAuditHeadCommand } from './audit/head.ts';
import { addAuditListCommand } from './audit/list.ts';
import { addAuditVerifyCommand } from './audit/verify.ts';

/** `tallyhook audit …`: who did what, and whether the database is as they left it. */
export function addAuditCommand(cli: Cli): Cli {
  return cli.command('audit', SUMMARY.audit, (audit) => {
    for (const add of [addAuditListCommand, addAuditVerifyCommand, addAuditExportCommand, addAuditHeadCommand])
      add(audit);
    return audit.demandCommand(1, 'Which command of audit?');
  });
}
