import type { Environment } from '../domain/environment.ts';
import type { Expectation } from '../domain/expectations/expectation.ts';
import type { Amount } from '../domain/money/amount.ts';
import type { Break } from '../domain/reconciling/break.ts';
import type { WitnessedRecord } from '../domain/reconciling/witnessed-record.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { KeptKind, VerificationEndpoint } from '../domain/requests/request.ts';
import type { LineType, StatementKind } from '../domain/statements/lines.ts';
import type { Cursor } from './cursor.ts';
import type { Scratch } from './scratch/scratch.ts';

/*
 * The part of the port that reconciling reads: what was known at a time, in pages, so that a million records need little
 * memory and no statement holds the database for long. Times are milliseconds since 1970.
 *
 * Known at a time: since the books learnt it. Of what came before the first run a webhook since it was received, an answer since it came,
 * and an answer to our own request and a row of the service's list since the record was first seen.
 */

export interface ReconciledPeriod {
  /** Bounds of the effective time, in whole seconds: from the first, before the second. */
  readonly fromMs: number;
  readonly beforeMs: number;
  /** Nothing that became known later counts. */
  readonly asAtMs: number;
  readonly environment?: Environment;
}

/** A page of a walk; `next` is where the following one begins, null after the last one. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly next: Cursor | null;
}

/** A record that its two witnesses do not settle by themselves, as far as the statuses and sums of one row tell. */
export interface OpenRecord {
  readonly id: number;
  readonly environment: Environment;
  readonly reference: string;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly effectiveAtMs: number;
  readonly startedAtMs: number;
  /** The amount that counts, in minor units. */
  readonly minor: bigint | null;
  readonly currency: string | null;
  /** It has findings, its money differs, its statuses differ, or it changed later: `knownRecords` has the whole of it. */
  readonly needsMore: boolean;
}

/** A record as it was known at a time. */
export interface KnownRecord extends WitnessedRecord {
  readonly id: number;
  readonly environment: Environment;
  readonly reference: string;
  readonly effectiveAtMs: number;
  /** No source states that time: it is when the status was learnt. */
  readonly isDayLearnt: boolean;
  /** It had an observation by then. */
  readonly seen: boolean;
  /** It is known otherwise by now: sums of the present leave it out. */
  readonly changedLater: boolean;
  readonly expected: Expectation | null;
}

/** What a break rests on: what this store has of its record. */
export interface RecordEvidence {
  readonly recordId: number;
  /** Events behind the record, at most MOST_EVENTS, in the order of arrival. */
  readonly events: readonly number[];
  /** Counter of the latest answer. */
  readonly answer: number | null;
  /** The status by each witness, and when it was learnt. */
  readonly webhook: LearntStatus | null;
  readonly service: LearntStatus | null;
}

export interface LearntStatus {
  readonly status: string;
  readonly learntAtMs: number;
}

export const MOST_EVENTS = 50;

/** Records with the same statuses and currency, counted and added up. */
export interface RecordGroup {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly currency: string | null;
  /** With `by: 'channel'`; null without one. */
  readonly channel: string | null;
  /** With `by: 'hour'` or `'minute'`: where that begins. */
  readonly startMs: number | null;
  readonly records: number;
  /** Of these, records without an amount that counts. */
  readonly withoutAmount: number;
  /** The sum of the amounts that count, in minor units: exact, of any size. */
  readonly minor: bigint;
}

export interface GroupOrder extends ReconciledPeriod {
  readonly by: 'status' | 'channel' | 'hour' | 'minute';
}

/** A refund that may hold a reserve at the service. */
export interface ReservingRefund {
  readonly id: number;
  readonly environment: Environment;
  readonly status: string | null;
  readonly currency: string | null;
  readonly totalReserved: Amount | null;
  readonly fundingStatus: string | null;
  /** One of its funding identities does not hold. */
  readonly isBroken: boolean;
  readonly startedAtMs: number;
  readonly effectiveAtMs: number;
  /** At the end of the period it may have stood otherwise than these values say: `knownRecords` has it. */
  readonly needsMore: boolean;
}

/** All refunds of one transaction that has one in the period, and the collection with its reference. */
export interface RefundedTransaction {
  readonly environment: Environment;
  readonly reference: string;
  readonly refunds: readonly TransactionRefund[];
  /** Null: no collection is known under this reference. */
  readonly collection: TransactionCollection | null;
}

export interface TransactionRefund {
  readonly id: number;
  readonly status: string | null;
  /** The amount that counts, in minor units. */
  readonly minor: bigint | null;
  readonly currency: string | null;
  readonly startedAtMs: number;
  readonly effectiveAtMs: number;
  readonly needsMore: boolean;
}

export interface TransactionCollection {
  readonly id: number;
  readonly status: string | null;
  /** The requested and the charged amount, in minor units. */
  readonly requested: bigint | null;
  readonly charged: bigint | null;
  readonly currency: string | null;
  readonly needsMore: boolean;
}

/** Payouts that carry one session id. */
export interface SharedSession {
  readonly sessionId: string;
  readonly payoutIds: readonly number[];
}

/** A tracked reference that nothing had mentioned. */
export interface UnseenExpectation extends Expectation {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  readonly expectedByMs: number;
}

/** A request that was sent, or was about to be, and whose outcome was unknown. */
export interface UnansweredRequest {
  readonly kind: KeptKind;
  readonly environment: Environment;
  /** A refund's idempotency key; else the reference. */
  readonly key: string;
  readonly reference: string;
  readonly attempts: number;
  readonly createdAtMs: number;
}

