import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { expectationFindings, expectedColumns } from '../../../src/lists/expected.ts';
import type { ExpectationFilter, ExpectationSummary } from '../../../src/store/tracking.ts';
import { withArchive } from '../../context/archive.ts';
import { COMMON_FILTERS, PAGE_OPTIONS, pageOf } from '../../options/filters.ts';
import { FORMAT_OPTION, refuseTwoFormats } from '../../options/format.ts';
import type { Cli } from '../../options/options.ts';
import { amountCell, type CsvColumns, csvForm } from '../../show/csv.ts';
import { summaryJson } from '../../show/expectation.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { differencesFound } from '../../show/output.ts';
import { deadline, time } from '../../show/text.ts';

/** `tallyhook track list`: lists expectations and their state. */
export function addTrackListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List expectations: met, unmet or overdue; exit code 3 when one is overdue or contradicted',
    (command) =>
      command
        .options({
          environment: COMMON_FILTERS.environment,
          reference: COMMON_FILTERS.reference,
          ...PAGE_OPTIONS,
          ...FORMAT_OPTION,
        })
        .option('kind', { choices: RECORD_KINDS, describe: 'Only of this kind' })
        .option('open', { type: 'boolean', default: false, describe: 'Only those that are not met' })
        .example('$0 track list --open', 'Not seen, or seen with other values'),
    async (argv) => {
      refuseTwoFormats(argv);
      const filter = filterOf(argv);
      await withArchive(argv, (archive) =>
        printList(
          pagesOf(
            pageOf(argv),
            (page) => archive.expectations(filter, page),
            () => archive.countExpectations(filter),
          ),
          argv,
          {
            seen: ({ findings }) => {
              if (findings.length > 0) differencesFound();
            },
            json: summaryJson,
            columns: terminalColumns(expectedColumns(TIMES)),
            csv: csvForm(CSV_COLUMNS),
            empty: argv.open ? 'Every expectation is met.' : 'No expectations match.',
          },
        ),
      );
    },
  );
}

type ExpectationListArguments = { readonly [Name in keyof ExpectationFilter]-?: ExpectationFilter[Name] | undefined };

function filterOf({ environment, kind, reference, open }: ExpectationListArguments): ExpectationFilter {
  return {
    ...(environment !== undefined && { environment }),
    ...(kind !== undefined && { kind }),
    ...(reference !== undefined && { reference }),
    ...(open !== undefined && { open }),
  };
}

/** How this command shows times. */
const TIMES = { time, deadline };

const CSV_COLUMNS: CsvColumns<ExpectationSummary> = {
  id: ({ id }) => String(id),
  environment: ({ environment }) => environment,
  kind: ({ kind }) => kind,
  reference: ({ reference }) => reference,
  amount: ({ amount }) => amountCell(amount),
  currency: ({ currency }) => currency,
  due: ({ expectedByMs }) => (expectedByMs === null ? null : deadline(expectedByMs)),
  state: ({ state }) => state,
  reported: ({ reported }) => reported,
  confirmed: ({ confirmed }) => confirmed,
  findings: (one) => expectationFindings(one, TIMES),
  tracked_at: ({ trackedAtMs }) => time(trackedAtMs),
};
