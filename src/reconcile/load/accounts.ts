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
      return [{ environment, name, kind, statements: own.toSorted(compareStatements) }];
    });
}

function compareStatements(one: StatementSummary, other: StatementSummary): number {
  const [mine, theirs] = [one.covers?.from ?? '', other.covers?.from ?? ''];
  if (mine !== theirs) return mine < theirs ? -1 : 1;
  const [myEnd, theirEnd] = [one.covers?.to ?? '', other.covers?.to ?? ''];
  if (myEnd !== theirEnd) return myEnd < theirEnd ? -1 : 1;
  return one.file.sha256 < other.file.sha256 ? -1 : Number(one.file.sha256 > other.file.sha256);
}
