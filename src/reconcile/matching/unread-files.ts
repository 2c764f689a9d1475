import type { StatementArchive } from '../../store/statements.ts';
import type { CoveredAccount } from './accounts.ts';
import { covers } from './covered-days.ts';
import { add, isAfter, unparsedItem } from './file-items.ts';
import type { MatchRun } from './run.ts';

/**
 * Lists the rows of files of which no row could be read, where no other file brings their account into the period: such a file has
 * no balance, so no proof looks at it. `checked`: the currencies of the account whose files were looked at. A file that does not say
 * its days stands in every period.
 */
export async function listUnreadFiles(
  run: MatchRun,
  archive: Pick<StatementArchive, 'unparsedRows'>,
  account: CoveredAccount,
  checked: readonly string[],
): Promise<void> {
  const currencies = account.statements.flatMap(({ balances }) => balances.map(({ currency }) => currency));
  const [currency = null] = currencies.sort();
  const seen = new Set<string>();
  for (const statement of account.statements) {
    const isChecked = checked.length > 0 && statement.covers !== null;
    if (statement.unparsed === 0 || statement.balances.length > 0 || isChecked) continue;
    if (statement.covers !== null && !covers(statement, run.window)) continue;
    for (const row of await archive.unparsedRows(statement.statement)) {
      if (isAfter(run, statement, row)) continue;
      const item = unparsedItem(run, statement, row);
      if (!seen.has(item.names)) add(run, statement, { ...item, currency, effect: 0n });
      seen.add(item.names);
    }
  }
}
