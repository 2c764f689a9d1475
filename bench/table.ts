import type { Spread } from './statistics.ts';

/** A Markdown table with aligned columns: the first is text, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** `12,345` */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function digits(value: number, count = 2): string {
  return Number.isFinite(value) ? value.toFixed(count) : '-';
}

/** `12,345 (11,000 to 13,000)` */
export function withSpread({ median, min, max }: Spread, format: (value: number) => string): string {
  return `${format(median)} (${format(min)} to ${format(max)})`;
}

export function megabytes(bytes: number): string {
  return `${whole(bytes / 1024 / 1024)} MB`;
}
