import type { Environment } from '../../../domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Clock } from '../../../time/clock.ts';
import type { EventSummary } from '../../events.ts';
import type { RecordDetail } from '../../records.ts';
import type { Listing, RecordStory, RequestSummary, Story, StoryFilter, VariantSummary } from '../../story.ts';
import type { Database } from '../engine/database.ts';
import { snapshot } from '../engine/reading.ts';
import { type RefusalColumns, refusalFrom } from '../rows/requests.ts';
import type { EventReads } from './events.ts';
import type { FindingReads } from './findings.ts';
import { recordForwards } from './outbox-record.ts';
import type { RecordReads } from './records.ts';

/** Most events read of one reference: a record has a handful, thousands are an attack or a mistake. */
const EVENTS = 10_000;
/** Most refunds read of one transaction: partial refunds are a handful. */
const REFUNDS = 1_000;

type RequestRow = Omit<RequestSummary, 'refusal'> & RefusalColumns;

interface Parts {
  readonly events: EventReads;
  readonly findings: FindingReads;
  readonly records: Readonly<Record<RecordKind, RecordReads>>;
  readonly clock: Clock;
}

/** Reads everything about one reference on one state of the database; every step is a look-up by key. */
export function storyReads(database: Database, { events, findings, records, clock }: Parts) {
  const forwardsOf = recordForwards(database, clock);
  const variantsOf = database.prepare<[number], VariantSummary>(`
    SELECT id, event_id AS eventId, key_id AS keyId, merchant_signature AS merchantSignature, received_at AS receivedAtMs,
           last_received_at AS lastReceivedAtMs, deliveries, pruned_at AS prunedAtMs
    FROM variants WHERE event_id = ? ORDER BY id`);
  const listingOf = database.prepare<[number], Listing>(`
    SELECT listed_at AS listedAtMs, absences,
           (SELECT finished_at FROM backfills WHERE id = missed_in) AS missedAtMs
    FROM refund_listings WHERE record_id = ?`);
  const requestsOf = database.prepare<{ reference: string }, RequestRow>(`
    SELECT id, kind, environment, key, reference, state, record_reference AS recordReference, attempts,
           created_at AS createdAtMs, settled_at AS settledAtMs, refusal_status AS refusalStatus,
           refusal_message AS refusalMessage
    FROM requests
    WHERE id IN (SELECT id FROM requests WHERE record_reference = @reference
                 UNION SELECT id FROM requests WHERE reference = @reference
                 UNION SELECT id FROM requests WHERE key = @reference)
    ORDER BY id`);

  // Without those that are records of the reference themselves.
  const refundsOf = database
    .prepare<{ reference: string; environment: Environment | null; limit: number }, number>(`
      SELECT id FROM refunds
      WHERE transaction_reference = @reference AND reference <> @reference
        AND (@environment IS NULL OR environment = @environment)
      ORDER BY id LIMIT @limit`)
    .pluck();

  function storyOf(
    record: RecordDetail,
    all: readonly EventSummary[],
    requests: readonly RequestSummary[],
  ): RecordStory {
    const own = all.filter((event) => isOf(event, record));
    return {
      record,
      events: own,
      variants: own.flatMap(({ id, variants }) => (variants === 0 ? [] : variantsOf.all(id))),
      requests: requests.filter((request) => isAnsweredBy(request, record)),
      listing: record.kind === 'refund' ? (listingOf.get(record.id) ?? null) : null,
      findings: findings.allOf(record.kind, record.id),
      ...forwardsOf(record),
    };
  }

  return snapshot(database, (reference: string, { environment, kind }: StoryFilter): Omit<Story, 'reconciled'> => {
    const found = events.ofReference(reference, EVENTS + 1);
    const all = found.slice(0, EVENTS);
    const requests = requestsOf.all({ reference }).map(requestFromRow);
    const kinds = kind === undefined ? RECORD_KINDS : [kind];
    const details = kinds.flatMap((each) => records[each].details(reference, environment));
    const stories = details.map((record) => storyOf(record, all, requests));
    // A payout is not refunded.
    const refundIds =
      kind === 'payout' ? [] : refundsOf.all({ reference, environment: environment ?? null, limit: REFUNDS + 1 });
    const isWanted = (one: { readonly environment: Environment; readonly kind: string }) =>
      (environment === undefined || one.environment === environment) &&
      (kind === undefined || one.kind === kind || one.kind === 'unknown');
    const eventsOfRecords = new Set(stories.flatMap((story) => story.events.map(({ id }) => id)));
    const requestsOfRecords = new Set(stories.flatMap((story) => story.requests.map(({ id }) => id)));
    return {
      records: stories,
      events: all.filter((event) => isWanted(event) && !eventsOfRecords.has(event.id)),
      requests: requests.filter((request) => isWanted(request) && !requestsOfRecords.has(request.id)),
      refunds: refundIds.slice(0, REFUNDS).flatMap((id) => records.refund.ofId(id) ?? []),
      truncated: found.length > EVENTS || refundIds.length > REFUNDS,
    };
  });
}

function requestFromRow(row: RequestRow): RequestSummary {
  const { refusalStatus: _, refusalMessage: __, ...request } = row;
  return { ...request, refusal: refusalFrom(row) };
}

function isOf({ kind, environment, state }: EventSummary, record: RecordDetail): boolean {
  return kind === record.kind && environment === record.environment && state === 'observed';
}

/** A payout or collection is requested by its own reference, and so matches also while the outcome is unknown. */
function isAnsweredBy(request: RequestSummary, { kind, environment, reference }: RecordDetail): boolean {
  if (request.kind !== kind || request.environment !== environment) return false;
  return request.recordReference === reference || (kind !== 'refund' && request.reference === reference);
}
