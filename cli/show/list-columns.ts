import type { ListColumn } from '../../src/lists/column.ts';
import type { Column } from './table.ts';
import { day, time, timeHeader, timeInColumn } from './text.ts';

/** The columns of a list for a terminal: headings in capitals, times in the zone of times. */
export function terminalColumns<Row>(columns: readonly ListColumn<Row>[]): Column<Row>[] {
  return columns.map(({ name, type, value, leaveOut, isBeside = false }) => {
    const isTime = type === 'time' || type === 'day';
    const header = name.replace(/^[^(]+/, (words) => words.toUpperCase()); // the name of a zone stays
    return {
      ...(isTime && !isBeside ? timeHeader(header) : { header }),
      value: isTime ? (row: Row) => timeText(value(row), type) : value,
      ...((type === 'count' || type === 'figure' || type === 'effect') && { align: 'right' as const }),
      ...(type === 'long' && { wraps: true }),
      ...(leaveOut !== undefined && { leaveOut }),
    };
  });
}

/** The columns of one row as facts; those without a value are left out. */
export function terminalFacts<Row>(columns: readonly ListColumn<Row>[], row: Row): [string, string][] {
  return columns.flatMap(({ name, type, value }): [string, string][] => {
    const shown = value(row);
    if (shown === null) return [];
    const isTime = type === 'time' && typeof shown === 'number';
    return [[name.toLowerCase(), isTime ? time(shown) : String(shown)]];
  });
}

/** Words stand where there is no time. */
function timeText(value: string | number | bigint | null, type: 'time' | 'day'): string | null {
  if (typeof value !== 'number') return value === null ? timeInColumn(null) : String(value);
  return type === 'day' ? day(value) : timeInColumn(value);
}
