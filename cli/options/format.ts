import { UsageError } from './options.ts';

// `--format` of the lists that have a CSV form.

export const FORMAT_OPTION = {
  format: {
    choices: ['table', 'csv'] as const,
    default: 'table' as const,
    describe: 'Of stdout; csv: for a spreadsheet',
  },
} as const;

/** @throws UsageError */
export function refuseTwoFormats({ json, format }: { json: boolean | undefined; format: 'table' | 'csv' }): void {
  if (json && format === 'csv') throw new UsageError('--json and --format csv: give one of them.');
}
