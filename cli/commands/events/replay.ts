import { EventReplay } from '../../../src/access/replaying.ts';
import { IN_PROCESS_TARGET } from '../../../src/domain/forwarding/forward-target.ts';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { withArchiveOf } from '../../context/archive.ts';
import { orAsk } from '../../context/asking.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { stopSignal } from '../../context/stop-signal.ts';
import { EVENT_FILTERS, eventFilter } from '../../options/filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf, REASON_OPTION } from '../../options/person.ts';
import { ANY_ROW, requireStatuses } from '../../options/statuses.ts';
import { namedTarget } from '../../options/targets.ts';
import { calendarOf } from '../../options/when.ts';
import { answeredNo, note, print, printJson } from '../../show/output.ts';
import { progressBar } from '../../show/progress.ts';

/** `tallyhook events replay`: hands news about chosen events on again, under new ids. Nothing is applied again. */
export function addEventsReplayCommand(cli: Cli): Cli {
  return cli.command(
    'replay',
    'Hand news about these events on again to one target, under new ids; nothing is applied again',
    (command) =>
      command
        .options(EVENT_FILTERS)
        .option('target', { type: 'string', requiresArg: true, describe: 'The target that gets it' })
        .option('dry-run', {
          type: 'boolean',
          default: false,
          describe: 'Count what would be handed on; write nothing',
        })
        .option('as', PERSON_OPTIONS.as)
        .options(REASON_OPTION)
        .option('yes', { type: 'boolean', hidden: true, describe: 'Accepted as by outbox retry; a replay needs none' })
        .example('$0 events replay --target shop --since 2026-11-01', 'The past, for a new target')
        .example('$0 events replay --target shop --reference RFD_1', 'The last news of one record'),
    async (argv) => {
      const by = personOf(argv);
      const config = await configFrom(argv);
      const filter = eventFilter(argv, calendarOf(config));
      const { target, dryRun } = argv;
      if (target === undefined) throw new UsageError('Nothing was done: events replay needs --target.');
      if (Object.keys(filter).length === 0)
        throw new UsageError('Nothing was done: events replay needs a filter.', 'For everything: --since 2000-01-01');
      if (target !== IN_PROCESS_TARGET) namedTarget(target, config);
      const stop = stopSignal('the replay ends after the current events; what is written is handed on');
      const progress = progressBar(null, 'events');
      const operations = await operationsOf(config);
      let replay: EventReplay | null = null;
      try {
        replay = await withArchiveOf(config, async (archive) => {
          await requireStatuses(argv.status, RECORD_KINDS, (status) => archive.events({ statuses: [status] }, ANY_ROW));
          const chosen = new EventReplay({
            ...{ archive, outbox: operations.outbox, target, filter, by, signal: stop.signal },
            onProgress: (matched) => progress.step(matched),
          });
          const work = async () => {
            await (dryRun ? chosen.look() : chosen.handOn());
            return chosen;
          };
          return orAsk(work, argv, {
            ...{ by, ...operations },
            asked: () => ({ act: 'replay', order: { target, eventIds: [...chosen.chosen] } }),
          });
        });
        if (replay === null) return;
      } finally {
        progress.end();
        stop.dispose();
        await operations.close();
      }
      const { matched, changed } = replay;
      if (argv.json) printJson({ matched, changed, skipped: matched - changed, dryRun });
      else
        print(
          `${changed} of ${matched} ${dryRun ? 'would be' : changed === 1 ? 'is' : 'are'} handed on to ${target} again`,
        );
      if (stop.signal.aborted) {
        note('Stopped: there are more events.');
        answeredNo();
      }
    },
  );
}
