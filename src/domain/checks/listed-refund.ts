import type { Environment } from '../environment.ts';
import type { Stated } from '../events/stated.ts';
import { type Fields, showValue } from '../records/fields.ts';
import type { RecordObservation } from '../records/observation.ts';

/** One row of the service's list: an observation about one refund. */
export interface ListedRefund {
  readonly reference: string;
  readonly stated: Stated;
  /** sha256 (hex) of the canonical row. */
  readonly digest: string;
  /** The latest time in the row; null without a readable one. */
  readonly latestMs: number | null;
}

/** What is known of a refund, to compare with its row. */
export interface KnownRefund {
  /** The confirmed status, else the reported one; null without either. */
  readonly status: string | null;
  readonly facts: Fields;
}

/** What a row does: it makes a record, brings news of one, brings nothing new, or is of an unknown refund that is too old. */
export type RowEffect = 'created' | 'news' | 'nothing' | 'older';

/** What the rows changed. */
export interface Recorded {
  /** References of refunds that were unknown: records now, and due. */
  readonly created: readonly string[];
  /** Rows of known refunds. */
  readonly known: number;
  /** Of these, rows whose observation differs from what is known: their records are due now. */
  readonly news: number;
  /** Unknown refunds older than `createSinceMs`: no record was made. */
  readonly older: number;
}

/** Unknown refunds whose latest time is before `createSinceMs` make no record; known ones count at any age. Pure. */
export function rowEffect(row: ListedRefund, known: KnownRefund | undefined, createSinceMs: number): RowEffect {
  if (known !== undefined) return isNews(row, known) ? 'news' : 'nothing';
  return row.latestMs !== null && row.latestMs < createSinceMs ? 'older' : 'created';
}

/** Whether a row differs from what is known. A different row is an observation of its own and makes the record due. */
function isNews({ stated }: ListedRefund, { status, facts }: KnownRefund): boolean {
  if (stated.status !== status) return true;
  return Object.entries(facts).some(([name, value]) => {
    const given = stated.facts[name] ?? null;
    return given !== null && showValue(given) !== showValue(value);
  });
}

/** The observation of a row that made a record or brought news. The same row is the same observation, however often read. */
export function listObservation(
  environment: Environment,
  { reference, digest, stated }: ListedRefund,
): RecordObservation {
  const observation = { witness: 'list', identity: `list:${digest}`, eventKey: '', answer: null, stated } as const;
  return { kind: 'refund', environment, reference, eventId: null, observation };
}

/** Sums up the rows and the effect of each. */
export function recorded(rows: readonly ListedRefund[], effects: readonly RowEffect[]): Recorded {
  const count = (...wanted: RowEffect[]) => effects.filter((effect) => wanted.includes(effect)).length;
  const created = rows.filter((_, index) => effects[index] === 'created').map(({ reference }) => reference);
  return { created, known: count('news', 'nothing'), news: count('news'), older: count('older') };
}
