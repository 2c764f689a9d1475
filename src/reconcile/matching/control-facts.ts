import { amountOfMinor } from '../../domain/money/amount.ts';
import type { BreakFacts } from '../../domain/reconciling/break.ts';
import type { ControlCheck } from '../../domain/statements/statement.ts';
import { FILE } from './file-items.ts';

/** The break of a total or balance that a file states, and its lines do not make. It names the file and the cell, as the import does. */
export function controlFacts(
  file: string,
  { control, stated, computed, cell, row }: Omit<ControlCheck, 'currency'>,
): BreakFacts {
  const isMoney = control !== 'rows';
  const rows = row === null ? `row ${cell.row}` : `from row ${row} on`;
  return {
    ...FILE,
    code: 'control_mismatch',
    field: control,
    ours: isMoney ? amountOfMinor(computed) : String(computed),
    theirs: isMoney ? amountOfMinor(stated) : String(stated),
    detail: `${file}, ${rows}, column ${cell.column}`,
  };
}
