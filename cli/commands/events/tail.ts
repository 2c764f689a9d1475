import { setTimeout as pause } from 'node:timers/promises';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { withArchive } from '../../context/archive.ts';
import { EVENT_FILTERS, eventFilter } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { ANY_ROW, requireStatuses } from '../../options/statuses.ts';
import { calendarOf } from '../../options/when.ts';
import { eventJson, eventLine } from '../../show/event.ts';
import { note, print, printJsonLine } from '../../show/output.ts';
import { follow } from './follow.ts';

/** `tallyhook events tail`: prints events as they arrive, from every process that receives them. */
export function addEventsTailCommand(cli: Cli): Cli {
  return cli.command(
    'tail',
    'Follow events as they arrive, until Ctrl-C',
    (command) =>
      command
        .options(EVENT_FILTERS)
        .example('$0 events tail', 'From now on')
        .example('$0 events tail --since 10m --json | jq .reference', 'One JSON object per line'),
    async (argv) => {
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      await withArchive(argv, async (archive, config) => {
        const filter = eventFilter(argv, calendarOf(config));
        await requireStatuses(argv.status, RECORD_KINDS, (status) => archive.events({ statuses: [status] }, ANY_ROW));
        const from = argv.since === undefined ? await archive.eventEnd() : null;
        if (from !== null) note('Following the events from now on; Ctrl-C ends it.');
        const { signal } = stop;
        const sleep = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
        for await (const event of follow(filter, from, { archive, signal, sleep })) {
          if (argv.json) await printJsonLine(eventJson(event));
          else print(eventLine(event));
        }
      });
    },
  );
}
