import { countOf } from '../../../reconcile/report/words.ts';
import type { Archive } from '../../../store/archive.ts';
import type { ExceptionFilter } from '../../../store/exceptions.ts';
import type { KeptPeriod } from '../../../store/periods.ts';
import type { Count } from '../../../store/records.ts';
import { addressOf } from '../asked.ts';

// What waits for a second person, of all kinds: Today and Approvals count the same.

export interface ForSecondPerson {
  /** Null: more than is worth counting. */
  readonly requests: Count;
  /** Of exceptions, above the limit of their reason code. */
  readonly resolutions: number;
  /** Closed, and not approved. */
  readonly periods: readonly KeptPeriod[];
}

const UNAPPROVED = { statuses: ['resolved'], unresolved: true } as const satisfies ExceptionFilter;
/** The list of the same. */
export const UNAPPROVED_ADDRESS = addressOf('/exceptions', { status: 'resolved', unresolved: '1' });

export async function forSecondPerson(archive: Archive): Promise<ForSecondPerson> {
  const totals = await archive.exceptionTotals(UNAPPROVED);
  return {
    requests: await archive.countApprovals({ isOpen: true }),
    resolutions: totals.reduce((sum, { count }) => sum + count, 0),
    periods: (await archive.periods({})).filter(({ state }) => state === 'closed'),
  };
}

/** Those that are no requests: `2 resolutions, 1 closed period`; empty: none. */
export function signaturesText({ resolutions, periods }: Omit<ForSecondPerson, 'requests'>): string {
  return [
    ...(resolutions === 0 ? [] : [countOf(resolutions, 'resolution')]),
    ...(periods.length === 0 ? [] : [countOf(periods.length, 'closed period')]),
  ].join(', ');
}
