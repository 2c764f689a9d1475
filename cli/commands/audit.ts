import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./audit/list.ts')).addAuditListCommand,
  verify: async () => (await import('./audit/verify.ts')).addAuditVerifyCommand,
  export: async () => (await import('./audit/export.ts')).addAuditExportCommand,
  head: async () => (await import('./audit/head.ts')).addAuditHeadCommand,
};

/** `tallyhook audit …`: who did what, and whether the database is as they left it. */
export const auditCommand = (word: string | undefined) => commandGroup('audit', word, SUBCOMMANDS);
