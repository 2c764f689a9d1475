import type { Environment } from '../../../domain/environment.ts';
import type { StatementKind } from '../../../domain/statements/lines.ts';
import type { ControlCheck, StatementTotals } from '../../../domain/statements/statement.ts';
import type { StatementSummary } from '../../statements.ts';

/** A statement that shows, from the view `statements`. */
export interface StatementRow {
  readonly id: number;
  readonly account_name: string;
  readonly kind: StatementKind;
  readonly environment: Environment;
  readonly file: string;
  readonly file_sha256: string;
  readonly file_bytes: number;
  readonly profile: string;
  readonly profile_digest: string;
  readonly imported_at: number;
  readonly removed_at: number | null;
  readonly lines: number;
  readonly new_lines: number;
  readonly unparsed: number;
  readonly covers_from: string | null;
  readonly covers_to: string | null;
  readonly states_days: number;
}

/** Integers are bigint: an amount may need all 64 bits. */
export interface BalanceRow {
  readonly currency: string;
  readonly opening_minor: bigint | null;
  readonly closing_minor: bigint | null;
  readonly sum_minor: bigint;
}

export interface ControlRow {
  readonly control: ControlCheck['control'];
  readonly currency: string | null;
  readonly stated: bigint;
  readonly computed: bigint;
  readonly row: bigint | null;
  readonly cell_row: bigint;
  readonly cell_column: string;
}

/** A statement from its row and those of its balances and failed checks. */
export function summaryFromRows(
  row: StatementRow,
  balances: readonly BalanceRow[],
  controls: readonly ControlRow[],
): StatementSummary {
  const { covers_from: from, covers_to: to } = row;
  return {
    statement: row.id,
    account: { name: row.account_name, kind: row.kind, environment: row.environment },
    file: { name: row.file, sha256: row.file_sha256, bytes: row.file_bytes },
    profile: { name: row.profile, digest: row.profile_digest },
    importedAtMs: row.imported_at,
    removedAtMs: row.removed_at,
    lines: row.lines,
    new: row.new_lines,
    unparsed: row.unparsed,
    balances: balances.map(balanceFromRow),
    covers: from === null || to === null ? null : { from, to },
    statesDays: row.states_days === 1,
    controls: controls.map(controlFromRow),
  };
}

function controlFromRow({ row, cell_row, cell_column: column, ...check }: ControlRow): ControlCheck {
  return { ...check, cell: { row: Number(cell_row), column }, row: row === null ? null : Number(row) };
}

function balanceFromRow(row: BalanceRow): StatementTotals['balances'][number] {
  const { currency, opening_minor: opening, closing_minor: closing, sum_minor: sum } = row;
  return { currency, opening, closing, sum };
}
