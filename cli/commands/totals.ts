import { formatAmount } from '../../src/domain/money/amount.ts';
import { totalsColumns } from '../../src/lists/totals.ts';
import {
  type PeriodTotal,
  periodTotals,
  TOTALS_BY,
  type TotalsBy,
} from '../../src/reconcile/witnesses/period-totals.ts';
import { withArchive } from '../context/archive.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { kindsOf, PERIOD_OPTIONS, periodIn, WHAT } from '../options/period.ts';
import { SUMMARY } from '../overview.ts';
import { amountCell, type Cell, csvLines } from '../show/csv.ts';
import { terminalColumns } from '../show/list-columns.ts';
import { printJson, printTable, writeText } from '../show/output.ts';

/** `tallyhook totals`: how many records of a period, and how much. */
export function addTotalsCommand(cli: Cli): Cli {
  return cli.command(
    'totals [what]',
    SUMMARY.totals,
    (command) =>
      command
        .positional('what', { choices: WHAT, default: 'all' as const, describe: 'Which records' })
        .options(PERIOD_OPTIONS)
        .option('by', { choices: TOTALS_BY, default: 'status' as const, describe: 'What the rows are' })
        .option('format', { choices: ['table', 'csv'] as const, default: 'table' as const, describe: 'Of stdout' })
        .example('$0 totals --from 2026-10-01 --to 2026-10-31', 'October by status')
        .example('$0 totals collections --by day --from 2026-10-01 --to 2026-10-31 --format csv', 'For a spreadsheet'),
    async (argv) => {
      const { what, by, format, json } = argv;
      if (json && format === 'csv') throw new UsageError('--json and --format csv: give one of them.');
      await withArchive(argv, async (archive, config) => {
        const period = periodIn(argv, config);
        const totals = await periodTotals(archive, { ...period, kinds: kindsOf(what), by });
        if (format === 'csv') return writeText(csvOf(totals, by));
        if (!json) return printTable(totals, terminalColumns(totalsColumns(by)), 'No records in this period.');
        const { from, to, dayRule, environment = null } = period;
        printJson({ from, to, zone: dayRule.zone, environment, by, totals: totals.map(totalJson) });
      });
    },
  );
}

function totalJson({ total, succeededTotal, ...one }: PeriodTotal) {
  return { ...one, total: formatAmount(total), succeededTotal: formatAmount(succeededTotal) };
}

function csvOf(totals: readonly PeriodTotal[], by: TotalsBy): string {
  const names = [
    'environment',
    'kind',
    'currency',
    by === 'currency' ? null : by,
    'records',
    'without_amount',
    'total',
  ];
  const header = [...names, 'succeeded', 'succeeded_total'].filter((name) => name !== null);
  const rows = totals.map((one): Cell[] => [
    one.environment,
    one.kind,
    one.currency,
    ...(by === 'currency' ? [] : [one.value]),
    one.records,
    one.withoutAmount,
    amountCell(one.total),
    one.succeeded,
    amountCell(one.succeededTotal),
  ]);
  return csvLines([header, ...rows]);
}
