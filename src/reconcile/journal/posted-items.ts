import type { JournalLine } from '../../domain/journal/entry.ts';
import type { Draft } from './draft.ts';
import type { StatedAccount } from './input.ts';

/** What earlier periods posted of one exception, by account of the ledger. */
export interface PostedItem {
  readonly id: string;
  readonly account: string;
  readonly currency: string;
  readonly lines: Map<string, Pick<JournalLine, 'account' | 'role' | 'text' | 'reference'> & { minor: bigint }>;
}

/** By exception; without those that came to nothing. `isWanted`: of an account of the statements; undefined: it has none in this period. */
export function postedBefore(
  draft: Draft,
  isWanted: (stated: StatedAccount | undefined, of: Pick<StatedAccount, 'account' | 'currency'>) => boolean,
): Map<string, PostedItem> {
  const found = new Map<string, PostedItem>();
  for (const { source, account, currency, lines } of draft.input.earlier?.all ?? []) {
    const of = { account, currency };
    if (source !== 'resolution' || !isWanted(accountOf(draft, of), of)) continue;
    for (const { account: name, role, minor, text, reference, subject } of lines) {
      if (subject === null) continue;
      const known: PostedItem = found.get(subject) ?? { id: subject, account, currency, lines: new Map() };
      const line = known.lines.get(name);
      known.lines.set(name, { account: name, role, text, reference, minor: (line?.minor ?? 0n) + minor });
      found.set(subject, known);
    }
  }
  for (const [id, { lines }] of found) if ([...lines.values()].every(({ minor }) => minor === 0n)) found.delete(id);
  return found;
}

export function accountOf(
  { accounts }: Draft,
  of: Pick<StatedAccount, 'account' | 'currency'>,
): StatedAccount | undefined {
  return accounts.find(({ account, currency }) => account === of.account && currency === of.currency);
}
