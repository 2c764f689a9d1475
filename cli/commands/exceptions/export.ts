import { everyException } from '../../../src/reconcile/exceptions/queue.ts';
import { SHEET_FORMATS, type SheetFormat } from '../../../src/reconcile/sheet/columns.ts';
import { EXCEPTION_FILTERS, exceptionFilter } from '../../options/exception-filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { printJson } from '../../show/output.ts';
import { writeFileOf } from '../../show/sink.ts';
import { exportClaims } from './claims.ts';
import { withQueue } from './queue.ts';

/** `tallyhook exceptions export --out FILE`: the queue as a spreadsheet to fill, or the claims of a period as files to send. */
export function addExceptionsExportCommand(cli: Cli): Cli {
  return cli.command(
    'export',
    'Write them into a spreadsheet to fill, or the claims of a period into files to send',
    (command) =>
      command
        .options(EXCEPTION_FILTERS)
        .option('format', { choices: SHEET_FORMATS, describe: 'Of the spreadsheet [by the name of the file]' })
        .option('claims', {
          type: 'string',
          requiresArg: true,
          describe: 'Instead of a spreadsheet: the claims of this period, a CSV file per currency',
        })
        .option('out', {
          type: 'string',
          requiresArg: true,
          demandOption: true,
          describe: 'File, replaced when it is whole; with --claims a folder',
        })
        .example('$0 exceptions export --out october.xlsx', 'Fill the columns without shade, then: exceptions import')
        .example('$0 exceptions export --claims 2026-10 --out claims', 'What the service owes, to send'),
    async (argv) => {
      if (argv.claims !== undefined) return exportClaims({ ...argv, claims: argv.claims });
      const format = formatOf(argv);
      const { refuseTooMany, sheetFile } = await import('../../../src/reconcile/sheet/export.ts');
      await withQueue(argv, async (archive, config, { today, bounds }) => {
        const filter = { ...exceptionFilter(argv, today), ...(argv.overdue && { overdue: bounds }) };
        const totals = await archive.exceptionTotals(filter);
        refuseTooMany(
          totals.reduce((sum, { count }) => sum + count, 0),
          format,
        );
        const exceptions = await everyException(archive, filter);
        await writeFileOf(argv.out, await sheetFile({ exceptions, today, reasons: config.exceptions.reasons }, format));
        if (argv.json) printJson({ file: argv.out, format, exceptions: exceptions.length });
      });
    },
  );
}

/** @throws UsageError when neither --format nor the name of the file says it */
function formatOf({ format, out }: { readonly format: SheetFormat | undefined; readonly out: string }): SheetFormat {
  const named = SHEET_FORMATS.find((one) => out.toLowerCase().endsWith(`.${one}`));
  if (format !== undefined && named !== undefined && named !== format) {
    throw new UsageError(`--format is ${format}, and --out ${out} is named ${named}: give one of them.`);
  }
  const found = format ?? named;
  if (found !== undefined) return found;
  throw new UsageError(`--out ${out} does not say which format.`, 'Add --format xlsx or --format csv.');
}
