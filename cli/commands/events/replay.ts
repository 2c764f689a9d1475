import type { ApprovalRules } from '../../../src/domain/access/approval.ts';
import { IN_PROCESS_TARGET } from '../../../src/domain/forwarding/forward-target.ts';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { MOST_ASKED_ROWS } from '../../../src/store/approvals.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { type Cursor, type Stretch, walk } from '../../../src/store/cursor.ts';
import { withArchiveOf } from '../../context/archive.ts';
import { expectWithin, orAsk } from '../../context/asking.ts';
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

/** Events per transaction: it holds the write lock. */
const AT_ONCE = 100;

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
      const written = new Map<string, boolean>();
      const chosen: number[] = [];

      /** Hands on what is chosen, or only counts it. */
      const walkAll = (archive: Archive, until: Cursor, isTrial: boolean) => async () => {
        written.clear();
        chosen.length = 0;
        const read = (stretch: Stretch) => archive.nextEvents(filter, stretch);
        let replay: number | null = null;
        for await (const { events } of walk(read, { after: null, until, limit: AT_ONCE })) {
          const eventIds = events.map(({ id }) => id);
          const part = await operations.outbox.replay({ target, replay, eventIds, dryRun: isTrial, by });
          replay = part.replay;
          for (const one of part.events) written.set(one.key, one.written);
          if (chosen.length <= MOST_ASKED_ROWS) chosen.push(...eventIds);
          progress.step(written.size);
          if (stop.signal.aborted) return;
        }
      };

      const replayAll =
        (archive: Archive, until: Cursor, { replayRows }: ApprovalRules) =>
        async () => {
          if (!dryRun && replayRows !== null) {
            await walkAll(archive, until, true)();
            expectWithin('replay', countOf(written), replayRows);
          }
          await walkAll(archive, until, dryRun)();
          return true;
        };

      try {
        const isDone = await withArchiveOf(config, async (archive) => {
          await requireStatuses(argv.status, RECORD_KINDS, (status) => archive.events({ statuses: [status] }, ANY_ROW));
          const work = replayAll(archive, await archive.eventEnd(), await archive.approvalRules());
          return orAsk(work, argv, {
            ...{ by, ...operations },
            asked: () => ({ act: 'replay', order: { target, eventIds: [...chosen] } }),
          });
        });
        if (isDone === null) return;
      } finally {
        progress.end();
        stop.dispose();
        await operations.close();
      }
      const changed = countOf(written);
      const matched = written.size;
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

function countOf(written: ReadonlyMap<string, boolean>): number {
  return [...written.values()].filter((isWritten) => isWritten).length;
}
