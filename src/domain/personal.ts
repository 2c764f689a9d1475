import type { Claim } from './claim.ts';
import type { Fields } from './fields.ts';
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

/** What is left of a claim. */
export function withoutPersonal(kind: RecordKind, claim: Claim): Claim {
  const { facts, details } = PERSONAL_FIELDS[kind];
  return { ...claim, facts: blanked(claim.facts, facts), details: blanked(claim.details, details) };
}

function blanked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, names.includes(name) ? null : value]));
}
