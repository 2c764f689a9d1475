import type { UnparsedRow } from '../../domain/statements/statement.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { HeldLines } from '../held-lines.ts';
import { type FileArchive, isChecked } from './account-files.ts';
import { type CoveredAccount, currenciesOf } from './accounts.ts';
import { covers } from './covered-days.ts';
import { add, isAfter, unparsedItem } from './file-items.ts';
import { isOutdated } from './file-outdated.ts';
import type { MatchRun } from './run.ts';
import { currencyOf } from './unread-rows.ts';

/**
 * Lists the unreadable rows that no proof looks at: of files of which no row could be read, where no other file brings their account
 * into the period, and those of a currency of which their file has no other row. `checked`: the currencies of the account whose files
 * were looked at. A file that does not say its days stands in every period.
 */
export async function listUnreadFiles(
  run: MatchRun,
  archive: FileArchive,
  account: CoveredAccount,
  checked: readonly string[],
): Promise<void> {
  const currencies = currenciesOf(account);
  const seen = new Set<string>();
  for (const statement of account.statements) {
    if (statement.unparsed === 0 || (statement.covers !== null && !covers(statement, run.window))) continue;
    const all = await archive.unparsedRows(statement.statement);
    for (const [currency, rows] of Map.groupBy(all, (row) => currencyOf(row, statement.balances, currencies))) {
      const isShown = currency !== null && checked.includes(currency);
      if (isShown && isChecked(statement, currency)) continue;
      if (isShown && (await isReplaced(run, archive, { account, statement, rows, currency }))) continue;
      for (const row of rows) {
        if (isAfter(run, statement, row)) continue;
        const item = unparsedItem(run, statement, row);
        if (!seen.has(item.names)) add(run, statement, { ...item, currency, effect: 0n });
        seen.add(item.names);
      }
    }
  }
}

interface Unread {
  readonly account: CoveredAccount;
  readonly statement: StatementSummary;
  readonly rows: readonly UnparsedRow[];
  readonly currency: string;
}

/** Whether a fuller export of the same days has lines for these rows. */
function isReplaced(
  { window: { until } }: MatchRun,
  archive: FileArchive,
  { account, statement: file, rows, currency }: Unread,
): Promise<boolean> {
  const others = account.statements.filter((one) => one !== file && isChecked(one, currency));
  return isOutdated({ archive, held: new HeldLines(archive, currency) }, { file, rows, others, currency, until });
}
