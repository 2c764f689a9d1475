import { outboxColumns } from '../../../src/lists/outbox.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { OutboxFilter } from '../../../src/store/outbox.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { PAGE_OPTIONS } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { OUTBOX_FILTERS, outboxFilter } from '../../options/outbox-filters.ts';
import { requireTarget } from '../../options/targets.ts';
import { calendarOf } from '../../options/when.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { noteObstacles, outboxRowJson } from '../../show/outbox.ts';
import { differencesFound } from '../../show/output.ts';

/** `tallyhook outbox list`: lists rows, the oldest first. Exit code 3 when a dead letter matches. */
export function addOutboxListCommand(cli: Cli): Cli {
  const { limit, all } = PAGE_OPTIONS;
  return cli.command(
    'list',
    'List news for your applications, the oldest first; exit code 3 with dead letters',
    (command) =>
      command
        .options({ ...OUTBOX_FILTERS, limit, all })
        .example('$0 outbox list --state dead', 'What was given up')
        .example('$0 outbox list --target shop --state failing', 'What is tried again'),
    async (argv) => {
      await withArchive(argv, async (archive, config) => {
        const filter = outboxFilter(argv, calendarOf(config));
        await requireTarget(filter.target, config, archive);
        const pages = pagesOf(
          { order: 'oldest', limit: argv.all ? Number.POSITIVE_INFINITY : argv.limit },
          (page) => archive.outbox(filter, page),
          () => archive.countOutbox(filter),
        );
        await printList(pages, argv, {
          json: outboxRowJson,
          columns: terminalColumns(outboxColumns()),
          empty: 'No rows match.',
        });
        const targets = await archive.targets();
        const shown = targets.filter(({ name }) => filter.target === undefined || filter.target === name);
        noteObstacles(shown, await archive.unprovenRecords(), systemClock.nowMs());
        if (await hasDead(archive, filter)) differencesFound();
      });
    },
  );
}

/** Whether a dead letter matches, beyond the page too. */
async function hasDead(archive: Archive, filter: OutboxFilter): Promise<boolean> {
  if (filter.states !== undefined && !filter.states.includes('dead')) return false;
  const dead = await archive.outbox({ ...filter, states: ['dead'] }, { limit: 1, order: 'oldest' });
  return dead.length > 0;
}
