import type { Environment } from '../../../domain/environment.ts';

// What a page is made of: sections of blocks, a block with a table and, where it helps, a chart of the same figures.

export interface Cell {
  readonly text: string;
  /** The id on this page of what the figure is made of. */
  readonly to?: string | undefined;
  /** `bad`: it needs attention. */
  readonly mark?: 'good' | 'bad' | undefined;
}

export interface Column {
  readonly name: string;
  /** `head` names its row; a day is one word; amounts and counts stand on the right. */
  readonly as: 'head' | 'text' | 'day' | 'figure' | 'digest';
}

export interface Table {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that add the others up. */
  readonly totals?: readonly (readonly Cell[])[];
}

export interface Block {
  readonly id?: string;
  readonly title: string | null;
  readonly chart: string | null;
  readonly table: Table;
  /** The table is folded on a screen; on paper it is not. */
  readonly isFolded?: boolean;
  readonly note?: string | null;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  /** Where to look further: a command. */
  readonly command?: string;
  readonly blocks: readonly Block[];
  /** What stands there without any block. */
  readonly nothing: string;
}

export const head = (name: string): Column => ({ name, as: 'head' });
export const word = (name: string): Column => ({ name, as: 'text' });
export const day = (name: string): Column => ({ name, as: 'day' });
export const figure = (name: string): Column => ({ name, as: 'figure' });
export const digest = (name: string): Column => ({ name, as: 'digest' });

export function cell(text: string, more: Omit<Cell, 'text'> = {}): Cell {
  return { text, ...more };
}

/** Cells of a row in the order of its columns; text alone is a cell without a link or a mark. */
export function row(...cells: readonly (Cell | string)[]): readonly Cell[] {
  return cells.map((one) => (typeof one === 'string' ? { text: one } : one));
}

interface Place {
  readonly environment: Environment;
  readonly account?: string | null;
  readonly currency: string | null;
}

/** `wallet-main, NGN`; with its environment in a report of both; without `account` the currency alone. */
export function placeName({ environment, account, currency }: Place, only: Environment | null): string {
  const names = [
    account === null ? 'no account' : (account ?? null),
    currency ?? 'no currency',
    only === null ? environment : null,
  ];
  return names.filter((name) => name !== null).join(', ');
}

/** Groups of one environment and currency, in the order of their first rows. */
export function byCurrency<Row extends Place>(rows: readonly Row[]): (readonly Row[])[] {
  return [...Map.groupBy(rows, ({ environment, currency }) => JSON.stringify([environment, currency])).values()];
}
