import { existsSync } from 'node:fs';
import { UsageError } from '../../options/options.ts';

/** Endings of files that a spreadsheet writes; a CSV file is read. */
const SPREADSHEET = /\.(xlsx?|xlsm|xlsb|ods|numbers|tsv|tab)$/i;

/**
 * Refuses a typed reference that looks like the name of a file: tracked, it would be an expectation that nothing ever meets. A CSV
 * file may hold any reference.
 *
 * @throws UsageError
 */
export function refuseFileName(what: string): void {
  const why = SPREADSHEET.test(what)
    ? 'is a spreadsheet'
    : /[/\\]/.test(what)
      ? 'looks like a path'
      : what !== '' && /\s/.test(what.trim())
        ? 'has a blank in it'
        : existsSync(what)
          ? 'is a file or folder here'
          : null;
  if (why === null) return;
  throw new UsageError(
    `${JSON.stringify(what)} ${why}, and no reference.`,
    'Many references are read from FILE.csv; a reference with this name is tracked as a row of one.',
  );
}
