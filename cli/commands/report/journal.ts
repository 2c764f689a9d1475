import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { JOURNAL_GROUPINGS, type JournalGrouping } from '../../../src/domain/journal/words.ts';
import type { PeriodOrder } from '../../../src/reconcile/closing/facts.ts';
import { journalSettings, type NamedPeriod, namedPeriod } from '../../../src/reconcile/closing/order.ts';
import { journalCsv } from '../../../src/reconcile/journal/csv.ts';
import { hledgerText } from '../../../src/reconcile/journal/hledger.ts';
import { draftJournal, keptJournal, type PeriodJournal } from '../../../src/reconcile/journal/of-period.ts';
import { withoutBooks } from '../../../src/reconcile/journal/printed.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { RunSummary } from '../../../src/store/runs.ts';
import { withArchive } from '../../context/archive.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { withSink } from '../../show/sink.ts';
import { PERIOD_POSITIONAL, SET_OPTION } from '../period/named.ts';

/** `tallyhook report journal PERIOD`: entries for the merchant's ledger. */
export function addReportJournalCommand(cli: Cli): Cli {
  return cli.command(
    'journal <period>',
    'Write the entries of a closed period for your ledger, with their numbers',
    (command) =>
      command
        .positional('period', PERIOD_POSITIONAL)
        .options(SET_OPTION)
        .option('by', {
          choices: JOURNAL_GROUPINGS,
          describe: 'What the movements of one entry have in common [journal.by of the configuration]',
        })
        .option('format', {
          choices: ['csv', 'hledger'] as const,
          default: 'csv' as const,
          describe: 'CSV for other programs, or a plain text journal',
        })
        .option('without', {
          choices: ['books'] as const,
          describe: 'Leave out what your own books hold already: sales and refunds',
        })
        .option('draft', {
          type: 'boolean',
          default: false,
          describe: 'As it would be if the period were closed now, without numbers',
        })
        .option('out', { type: 'string', requiresArg: true, describe: 'File, replaced when it is whole' })
        .example('$0 report journal 2026-10 --out october.csv', 'For the accounting program')
        .example('$0 report journal 2026-10 --format hledger --out october.journal', 'Check it: hledger check -s')
        .example('$0 report journal 2026-11 --draft --by period', 'Before November is closed'),
    (argv) =>
      withArchive(argv, async (archive, config) => {
        if (argv.json) throw new UsageError('A journal is no JSON.', 'Give --format csv or --format hledger.');
        const text = await journalText(archive, config, argv);
        await withSink(argv.out, ({ write }) => write(text));
      }),
  );
}

export interface JournalArguments extends NamedPeriod {
  readonly by: JournalGrouping | undefined;
  readonly format: 'csv' | 'hledger';
  readonly without: 'books' | undefined;
  readonly draft: boolean;
}

/** The journal that is asked for, as its format writes it. @throws TallyhookError */
export async function journalText(archive: Archive, config: Config, argv: JournalArguments): Promise<string> {
  const order = await namedPeriod(argv, archive, config);
  const { by = null } = argv;
  const settings = { ...journalSettings(config), ...(by !== null && { by }) };
  const journal = argv.draft
    ? await draftJournal(archive, order, await lastRun(archive, order), settings)
    : await keptJournal(archive, order, by);
  return printed(argv.without === undefined ? journal : withoutItsBooks(journal), argv.format);
}

function withoutItsBooks(journal: PeriodJournal): PeriodJournal {
  return { ...journal, entries: withoutBooks(journal.entries) };
}

function printed({ period, entries, before }: PeriodJournal, format: 'csv' | 'hledger'): string {
  return format === 'csv' ? journalCsv(entries) : hledgerText({ period, entries, before });
}

/** @throws TallyhookError when no run has reconciled the days of the period */
async function lastRun(archive: Archive, { set, period, dayRule }: PeriodOrder): Promise<RunSummary> {
  const { from, to, name } = period;
  const run = await archive.runOfDays({ environment: set.environment, from, to, ...dayRule });
  if (run !== null) return run;
  throw new TallyhookError(`There is no run of exactly the days of ${name}.`, {
    ...{ kind: 'failed', hint: `Reconcile them: tallyhook reconcile --from ${from} --to ${to}` },
  });
}
