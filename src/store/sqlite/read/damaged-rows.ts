import type { ArchiveOptions } from '../../archive.ts';
import type { Database } from '../engine/database.ts';
import { damagedRow } from '../engine/row-sums.ts';

type MaybeDamaged = { readonly damaged?: string | null };

export type DamagedRows = ReturnType<typeof damagedRows>;

/** Compares the rows that are shown with their sums, where the caller asks for it. */
export function damagedRows(database: Database, onDamage: ArchiveOptions['onDamage']) {
  return {
    /** A further column of a SELECT; `key`: its column that is the key of `table`. */
    column: (table: string, key: string): string =>
      onDamage === undefined ? '' : `, ${damagedRow(database, table, key)} AS damaged`,

    /** Reports a damaged row; returns the row without the further column. */
    reported<Row extends object>(row: Row): Row {
      if (onDamage === undefined) return row;
      const { damaged, ...shown } = row as Row & MaybeDamaged;
      if (typeof damaged === 'string') onDamage(damaged);
      return shown as Row;
    },
  };
}
