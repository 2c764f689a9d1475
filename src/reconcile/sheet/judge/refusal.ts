import type { ActRefusal } from '../../../store/exceptions.ts';
import type { SheetColumn } from '../columns.ts';

/** Why a row is refused, in the order in which it is asked: the first that holds is the reason. */
export const ROW_REFUSALS = [
  'unreadable',
  'formula',
  'unknown_id',
  'duplicate',
  'stale',
  'locked',
  'unknown_word',
  'missing',
  'state',
  'period_closed',
] as const;
export type RowRefusal = (typeof ROW_REFUSALS)[number] | ActRefusal;

/** What helps a refused row: its cells are mended, it is exported anew, or a person acts on its exception or period first. */
export type Remedy = 'mend' | 'export' | 'act';
export const REMEDIES = {
  unreadable: 'mend',
  formula: 'mend',
  unknown_id: 'export',
  duplicate: 'mend',
  // Its version alone is no remedy: the other columns are as old.
  stale: 'export',
  locked: 'mend',
  unknown_word: 'mend',
  missing: 'mend',
  state: 'act',
  person: 'act',
  period_closed: 'act',
} as const satisfies Record<RowRefusal, Remedy>;

/** A row that changes nothing, and says why. */
export interface Refusal {
  /** As a spreadsheet shows it. */
  readonly row: number;
  /** As read; null: the cell is empty. */
  readonly id: string | null;
  /** Where the reason stands; null: the row as a whole. */
  readonly column: SheetColumn | null;
  /** What stands there. */
  readonly value: string | null;
  readonly reason: RowRefusal;
  /** Of `stale`: who changed the exception, and when. */
  readonly who: string | null;
  readonly atMs: number | null;
  /** What is wrong, and what to do. */
  readonly message: string;
}
