import { daysBetween } from '../../../domain/reconciling/business-day.ts';
import { cellText } from '../../file/cell.ts';
import { cellOf, LOCKED_COLUMNS, type LockedColumn, type SheetException } from '../columns.ts';
import type { SheetRow } from './row.ts';
import { isSame } from './same.ts';

/** Returns the first locked column of a row that has another value than the exception; null: none. */
export function changedLock({ cells }: SheetRow, one: SheetException, today: string): LockedColumn | null {
  for (const column of LOCKED_COLUMNS) {
    const cell = cells[column];
    if (cell === undefined || isSame(cell, cellOf(column, one, today))) continue;
    if (column === 'age_days' && isEarlierAge(cellText(cell), one, today)) continue;
    return column;
  }
  return null;
}

/** An age grows by itself: the sheet was exported some days ago. */
function isEarlierAge(text: string, { firstSeen }: SheetException, today: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) < daysBetween(firstSeen, today);
}
