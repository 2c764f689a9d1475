import { MINUTE_MS } from '../../time/clock.ts';
import type { Account } from './statement.ts';

/*
 * Whether a file may be imported. A name of an account or of a profile is bound by the statements that show and by imports
 * under way: once these are removed, it is free again, so that a mistake can be mended.
 */

/** Why nothing is imported. */
export type ImportRefusal =
  /** A statement of the account that shows has the same file. */
  | { readonly outcome: 'known'; readonly statement: number }
  /** Another process imports into this account: since when, and until when it may be silent. */
  | { readonly outcome: 'busy'; readonly sinceMs: number; readonly leasedUntilMs: number }
  /** The name of the profile is known with another content. */
  | { readonly outcome: 'profile_changed'; readonly digest: string; readonly firstUsedAtMs: number }
  /** The name of the account is known as another kind or of another environment. */
  | { readonly outcome: 'account_differs'; readonly known: Account };

/** What is known of the names and the file of an import. */
export interface ImportFacts {
  /** The account that the name is bound to; null: the name is free. */
  readonly account: Account | null;
  /** The content that the name of the profile is bound to; null: the name is free. */
  readonly profile: { readonly digest: string; readonly firstUsedAtMs: number } | null;
  /** The statement of this account that has the file. */
  readonly statementOfFile: number | null;
  /** The import under way into this account; not one that may be taken over. */
  readonly underWay: { readonly sinceMs: number; readonly leasedUntilMs: number } | null;
}

/** Why an import is refused; null: it may begin. Wrong names come first: a file that is known says nothing about them. */
export function importRefusal(
  account: Account,
  profileDigest: string,
  { account: known, profile, statementOfFile, underWay }: ImportFacts,
): ImportRefusal | null {
  if (known !== null && (known.kind !== account.kind || known.environment !== account.environment)) {
    return { outcome: 'account_differs', known };
  }
  if (profile !== null && profile.digest !== profileDigest) return { outcome: 'profile_changed', ...profile };
  if (statementOfFile !== null) return { outcome: 'known', statement: statementOfFile };
  if (underWay !== null) return { outcome: 'busy', ...underWay };
  return null;
}

/** Without a chunk of rows for so long, an import may be taken over: reading a large spreadsheet may take half of it. */
export const IMPORT_LEASE_MS = MINUTE_MS;
