/** The records we keep, by kind; also the names of their tables in the plural. */
export const RECORD_KINDS = ['refund', 'payout', 'collection'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** One value for each kind of record. */
export function perKind<Value>(make: (kind: RecordKind) => Value): Readonly<Record<RecordKind, Value>> {
  return { refund: make('refund'), payout: make('payout'), collection: make('collection') };
}

export interface Lifecycle {
  /** Statuses by rank, lowest first; equals share a row. An unlisted status is kept as text with rank `unknown`. */
  readonly ranks: readonly (readonly string[])[];
  /** The outcome is reached: it may be forwarded and is never stuck. */
  readonly settled: readonly string[];
  /** Nothing leaves it. */
  readonly final: readonly string[];
  /** Moves the service's document names; any other forward move is accepted and shown as a gap (decisions 24). */
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** Refunds carry a signed time, so time leads; payouts and collections may not, so rank leads. */
  readonly order: 'final-time-rank' | 'rank-time';
}

/** Interface 3.2, 3.4; decisions 23 to 26, 69, 73. */
export const LIFECYCLES = {
  refund: {
    ranks: [['awaiting_settlement'], ['pending'], ['processing'], ['failed'], ['rejected'], ['success']],
    settled: ['success', 'rejected'],
    final: ['success', 'rejected'],
    moves: {
      awaiting_settlement: ['pending', 'rejected'],
      pending: ['processing', 'rejected'],
      processing: ['success', 'failed'],
      failed: ['processing', 'rejected'],
    },
    order: 'final-time-rank',
  },
  payout: {
    ranks: [['pending'], ['cancelled', 'abandoned'], ['failed'], ['success', 'completed'], ['reversed']],
    settled: ['success', 'completed', 'failed', 'reversed'],
    final: ['reversed'],
    moves: { pending: ['success', 'completed', 'failed'], success: ['reversed'], completed: ['reversed'] },
    order: 'rank-time',
  },
  collection: {
    ranks: [['pending'], ['cancelled', 'abandoned'], ['failed'], ['success', 'completed'], ['reversed']],
    settled: ['success', 'completed', 'failed', 'cancelled', 'abandoned', 'reversed'],
    final: ['reversed'],
    moves: {
      pending: ['success', 'completed', 'failed', 'cancelled', 'abandoned'],
      success: ['reversed'],
      completed: ['reversed'],
    },
    order: 'rank-time',
  },
} as const satisfies Record<RecordKind, Lifecycle>;

export function isFinal(kind: RecordKind, status: string): boolean {
  return (LIFECYCLES[kind].final as readonly string[]).includes(status);
}

export function isSettled(kind: RecordKind, status: string): boolean {
  return (LIFECYCLES[kind].settled as readonly string[]).includes(status);
}

/** 0 for an unknown status, then 1 for the lowest known one. */
export function rankOf(kind: RecordKind, status: string): number {
  return LIFECYCLES[kind].ranks.findIndex((row: readonly string[]) => row.includes(status)) + 1;
}

/** True when the document names no direct move from `from` to `to`: something in between was skipped, or never told us. */
export function isGap(kind: RecordKind, from: string, to: string): boolean {
  const moves: Lifecycle['moves'] = LIFECYCLES[kind].moves;
  // An own member only: statuses come from the wire, and one may read `constructor`.
  const named = Object.hasOwn(moves, from) ? (moves[from] ?? []) : [];
  return from !== to && !named.includes(to);
}
