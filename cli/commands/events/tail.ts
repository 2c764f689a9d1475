import { setTimeout as pause } from 'node:timers/promises';
import type { Archive } from '../../../src/store/archive.ts';
import { type Cursor, type Stretch, walk } from '../../../src/store/cursor.ts';
import type { EventFilter } from '../../../src/store/events.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { EVENT_FILTERS, eventFilter } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { eventJson, eventLine } from '../../show/event.ts';
import { note, print, printJsonLine } from '../../show/output.ts';

const POLL_MS = 200;
/** Events in memory at a time. */
const AT_ONCE = 500;
/** An event is shown once it is applied, with its status. When applying makes no progress for 3 s, without a status. */
const APPLY_PATIENCE_MS = 3_000;

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
      await withArchive(argv, async (archive) => {
        const filter = eventFilter(argv);
        const from = argv.since === undefined ? (await archive.eventEnds()).kept : null;
        if (from !== null) note('Following the events from now on; Ctrl-C ends it.');
        for await (const event of follow(archive, filter, from, stop.signal)) {
          if (argv.json) await printJsonLine(eventJson(event));
          else print(eventLine(event));
        }
      });
    },
  );
}

async function* follow(archive: Archive, filter: EventFilter, from: Cursor | null, stop: AbortSignal) {
  const read = (stretch: Stretch) => archive.nextEvents(filter, stretch);
  let place = from;
  let [applied, appliedAtMs]: [Cursor | null, number] = [null, systemClock.nowMs()];
  while (!stop.aborted) {
    const ends = await archive.eventEnds();
    if (ends.applied !== applied || ends.kept === place) [applied, appliedAtMs] = [ends.applied, systemClock.nowMs()];
    const stalled = systemClock.nowMs() - appliedAtMs > APPLY_PATIENCE_MS;
    const until = stalled ? ends.kept : ends.applied;
    for await (const walked of walk(read, { after: place, until, limit: AT_ONCE })) {
      yield* walked.events;
      place = walked.place;
      if (stop.aborted) return;
    }
    await pause(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
