import { money } from '../../src/domain/money/amount.ts';
import type { StatementTotals, UnparsedRow } from '../../src/domain/statements/statement.ts';
import { counted } from '../../src/domain/text/quantity-text.ts';
import { unparsedColumns } from '../../src/lists/statement-lines.ts';
import type { ImportedFile } from '../../src/reconcile/import/import.ts';
import { CURES, checkedValues, controlText } from '../../src/reconcile/import/words.ts';
import type { StatementSummary } from '../../src/store/statements.ts';
import { terminalColumns } from './list-columns.ts';
import { note, print, printTable } from './output.ts';
import { isoTime } from './text.ts';

// Statements as text and JSON. Amounts are decimal text with the decimals of their currency.

/** Balances, days and failed checks. `opening` and `closing` are those of the only currency. */
export function totalsJson({ balances, covers, controls }: StatementTotals) {
  const [only, ...others] = balances;
  const single = others.length === 0 ? only : undefined;
  return {
    currency: single?.currency ?? null,
    opening: money(single?.opening ?? null),
    closing: money(single?.closing ?? null),
    balances: balances.map(({ currency, opening, closing, sum }) => ({
      currency,
      opening: money(opening),
      closing: money(closing),
      sum: money(sum),
    })),
    covers,
    controls: controls.map((check) => ({ ...check, ...checkedValues(check) })),
  };
}

export function unparsedJson({ row, column, value, reason }: UnparsedRow) {
  return { row, column, value, reason };
}

/** Whose lines a file has, and which file it is. */
export function sourceJson({ account, file }: Pick<StatementSummary, 'account' | 'file'>) {
  return {
    account: account.name,
    kind: account.kind,
    environment: account.environment,
    file: file.name,
    sha256: file.sha256,
  };
}

export function summaryJson({ statement, account, file, profile, ...summary }: StatementSummary) {
  return {
    statement,
    ...sourceJson({ account, file }),
    bytes: file.bytes,
    profile: profile.name,
    profileDigest: profile.digest,
    importedAt: isoTime(summary.importedAtMs),
    removedAt: isoTime(summary.removedAtMs),
    lines: summary.lines,
    new: summary.new,
    unparsedRows: summary.unparsed,
    ...totalsJson(summary),
  };
}

/** Unreadable rows and failed checks of a file; `all`: how many rows are unreadable. */
export function printProblems(
  unparsed: readonly UnparsedRow[],
  all: number,
  {
    file,
    controls,
    reveal = false,
  }: { readonly file: string; readonly controls: StatementTotals['controls']; readonly reveal?: boolean },
): void {
  if (unparsed.length > 0) {
    printTable(unparsed.slice(0, MOST_ROWS_SHOWN), terminalColumns(unparsedColumns({ reveal })));
    const more = all - Math.min(unparsed.length, MOST_ROWS_SHOWN);
    if (more > 0) note(`${counted(more, 'more unreadable row')}: tallyhook statements show ID --json`);
  }
  for (const check of controls) {
    print(`does not add up: ${controlText(file, check)}`);
    note(`  ${CURES[check.control]} Ask for the file again, or mend the profile.`);
  }
  if (controls.length > 0 && all > 0) note('First mend the rows that could not be read: their amounts are in no sum.');
  else if (controls.length > 0)
    note(
      'Once mended, remove the statement, where it was imported, and import the file again: tallyhook statements remove ID',
    );
}

/** Says which words of the type column stand for nothing yet. */
export function printUnknownTypes(unknown: ImportedFile['unknownTypes']): void {
  if (unknown.length === 0) return;
  for (const { word, lines } of unknown.slice(0, MOST_ROWS_SHOWN)) {
    print(`type ${JSON.stringify(word)} is not in the profile: ${counted(lines, 'line')}`);
  }
  const more = unknown.length - MOST_ROWS_SHOWN;
  if (more > 0) note(`${counted(more, 'more type word')}: --json`);
  note('Each of these lines is a break (unclassified) until the profile says under `types` what its word means.');
}

const MOST_ROWS_SHOWN = 20;
