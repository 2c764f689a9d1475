import type { RecordKind } from './lifecycle.ts';

/**
 * Fields of a record that identify a person; pruning removes them. They never decide a status or an amount, nor a
 * finding unless their values disagree. A session id names a transfer and no person, and statements are matched by it: it stays.
 */
export const PERSONAL_FIELDS = {
  refund: { facts: [], details: [] },
  payout: { facts: ['accountNumber'], details: ['accountName', 'narration'] },
  collection: { facts: [], details: ['customerEmail'] },
} as const satisfies Record<RecordKind, { readonly facts: readonly string[]; readonly details: readonly string[] }>;

/** Replaces the values in a finding about a pruned personal fact. */
export const VALUES_PRUNED = 'pruned';
