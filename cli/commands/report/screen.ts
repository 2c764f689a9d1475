import { printableLine } from '../../../src/domain/text/printable.ts';
import type { ShownReport } from '../../../src/reconcile/report/model.ts';
import { pageSections } from '../../../src/reconcile/report/sections/all.ts';
import type { Section } from '../../../src/reconcile/report/sections/section.ts';
import type { SheetCell } from '../../../src/reconcile/sheet/cells.ts';
import { bold, print, terminalWidth } from '../../show/output.ts';
import type { Sink } from '../../show/sink.ts';
import { type Column, layTable } from '../../show/table.ts';

/** Writes the parts of a report as tables, one below the other: on a terminal they fit its width. */
export async function writeScreen({ report, standing }: ShownReport, sink: Sink): Promise<void> {
  const [room, styled] = sink.isStdout ? [terminalWidth(), bold] : [Number.POSITIVE_INFINITY, String];
  const [heading, ...others] = pageSections(report, standing);
  const lines = heading === undefined ? [] : factLines(heading, styled);
  for (const section of others) lines.push('', styled(section.title), ...tableLines(section, room, styled));
  for (const line of lines) {
    if (sink.isStdout) print(line);
    else await sink.write(`${line}\n`);
  }
}

function factLines({ title, rows }: Section, styled: (text: string) => string): string[] {
  const width = Math.max(...rows.map(([name]) => cellText(name ?? null).length));
  const line = ([name, value]: readonly SheetCell[]) =>
    `${cellText(name ?? null).padEnd(width)}  ${cellText(value ?? null)}`;
  return [styled(title), ...rows.map((row) => printableLine(line(row)))];
}

function tableLines(
  { columns, rows, totals }: Section,
  room: number,
  styled: (text: string) => string,
): readonly string[] {
  const laid = columns.map(
    ({ header }, index): Column<readonly SheetCell[]> => ({
      header: header.toUpperCase(),
      value: (row) => cellText(row[index] ?? null),
      ...(isFigure(rows, index) && { align: 'right' as const }),
    }),
  );
  return layTable([...rows, ...totals], laid, { room, styled }).lines;
}

function isFigure(rows: readonly (readonly SheetCell[])[], index: number): boolean {
  return rows.some((row) => row[index]?.kind === 'amount' || row[index]?.kind === 'whole');
}

function cellText(cell: SheetCell): string {
  if (cell === null) return '';
  switch (cell.kind) {
    case 'whole':
      return String(cell.value);
    case 'day':
      return cell.day;
    default:
      return cell.text;
  }
}
