import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import type { ReconcileOrder } from '../load/order.ts';

/** Sections that say the same for every order of these days and this environment. */
const NEVER_NARROWED = ['inTransit', 'audit'] as const;
const OF_REFUNDS = ['reserved', 'transactions'] as const;
/** Sections of the kinds that were asked for, and of every leg and account. */
const OF_KINDS = ['witnesses', 'totals', 'unanswered'] as const;

export type WholeSection =
  | (typeof NEVER_NARROWED)[number]
  | (typeof OF_REFUNDS)[number]
  | (typeof OF_KINDS)[number]
  | 'matched'
  | 'noStatement'
  | 'matchRate';

/** The sections of a report that hold more than what was asked for: some kinds, a leg or an account. */
export function wholeSections({
  kinds,
  leg,
  account,
}: Pick<ReconcileOrder, 'kinds' | 'leg' | 'account'>): WholeSection[] {
  const isOfKinds = kinds.length < RECORD_KINDS.length;
  if (!isOfKinds && leg === undefined && account === undefined) return [];
  const isOfPlace = leg !== undefined || account !== undefined;
  return [
    ...(leg === undefined ? (['matched', 'noStatement', 'matchRate'] as const) : []),
    ...(isOfPlace ? OF_KINDS : []),
    ...(isOfPlace || !kinds.includes('refund') ? OF_REFUNDS : []),
    ...NEVER_NARROWED,
  ];
}
