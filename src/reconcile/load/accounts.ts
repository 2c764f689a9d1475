import { compareFiles } from '../../domain/balance/book-file.ts';
import type { Environment } from '../../domain/environment.ts';
import type { StatementSummary } from '../../store/statements.ts';

/** An account with its statements, the earliest first. */
export interface CoveredAccount {
  readonly environment: Environment;
  readonly name: string;
  readonly kind: StatementSummary['account']['kind'];
  readonly statements: readonly StatementSummary[];
}

/** Groups statements by account. Order: environment, then name. */
export function accountsOf(statements: readonly StatementSummary[]): CoveredAccount[] {
  const accounts = new Map<string, StatementSummary[]>();
  for (const one of statements) {
    const key = JSON.stringify([one.account.environment, one.account.name]);
    accounts.set(key, [...(accounts.get(key) ?? []), one]);
  }
  return [...accounts.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, own]) => {
      const [first] = own;
      if (first === undefined) return [];
      const { name, kind, environment } = first.account;
      return [{ environment, name, kind, statements: own.toSorted(compareFiles) }];
    });
}
