import { bookFiles } from '../../domain/balance/book-file.ts';
import { BookLines } from '../../domain/balance/book-lines.ts';
import { heldAgainst, type RivalFiles } from '../../domain/balance/rivals.ts';
import type { StatementArchive } from '../../store/statements.ts';

/** Returns the other statements of its account that cannot be right together with this one, in the order of their numbers. */
export async function rivalsOf(
  archive: Pick<StatementArchive, 'statement' | 'statements' | 'bookLines'>,
  statement: number,
): Promise<RivalFiles[]> {
  const imported = await archive.statement(statement);
  if (imported === null || imported.covers === null) return [];
  const { account, covers, balances } = imported;
  const { name, environment } = account;
  const all = await archive.statements(
    { account: name, environment },
    { order: 'oldest', limit: Number.MAX_SAFE_INTEGER },
  );
  const found: RivalFiles[] = [];
  for (const { currency } of balances) {
    const files = bookFiles(all, currency).sort((one, other) => one.statement - other.statement);
    const own = files.find((one) => one.statement === statement);
    const lines = new BookLines(await archive.bookLines({ account, currency, ...covers }));
    for (const other of files) {
      const rivals = own === undefined || other === own ? null : heldAgainst(lines, other, own);
      if (rivals !== null) found.push(rivals);
    }
  }
  return found.sort((one, other) => one.one.statement - other.one.statement);
}
