import { kindsWithoutEndpoint } from '../../src/confirm/endpoints.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { withArchive } from '../context/archive.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { asAtIn, kindsOf, PERIOD_OPTIONS, periodIn, WHAT } from '../options/period.ts';
import { calendarOf } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { differencesFound } from '../show/output.ts';
import { withSink } from '../show/sink.ts';
import { writeReconciliation } from './reconcile/write.ts';

const FORMATS = ['table', 'json', 'csv'] as const;

/** `tallyhook reconcile`: compares what webhooks reported with what the service confirmed. Exit code 3 when there are breaks. */
export function addReconcileCommand(cli: Cli): Cli {
  return cli.command(
    'reconcile [what]',
    SUMMARY.reconcile,
    (command) =>
      command
        .positional('what', { choices: WHAT, default: 'all' as const, describe: 'Which records' })
        .options(PERIOD_OPTIONS)
        .option('as-at', {
          type: 'string',
          requiresArg: true,
          describe: 'Only what was known then: a date (its end) or a time [now]',
        })
        .option('format', { choices: FORMATS, describe: 'Of the report [table; --json is --format json]' })
        .option('out', {
          type: 'string',
          requiresArg: true,
          describe: 'File for the report, replaced when it is whole',
        })
        .example('$0 reconcile --from 2026-10-01 --to 2026-10-31', 'October, by everything known now')
        .example(
          '$0 reconcile refunds --from 2026-10-01 --to 2026-10-31 --as-at 2026-11-02',
          'As it was known on 2 November',
        )
        .example('$0 reconcile --from 2026-10-01 --to 2026-10-31 --format csv --out october.csv', 'For a spreadsheet'),
    async (argv) => {
      const { what, json, format = json ? 'json' : 'table' } = argv;
      if (json && format !== 'json') throw new UsageError(`--json and --format ${format}: give one of them.`);
      await withArchive(argv, async (archive, config) => {
        const period = periodIn(argv, config);
        const zone = period.dayRule.zone;
        const order = {
          ...period,
          kinds: kindsOf(what),
          asAtMs: asAtIn(argv.asAt, { ...calendarOf(config), zone }),
          withoutEndpoint: kindsWithoutEndpoint(config),
        };
        const result = await reconcile(archive, order);
        await withSink(argv.out, (sink) => writeReconciliation({ archive, result, format, sink }));
        if (result.breaks.length > 0) differencesFound();
      });
    },
  );
}
