import { REPORT_FORMATS } from '../../../src/reconcile/report/render.ts';
import { UsageError } from '../../options/options.ts';

const FORMATS = ['table', ...REPORT_FORMATS] as const;

export const REPORT_OPTIONS = {
  format: { choices: FORMATS, describe: 'Of the report [table; --json is --format json]' },
  out: { type: 'string', requiresArg: true, describe: 'File for the report, replaced when it is whole' },
  'split-by': {
    choices: ['currency'] as const,
    describe: 'A file for each currency, with its code in the name; needs --out',
  },
} as const;

interface ReportArguments {
  readonly json: boolean | undefined;
  readonly format: (typeof FORMATS)[number] | undefined;
  readonly out: string | undefined;
  readonly splitBy: 'currency' | undefined;
}

/** How a report is written. */
export interface Paper {
  readonly format: (typeof FORMATS)[number];
  /** Missing: stdout. */
  readonly out: string | undefined;
  readonly isSplit: boolean;
}

/** @throws UsageError for options that contradict each other */
export function paperOf({ json, out, splitBy, ...argv }: ReportArguments): Paper {
  const { format = json ? 'json' : 'table' } = argv;
  if (json && format !== 'json') throw new UsageError(`--json and --format ${format}: give one of them.`);
  if (splitBy !== undefined && out === undefined)
    throw new UsageError('--split-by currency writes several files.', 'Give their name, such as --out month.xlsx.');
  if (format === 'xlsx' && out === undefined && process.stdout.isTTY === true)
    throw new UsageError('A terminal cannot show XLSX.', 'Give a file, such as --out month.xlsx.');
  return { format, out, isSplit: splitBy !== undefined };
}
