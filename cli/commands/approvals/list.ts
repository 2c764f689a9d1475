import { stateOf } from '../../../src/access/request-words.ts';
import { APPROVAL_STATES } from '../../../src/domain/access/approval.ts';
import { requestColumns } from '../../../src/lists/requests.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { oneOrMore, PAGE_OPTIONS, pageOf } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { differencesFound } from '../../show/output.ts';
import { requestJson } from '../../show/request.ts';
import { isoTime } from '../../show/text.ts';

/** `tallyhook approvals list`, also `tallyhook approvals`: requests that wait. Exit code 3 while one waits for a second person. */
export function addApprovalsListCommand(cli: Cli): Cli {
  return cli.command(
    ['list', '$0'],
    'List requests that wait for a second person, or to be carried out; exit code 3 while one waits',
    (command) =>
      command
        .option('state', oneOrMore(APPROVAL_STATES, 'Only in this state; also those that are over'))
        .option('closed', { type: 'boolean', default: false, describe: 'Also those that are over' })
        .options(PAGE_OPTIONS)
        .example('$0 approvals', 'What waits for me')
        .example('$0 approvals list --closed', 'What was asked for, and who said yes'),
    async (argv) => {
      const { state: states, closed } = argv;
      const filter = states === undefined ? { isOpen: !closed } : { states };
      const nowMs = systemClock.nowMs();
      await withArchive(argv, async (archive) => {
        const pages = pagesOf(
          pageOf(argv),
          (page) => archive.approvals(filter, page),
          () => archive.countApprovals(filter),
        );
        await printList(pages, argv, {
          seen: (request) => {
            if (stateOf(request, nowMs) === 'asked') differencesFound();
          },
          json: (request) => requestJson(request, nowMs),
          besides: () => ({ asOf: isoTime(nowMs) }),
          columns: terminalColumns(requestColumns(nowMs)),
          empty: closed || states !== undefined ? 'No requests.' : 'Nothing waits for a second person.',
        });
      });
    },
  );
}
