import type { PlacedLine, StatementArchive } from '../../statements.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { LINE_COLUMNS, type LineRow, lineFromRow } from '../rows/statement-lines.ts';
import { type IdRange, scan } from './scan.ts';

interface PlacedRow extends LineRow {
  readonly id: bigint;
  readonly statement_id: bigint;
  readonly imported_at: bigint;
  readonly account_name: string;
  readonly kind: PlacedLine['account']['kind'];
  readonly environment: PlacedLine['account']['environment'];
}

/** Reads single lines, each with its place. */
export function placedLineReads(
  database: Database,
): Pick<StatementArchive, 'lineAt' | 'linesNaming' | 'linesNamingAny'> {
  const columns = `l.id, l.statement_id, l.row, l.balance_minor, l.account_name, l.kind, l.environment,
    (SELECT imported_at FROM imported_statements WHERE id = l.statement_id) AS imported_at,
    ${LINE_COLUMNS.map((column) => `l.${column}`).join(', ')}`;
  // The ids come first, from the table: a filter on the view would be carried out on every column of each line.
  const idsWhere = (condition: string) =>
    database
      .prepare<IdRange & { wanted: string; limit: number }, number>(`
        SELECT id FROM imported_lines WHERE id BETWEEN @first AND @last AND (${condition}) ORDER BY id LIMIT @limit`)
      .pluck();
  const naming = idsWhere('reference = @wanted OR session_id = @wanted OR transaction_reference = @wanted');
  const anyOf = '(SELECT value FROM json_each(@wanted))';
  const namingAny = idsWhere(`reference IN ${anyOf} OR session_id IN ${anyOf} OR transaction_reference IN ${anyOf}`);
  const shown = database
    .prepare<[number], PlacedRow>(`SELECT ${columns} FROM statement_lines l WHERE l.id = ?`)
    .safeIntegers();
  const idAt = database
    .prepare<{ statement: number; row: number }, number>(`
      SELECT id FROM imported_lines WHERE statement_id = @statement AND row = @row
      UNION ALL SELECT line_id FROM imported_overlaps WHERE statement_id = @statement AND row = @row`)
    .pluck();
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM imported_lines').pluck();

  const lineOf = (id: number): PlacedLine | null => {
    const row = shown.get(id);
    return row === undefined ? null : placedFromRow(row);
  };
  const all = guarded(database, (): IdRange => ({ first: 1, last: lastId.get() ?? 0 }));
  const found = (ids: typeof naming) =>
    guarded(database, (wanted: string, range: IdRange, limit: number) =>
      ids.all({ wanted, ...range, limit }).flatMap((id) => lineOf(id) ?? []),
    );
  const [within, withinAny] = [found(naming), found(namingAny)];
  const at = guarded(database, (place: { statement: number; row: number }): PlacedLine | null => {
    const id = idAt.get(place);
    return id === undefined ? null : lineOf(id);
  });

  return {
    lineAt: async (place) => at(place),
    linesNaming: async (reference, limit) =>
      scan(all(), { order: 'oldest', limit }, (range, most) => within(reference, range, most)),
    linesNamingAny: async (references, limit) => {
      const wanted = JSON.stringify(references);
      return scan(all(), { order: 'oldest', limit }, (range, most) => withinAny(wanted, range, most));
    },
  };
}

function placedFromRow(row: PlacedRow): PlacedLine {
  return {
    lineId: Number(row.id),
    account: { name: row.account_name, kind: row.kind, environment: row.environment },
    statement: Number(row.statement_id),
    importedAtMs: Number(row.imported_at),
    line: lineFromRow(row),
  };
}
