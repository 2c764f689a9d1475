import { refusedColumns } from '../../src/lists/refused.ts';
import { seenColumn } from '../../src/lists/seen.ts';
import { REFUSAL_REASONS } from '../../src/receive/refusals.ts';
import { STORE_FAULTS } from '../../src/store/error.ts';
import { isSeen } from '../../src/store/seen.ts';
import { withArchive } from '../context/archive.ts';
import { outageNow } from '../context/serve-answer.ts';
import { COMMON_FILTERS, oneOrMore, PAGE_OPTIONS, pageOf } from '../options/filters.ts';
import type { Cli } from '../options/options.ts';
import { calendarOf, periodOf } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { pagesOf, printList } from '../show/list.ts';
import { terminalColumns } from '../show/list-columns.ts';
import { noteOutage } from '../show/refused-run.ts';
import { refusedSpanJson } from '../show/refused-span.ts';

/** Also those of deliveries that were not kept. */
const REASONS: readonly string[] = [...REFUSAL_REASONS, ...STORE_FAULTS];

/** `tallyhook refused`: lists when which requests were refused, and why. */
export function addRefusedCommand(cli: Cli): Cli {
  return cli.command(
    'refused',
    SUMMARY.refused,
    (command) =>
      command
        .options({ since: COMMON_FILTERS.since, until: COMMON_FILTERS.until })
        .option('reason', oneOrMore(REASONS, 'Only for this reason'))
        .options(PAGE_OPTIONS)
        .example('$0 refused --since 2026-11-23T10:00 --until 2026-11-23T10:10', 'What was refused at 10:03')
        .example('$0 refused --reason disk_full --reason busy', 'Authentic deliveries that could not be kept'),
    async (argv) => {
      await withArchive(argv, async (archive, config) => {
        const { reason } = argv;
        const calendar = calendarOf(config);
        const filter = { ...periodOf(argv, calendar), ...(reason !== undefined && { reasons: reason }) };
        const pages = pagesOf(
          pageOf(argv),
          (page) => archive.refusedSpans(filter, page),
          () => archive.countRefusedSpans(filter),
        );
        const outage = await outageNow(config, calendar.nowMs);
        const mark = await archive.seenMark('refused');
        await printList(pages, argv, {
          json: (span) => ({ ...refusedSpanJson(span), seen: isSeen(mark, span.lastAtMs) }),
          columns: terminalColumns([...refusedColumns(), seenColumn(mark, ({ lastAtMs }) => lastAtMs)]),
          empty: outage === null ? 'Nothing was refused.' : 'No refusal is written yet.',
        });
        if (outage !== null) noteOutage(outage, calendar, 'They are listed once the database can be written');
      });
    },
  );
}
