import type { ImportedSheet } from '../../../src/reconcile/sheet/import.ts';
import type { RefusedOutput } from '../../../src/reconcile/sheet/refused-output.ts';
import { note, noteText } from '../../show/output.ts';

/**
 * Writes the refused rows into a file that a person can mend and import; returns its path, null when there are none. The other
 * rows are applied by now, so that rows which cannot be written are printed on stderr instead, as CSV.
 */
export async function keepRefused(
  { file, write }: Pick<RefusedOutput, 'file' | 'write'>,
  { source, header, refused }: ImportedSheet,
): Promise<string | null> {
  if (refused.length === 0) return null;
  const { refusedFile } = await import('../../../src/reconcile/sheet/refused-file.ts');
  try {
    await write(await refusedFile(source, header, refused));
  } catch (error) {
    const rows = await refusedFile(source, header, refused, 'csv');
    note(`${file} could not be written (${error}). Save these refused rows as a CSV file, mend them, and import it:`);
    noteText(rows.toString());
    return null;
  }
  note(`Written: ${file}`);
  return file;
}
