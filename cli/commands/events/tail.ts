import { setTimeout as pause } from 'node:timers/promises';
import type { Archive } from '../../../src/store/archive.ts';
import type { EventFilter } from '../../../src/store/events.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { EVENT_FILTERS, eventFilter } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { eventJson, eventLine } from '../../show/event.ts';
import { note, print, printJsonLine } from '../../show/output.ts';

const POLL_MS = 200;
const PAGE = 500;
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
        const { lastId } = await archive.highWater();
        if (argv.since === undefined) note(`Following after event ${lastId}; Ctrl-C ends it.`);
        const events = follow(archive, filter, argv.since === undefined ? lastId : 0, stop.signal);
        for await (const event of events) {
          if (argv.json) await printJsonLine(eventJson(event));
          else print(eventLine(event));
        }
      });
    },
  );
}

async function* follow(archive: Archive, filter: EventFilter, fromId: number, stop: AbortSignal) {
  let afterId = fromId;
  let [appliedId, appliedAtMs] = [0, systemClock.nowMs()];
  while (!stop.aborted) {
    const water = await archive.highWater();
    if (water.appliedId > appliedId || water.lastId <= afterId) {
      [appliedId, appliedAtMs] = [water.appliedId, systemClock.nowMs()];
    }
    const stalled = systemClock.nowMs() - appliedAtMs > APPLY_PATIENCE_MS;
    const untilId = stalled ? water.lastId : Math.min(water.appliedId, water.lastId);
    while (afterId < untilId && !stop.aborted) {
      const page = await archive.events(filter, { afterId, untilId, limit: PAGE, order: 'oldest' });
      yield* page;
      afterId = page.length < PAGE ? untilId : (page.at(-1)?.id ?? untilId);
    }
    await pause(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
