import type { StatementArchive } from '../../store/statements.ts';
import { HeldLines } from '../held-lines.ts';
import { heldAgainst, type RivalFiles } from '../rival-files.ts';

/** Returns the other statements of its account that cannot be right together with this one, in the order of their numbers. */
export async function rivalsOf(
  archive: Pick<StatementArchive, 'statement' | 'statements' | 'shownLines'>,
  statement: number,
): Promise<RivalFiles[]> {
  const own = await archive.statement(statement);
  if (own === null) return [];
  const { name, environment } = own.account;
  const all = await archive.statements(
    { account: name, environment },
    { order: 'oldest', limit: Number.MAX_SAFE_INTEGER },
  );
  const found: RivalFiles[] = [];
  const currencies = own.balances.map(({ currency }) => ({
    currency,
    held: new HeldLines(archive, currency),
  }));
  for (const other of all) {
    if (other.statement === statement) continue;
    for (const { currency, held } of currencies) {
      const rivals = await heldAgainst(held, other, own, currency);
      if (rivals !== null) found.push(rivals);
    }
  }
  return found;
}
