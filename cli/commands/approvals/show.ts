import { askedText } from '../../../src/access/request-words.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { happeningOf } from '../../../src/lists/happening.ts';
import { requestFacts, requestRowColumns } from '../../../src/lists/requests.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { terminalColumns, terminalFacts } from '../../show/list-columns.ts';
import { print, printFacts, printJson, printTable, printTitle } from '../../show/output.ts';
import { requestJson } from '../../show/request.ts';
import { isoTime } from '../../show/text.ts';

export const ID = { type: 'string', demandOption: true, describe: 'Its number in the list' } as const;

/** `tallyhook approvals show ID`: what will happen when another person says yes. */
export function addApprovalsShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one request: what will happen when another person says yes, row by row',
    (command) => command.positional('id', ID).example('$0 approvals show 3', 'Before you approve it'),
    async (argv) => {
      const id = requestNumber(argv.id);
      const { request, rows, happens } = await withArchive(argv, async (archive) => {
        const found = await archive.approval(id);
        if (found === null) throw noRequest(id);
        return {
          request: found,
          rows: await archive.approvalRows(id),
          happens: await happeningOf(archive, found.asked),
        };
      });
      const nowMs = systemClock.nowMs();
      if (argv.json) {
        const list = rows.map(({ key, digest, usedAtMs }) => ({ key, digest, usedAt: isoTime(usedAtMs) }));
        return printJson({ asOf: isoTime(nowMs), ...requestJson(request, nowMs), happens: happens.text, list });
      }
      printTitle(`Request ${id}: ${askedText(request.asked)}`);
      printFacts(terminalFacts(requestFacts(nowMs), request));
      print(`\n${happens.text}`);
      if (happens.facts.length > 0) printFacts(terminalFacts(happens.facts, null));
      print();
      printTable(rows, terminalColumns(requestRowColumns()));
    },
  );
}

/** The number of a request, as typed. @throws UsageError */
export function requestNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${JSON.stringify(text)} is not a number of a request.`, 'List them: tallyhook approvals list');
}

export function noRequest(id: number): TallyhookError {
  const hint = 'List them: tallyhook approvals list --closed';
  return new TallyhookError(`There is no request ${id}.`, { kind: 'not_found', hint });
}
