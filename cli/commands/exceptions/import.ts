import type { ImportOrder } from '../../../src/reconcile/sheet/import.ts';
import type { RefusedOutput } from '../../../src/reconcile/sheet/refused-output.ts';
import { operationsOf } from '../../context/operations.ts';
import type { Cli } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf } from '../../options/person.ts';
import { differencesFound, note, printJson } from '../../show/output.ts';
import { printImported, sheetJson } from '../../show/sheet.ts';
import { withQueue } from './queue.ts';
import { keepRefused } from './refused.ts';

/** `tallyhook exceptions import FILE`: takes back the spreadsheet of an export. Exit code 3 when rows were refused. */
export function addExceptionsImportCommand(cli: Cli): Cli {
  return cli.command(
    'import <file>',
    'Take back a spreadsheet; exit code 3 when rows were refused',
    (command) =>
      command
        .positional('file', { type: 'string', demandOption: true, describe: 'CSV or XLSX file of exceptions export' })
        .options({
          as: PERSON_OPTIONS.as,
          'dry-run': { type: 'boolean', default: false, describe: 'Show every change; write nothing' },
          'all-or-nothing': { type: 'boolean', default: false, describe: 'Change nothing when a row is refused' },
          refused: {
            type: 'string',
            requiresArg: true,
            describe: 'File for the refused rows, to mend [FILE.refused.csv or FILE.refused.xlsx]',
          },
        })
        .example('$0 exceptions import october.xlsx --dry-run', 'What it would change')
        .example('$0 exceptions import october.xlsx', 'A second import of the same file changes nothing'),
    async (argv) => {
      const by = personOf(argv);
      const { importSheet } = await import('../../../src/reconcile/sheet/import.ts');
      const { refusedOutput } = await import('../../../src/reconcile/sheet/refused-output.ts');
      await withQueue(argv, async (archive, config, { today }) => {
        const { dryRun: isDry, allOrNothing, file: path } = argv;
        const operations = await operationsOf(config);
        let output: RefusedOutput | undefined;
        const prepare: ImportOrder['prepare'] = async ({ source, ...of }) => {
          output = await refusedOutput(argv.refused ?? `${path}.refused.${source.format}`, of);
        };
        const onWait = () => note(`Another process imports ${path}: waiting for its end.`);
        const order = { path, by, isDry, allOrNothing, reasons: config.exceptions.reasons, today, prepare, onWait };
        try {
          const imported = await importSheet(order, archive, operations.exceptions);
          const refusedFile = output === undefined ? null : await keepRefused(output, imported);
          if (argv.json) printJson(sheetJson(imported, { path, refusedFile }));
          else printImported(imported, { path, isDry, refusedFile });
          if (imported.refused.length > 0) differencesFound();
        } finally {
          await output?.close();
          await operations.close();
        }
      });
    },
  );
}
