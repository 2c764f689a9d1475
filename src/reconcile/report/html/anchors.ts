import { sha256 } from '../../../domain/events/json.ts';
import type { ReportedException } from '../model.ts';

// Ids on the page. They are made of what they stand for, so that a link into a page leads to the same place in the next one.

type Subject = Pick<ReportedException, 'environment' | 'account' | 'currency' | 'code'>;

/** The exceptions of an account and currency. */
export function accountAnchor({ environment, account, currency }: Omit<Subject, 'code'>): string {
  return `of-${shortDigest(environment, account, currency)}`;
}

/** Items of an account and currency from before the period. */
export function carriedAnchor({ environment, account, currency }: Omit<Subject, 'code'>): string {
  return `before-${shortDigest(environment, account, currency)}`;
}

/** Those of them with one code. */
export function groupAnchor({ environment, account, currency, code }: Subject): string {
  return `of-${shortDigest(environment, account, currency, code)}`;
}

/** The story behind an exception: of its reference, else of its row; null: it has neither. */
export function exceptionAnchor({
  id,
  environment,
  reference,
  line,
}: Pick<ReportedException, 'id' | 'environment' | 'reference' | 'line'>): string | null {
  if (reference !== null) return `ref-${shortDigest(environment, reference)}`;
  // Never by the number of the statement, which depends on the order of imports.
  return line === null ? null : `row-${shortDigest(id)}`;
}

function shortDigest(...names: readonly (string | null)[]): string {
  return sha256(JSON.stringify(names)).slice(0, 12);
}
