import { ENVIRONMENTS } from '../../../src/domain/environment.ts';
import { FINDING_CODES } from '../../../src/domain/findings/finding.ts';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { findingColumns, findingSentence } from '../../../src/lists/findings.ts';
import type { FindingFilter, OpenFinding } from '../../../src/store/records.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { oneOrMore, PAGE_OPTIONS, pageOf, REVEAL_OPTION } from '../../options/filters.ts';
import { FORMAT_OPTION, refuseTwoFormats } from '../../options/format.ts';
import type { Cli } from '../../options/options.ts';
import { type CsvColumns, csvForm, timeCell } from '../../show/csv.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { differencesFound } from '../../show/output.ts';
import { findingJson, type Shown } from '../../show/record.ts';
import { deadline, time } from '../../show/text.ts';

/** `tallyhook findings list`, also `tallyhook findings`: lists findings. Exit code 3 when one of them is open. */
export function addFindingsListCommand(cli: Cli): Cli {
  return cli.command(
    ['list', '$0'],
    'List what must be cleared up, the newest first',
    (command) =>
      command
        .option('environment', { choices: ENVIRONMENTS, describe: 'Only this environment' })
        .option('kind', oneOrMore(RECORD_KINDS, 'Only of records of this kind'))
        .option('code', oneOrMore(FINDING_CODES, 'Only of this code'))
        .option('reference', { type: 'string', requiresArg: true, describe: 'Only of this record' })
        .option('closed', { type: 'boolean', default: false, describe: 'Also closed findings' })
        .options({ ...PAGE_OPTIONS, ...REVEAL_OPTION, ...FORMAT_OPTION })
        .example('$0 findings --environment live', 'Open findings of the live environment'),
    async (argv) => {
      refuseTwoFormats(argv);
      const filter = filterOf(argv);
      await withArchive(argv, (archive) =>
        printList(
          pagesOf(
            pageOf(argv),
            (page) => archive.findings(filter, page),
            () => archive.countFindings(filter),
          ),
          argv,
          {
            seen: ({ closedAtMs }) => {
              if (closedAtMs === null) differencesFound();
            },
            keyOf: ({ id }) => `finding:${id}`,
            json: (finding) => findingJson(finding, argv),
            columns: terminalColumns(
              findingColumns({ ...argv, nowMs: systemClock.nowMs(), times: { time, deadline } }),
            ),
            csv: csvForm(csvColumns(argv)),
            empty: argv.closed ? 'No findings.' : 'No open findings.',
          },
        ),
      );
    },
  );
}

function filterOf({ environment, kind, code, reference, closed }: FindingListArguments): FindingFilter {
  return {
    closed,
    ...(environment !== undefined && { environment }),
    ...(kind !== undefined && { kinds: kind }),
    ...(code !== undefined && { codes: code }),
    ...(reference !== undefined && { reference }),
  };
}

interface FindingListArguments {
  readonly environment: FindingFilter['environment'] | undefined;
  readonly kind: FindingFilter['kinds'] | undefined;
  readonly code: FindingFilter['codes'] | undefined;
  readonly reference: string | undefined;
  readonly closed: boolean;
}

function csvColumns(shown: Shown): CsvColumns<OpenFinding> {
  return {
    id: ({ id }) => String(id),
    environment: ({ environment }) => environment,
    kind: ({ kind }) => kind,
    reference: ({ reference }) => reference,
    code: ({ code }) => code,
    field: ({ subject }) => subject,
    detail: (finding) => findingSentence(finding, shown, { time, deadline }),
    opened_at: ({ openedAtMs }) => timeCell(openedAtMs),
    closed_at: ({ closedAtMs }) => timeCell(closedAtMs),
  };
}
