import { auditColumns } from '../../../src/lists/audit.ts';
import { withArchive } from '../../context/archive.ts';
import { AUDIT_FILTERS, auditFilter } from '../../options/audit-filters.ts';
import { PAGE_OPTIONS, pageOf } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { calendarOf } from '../../options/when.ts';
import { entryJson } from '../../show/audit-entry.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';

/** `tallyhook audit list`: lists the entries of the audit chain, the latest first. */
export function addAuditListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List who did what, the latest first',
    (command) =>
      command
        .options({ ...AUDIT_FILTERS, ...PAGE_OPTIONS })
        .example('$0 audit list --who ada --since 7d', 'What Ada did this week')
        .example('$0 audit list --subject statement:3', 'Everything that was done with one statement'),
    async (argv) => {
      await withArchive(argv, (archive, config) => {
        const filter = auditFilter(argv, calendarOf(config));
        const pages = pagesOf(
          pageOf(argv),
          async (page) => (await archive.auditEntries(filter, page)).map((entry) => ({ ...entry, id: entry.seq })),
          () => archive.countAuditEntries(filter),
        );
        return printList(pages, argv, {
          json: entryJson,
          columns: terminalColumns(auditColumns()),
          empty: 'No entries.',
        });
      });
    },
  );
}
