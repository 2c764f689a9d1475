import type { Column } from './table.ts';

/** A row of a balance proof; amounts are decimal text. */
interface ProofRow {
  readonly name: string;
  readonly ours: string;
  readonly theirs: string;
  readonly difference: string;
}

export const PROOF_COLUMNS: readonly Column<ProofRow>[] = [
  { header: '', value: ({ name }) => name.replace('_', ' ') },
  { header: 'BY US', value: ({ ours }) => ours, align: 'right' },
  { header: 'BY THE STATEMENT', value: ({ theirs }) => theirs, align: 'right' },
  { header: 'DIFFERENCE', value: ({ difference }) => difference, align: 'right' },
];

/** Returns opening, closing, and the rows in which something moved. */
export function movedRows<Row extends ProofRow>(rows: readonly Row[]): Row[] {
  const isEnd = (name: string) => name === 'opening' || name === 'closing';
  return rows.filter(({ name, ours, theirs }) => isEnd(name) || ours !== '0.00' || theirs !== '0.00');
}
