import type { RecordKind } from './lifecycle.ts';

/**
 * What of a record tells who a person is: taken away when it is pruned. None of it decides a status, an amount or, while
 * nothing disagrees, a finding.
 */
export const PERSONAL_FIELDS = {
  refund: { facts: [], details: [] },
  payout: { facts: ['accountNumber'], details: ['accountName', 'narration', 'sessionId'] },
  collection: { facts: [], details: ['customerEmail'] },
} as const satisfies Record<RecordKind, { readonly facts: readonly string[]; readonly details: readonly string[] }>;

/** Stands in a finding about a personal fact, in the place of the values that disagreed. */
export const VALUES_PRUNED = 'pruned';
