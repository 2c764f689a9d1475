/** The kinds of records; their tables have the same names in the plural. */
export const RECORD_KINDS = ['refund', 'payout', 'collection'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Whether a kind of row of ours, or a text, is a kind of record. */
export function isRecordKind(kind: string | null): kind is RecordKind {
  return (RECORD_KINDS as readonly (string | null)[]).includes(kind);
}

/** One value for each kind of record. */
export function perKind<Value>(make: (kind: RecordKind) => Value): Readonly<Record<RecordKind, Value>> {
  return { refund: make('refund'), payout: make('payout'), collection: make('collection') };
}

export interface Lifecycle {
  /** Statuses by rank, lowest first; equal ranks share a row. An unlisted status is kept as text with rank 0. */
  readonly ranks: readonly (readonly string[])[];
  /** The outcome is reached: the record may be forwarded and is never stuck. */
  readonly settled: readonly string[];
  /** No other status follows. */
  readonly final: readonly string[];
  /** Documented moves; any other forward move is accepted and shown as a gap (decisions 24). */
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** Refunds have a signed time, so time decides first; payouts and collections may lack it, so rank decides first. */
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

/** Returns 0 for an unknown status, 1 for the lowest known one. */
export function rankOf(kind: RecordKind, status: string): number {
  return LIFECYCLES[kind].ranks.findIndex((row: readonly string[]) => row.includes(status)) + 1;
}

/** Returns whether `from` to `to` is no documented move: a status in between was skipped or not reported. */
export function isGap(kind: RecordKind, from: string, to: string): boolean {
  const moves: Lifecycle['moves'] = LIFECYCLES[kind].moves;
  // Own members only: a status is sent text and may be `constructor`.
  const named = Object.hasOwn(moves, from) ? (moves[from] ?? []) : [];
  return from !== to && !named.includes(to);
}