export interface KnownOrder {
  readonly kind: RecordKind;
  readonly ids: readonly number[];
  readonly asAtMs: number;
  /** Also leave out observations whose signed time is later: the record as it stood then, not only as it was known. */
  readonly stoodAtMs?: number;
}

/** What a run computes with. */
export interface MatchingScope {
  /** The first and the last day of what is compared, and where they begin and end. */
  readonly from: string;
  readonly until: string;
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly asAtMs: number;
  /** Records that changed since a period was closed are there, of all days, and marked. Null: nothing is closed. */
  readonly closedAtMs: number | null;
  readonly environment?: Environment;
  readonly dayOf: (ms: number) => string;
  /** When a day begins. */
  readonly startOf: (day: string) => number;
  /** Lines and rows of ours of which a person has said something: they are there, of all days. */
  readonly decided: readonly { readonly line: number; readonly environment: Environment; readonly reference: string }[];
  /** What runs of earlier days left open: it is there, of all days. */
  readonly leftOpen: readonly Pick<Break, 'environment' | 'line' | 'reference' | 'candidates'>[];
}

/** One reference, for `why`. */
export interface NeighbourOrder extends Pick<MatchingScope, 'dayOf' | 'decided' | 'environment'> {
  readonly reference: string;
}

/** Lines of one side of a leg with one of these amounts. */
export interface AmountOrder {
  readonly kind: StatementKind;
  readonly environment: Environment;
  readonly currency: string;
  readonly types: readonly LineType[];
  /** What moves the balance, in minor units. */
  readonly amounts: readonly bigint[];
  /** The first and the last day, a few days apart. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

export interface AmountLine {
  readonly date: string;
  readonly amount: bigint;
  readonly statement: number;
  readonly row: number;
  /** The row of ours that has it by the last run; null: none. */
  readonly matchedWith: string | null;
}

/** The read side; part of `Archive`. */
export interface ReconciliationArchive {
  /**
   * Puts the records and the statement lines of these days into the scratch database, and of other days those that share a
   * key with one of them. Lines of statements that were imported later than `asAtMs` are left out; a record that changed
   * later is marked, and `knownRecords` has it as it was.
   */
  readonly fillScratch: (scratch: Scratch, scope: MatchingScope) => Promise<void>;
  /** Adds lines of other days that name a batch or a top-up, which are on our side since. */
  readonly fillNamedLines: (scratch: Scratch, scope: MatchingScope) => Promise<void>;
  /** Puts in the matches that are kept of the lines there. */
  readonly fillKnownMatches: (scratch: Scratch) => Promise<void>;
  /**
   * Puts in the records and lines that share a name with a reference, directly or through others, as they are known now, and
   * the matches that are kept of these lines. Returns false when there are more of them than a person could read.
   */
  readonly fillNeighbours: (scratch: Scratch, order: NeighbourOrder) => Promise<boolean>;
  /** By date. */
  readonly linesOfAmount: (order: AmountOrder) => Promise<AmountLine[]>;
  readonly openRecords: (
    kind: RecordKind,
    period: ReconciledPeriod,
    after: Cursor | null,
  ) => Promise<RowPage<OpenRecord>>;
  readonly knownRecords: (order: KnownOrder) => Promise<KnownRecord[]>;
  readonly evidence: (kind: RecordKind, ids: readonly number[], asAtMs: number) => Promise<RecordEvidence[]>;
  /** Records that changed later than `asAtMs` are left out: `openRecords` has each of them. */
  readonly recordGroups: (kind: RecordKind, order: GroupOrder) => Promise<RecordGroup[]>;
  readonly reservingRefunds: (period: ReconciledPeriod, after: Cursor | null) => Promise<RowPage<ReservingRefund>>;
  readonly refundedTransactions: (
    period: ReconciledPeriod,
    after: Cursor | null,
  ) => Promise<RowPage<RefundedTransaction>>;
  readonly sharedSessions: (after: Cursor | null) => Promise<RowPage<SharedSession>>;
  readonly unseenExpectations: (period: ReconciledPeriod, after: Cursor | null) => Promise<RowPage<UnseenExpectation>>;
  readonly unansweredRequests: (period: ReconciledPeriod) => Promise<UnansweredRequest[]>;
  /** Endpoints that had given a usable answer by then. */
  readonly provenEndpoints: (
    asAtMs: number,
  ) => Promise<readonly { readonly environment: Environment; readonly endpoint: VerificationEndpoint }[]>;
}

/** Reads a walk to its end. */
export async function* walkAll<Row>(
  read: (after: Cursor | null) => Promise<RowPage<Row>>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let after: Cursor | null = null; ; ) {
    const { rows, next }: RowPage<Row> = await read(after);
    yield rows;
    if (next === null) return;
    after = next;
  }
}

/** Records read at once. */
const KNOWN_AT_ONCE = 500;

/** Reads records as they were known at a time, some at once. */
export async function* knownOf(
  archive: Pick<ReconciliationArchive, 'knownRecords'>,
  { ids, ...order }: Pick<KnownOrder, 'kind' | 'ids' | 'asAtMs'>,
): AsyncGenerator<KnownRecord, void, undefined> {
  for (let start = 0; start < ids.length; start += KNOWN_AT_ONCE) {
    yield* await archive.knownRecords({ ...order, ids: ids.slice(start, start + KNOWN_AT_ONCE) });
  }
}
