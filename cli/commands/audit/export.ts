import { headText } from '../../../src/domain/audit/head.ts';
import { withArchive } from '../../context/archive.ts';
import { AUDIT_FILTERS, auditFilter } from '../../options/audit-filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { calendarOf } from '../../options/when.ts';
import { ENTRY_CSV, entryJson } from '../../show/audit-entry.ts';
import { csvForm } from '../../show/csv.ts';
import { jsonText, note } from '../../show/output.ts';
import { withSink } from '../../show/sink.ts';

/** Entries in memory at a time. */
const AT_ONCE = 1_000;

/** `tallyhook audit export`: writes the entries, the oldest first, for an auditor. */
export function addAuditExportCommand(cli: Cli): Cli {
  return cli.command(
    'export',
    'Write the entries, the oldest first, for an auditor',
    (command) =>
      command
        .options(AUDIT_FILTERS)
        .option('format', { choices: ['ndjson', 'csv'] as const, default: 'ndjson' as const, describe: 'Of the file' })
        .option('out', { type: 'string', requiresArg: true, describe: 'File, replaced when it is whole [stdout]' })
        .example('$0 audit export --out chain.ndjson', 'All entries, each with all that its hash is made of')
        .example('$0 audit export --format csv --since 2026-10-01 > october.csv', 'For a spreadsheet'),
    async (argv) => {
      const { format, out } = argv;
      if (argv.json && format === 'csv') throw new UsageError('--json writes NDJSON: leave it out, or --format csv.');
      const csv = csvForm(ENTRY_CSV);
      let count = 0;
      await withArchive(argv, async (archive, config) => {
        const filter = auditFilter(argv, calendarOf(config));
        const head = await archive.auditHead();
        await withSink(out, async ({ write }) => {
          if (format === 'csv') await write(csv.header);
          // What is appended meanwhile is left out: the head that is noted is that of the file.
          for (let afterId = 0; head !== null && afterId < head.seq; ) {
            const page = await archive.auditEntries(filter, { afterId, limit: AT_ONCE, order: 'oldest' });
            const entries = page.filter(({ seq }) => seq <= head.seq);
            if (format === 'csv') await write(csv.lines(entries));
            else for (const entry of entries) await write(`${jsonText(entryJson(entry))}\n`);
            count += entries.length;
            afterId = page.length < AT_ONCE ? head.seq : (page.at(-1)?.seq ?? head.seq);
          }
        });
        note(
          `${count} ${count === 1 ? 'entry' : 'entries'} exported${head === null ? '' : `; head ${headText(head)}`}`,
        );
      });
    },
  );
}
