import { readClaim } from '../../../domain/claim.ts';
import type { Environment } from '../../../domain/environment.ts';
import { canonicalDigest } from '../../../domain/json.ts';
import type { RecordObservation } from '../../../domain/observation.ts';
import type {
  CollectionVersion,
  KeptRequest,
  RequestIntent,
  RequestState,
  SettledRequest,
  StartedRecord,
} from '../../../domain/request.ts';
import { type Database, writing } from '../engine/database.ts';
import { provenEndpoints } from './proven-endpoints.ts';
import { recordWrites } from './records.ts';

interface RequestRow {
  key: string;
  content_digest: string;
  state: RequestState;
  record_reference: string | null;
  created_at: number;
  attempts: number;
}

/** A request without an answer is checked after this, when its call must have ended; an answered one at once. */
const UNDER_WAY_MS = 60_000;

/** Writes our requests; on disk when a method returns. `zone` is the time zone of times without one (decision 87). */
export function requestWrites(database: Database, zone: string) {
  const records = recordWrites(database);
  const underWay = recordWrites(database, { debounceMs: UNDER_WAY_MS });
  const openKey = database
    .prepare<Pick<RequestIntent, 'kind' | 'environment' | 'contentDigest'>, string>(`
      SELECT key FROM requests
      WHERE content_digest = @contentDigest AND kind = @kind AND environment = @environment AND state = 'open'
      ORDER BY id LIMIT 1`)
    .pluck();
  const acceptedKey = database
    .prepare<Pick<RequestIntent, 'kind' | 'environment' | 'reference' | 'contentDigest'>, string>(`
      SELECT key FROM requests
      WHERE reference = @reference AND content_digest = @contentDigest AND kind = @kind AND environment = @environment
        AND state = 'accepted'
      ORDER BY id LIMIT 1`)
    .pluck();
  // A refused request never happened: it begins anew, and its reference is free for other content. Any other stays bound
  // to its content, and only another beginning with that content counts as an attempt.
  const keep = database.prepare<Omit<RequestIntent, 'record'> & { key: string }, RequestRow>(`
    INSERT INTO requests (kind, environment, key, reference, content_digest, state, created_at)
    VALUES (@kind, @environment, @key, @reference, @contentDigest, 'open', @nowMs)
    ON CONFLICT (key, kind, environment) DO UPDATE SET
      attempts = iif(${ANEW}, 1, attempts + (content_digest = excluded.content_digest)),
      created_at = iif(${ANEW}, excluded.created_at, created_at),
      settled_at = iif(${ANEW}, NULL, settled_at),
      content_digest = iif(${ANEW}, excluded.content_digest, content_digest),
      state = iif(${ANEW}, 'open', state)
    RETURNING key, content_digest, state, record_reference, created_at, attempts`);
  const settleOne = database.prepare<Omit<SettledRequest, 'record'> & { recordReference: string | null }>(`
    UPDATE requests SET state = @state, record_reference = coalesce(@recordReference, record_reference),
      settled_at = iif(@state = 'open', NULL, @nowMs)
    WHERE key = @key AND kind = @kind AND environment = @environment
      AND (state <> 'accepted' OR @state = 'accepted')
      AND (@state <> 'refused' OR attempts = @attempts)`);
  const refundOf = database
    .prepare<[string, Environment], number>(
      "SELECT 1 FROM requests WHERE record_reference = ? AND kind = 'refund' AND environment = ?",
    )
    .pluck();
  const pin = database
    .prepare<[string, Environment, CollectionVersion], CollectionVersion>(`
      INSERT INTO payment_versions (reference, environment, version) VALUES (?, ?, ?)
      ON CONFLICT (reference, environment) DO UPDATE SET version = version
      RETURNING version`)
    .pluck();

  const observe = (record: StartedRecord, log = records) => log.observe([observationOf(record, zone)], record.nowMs);

  return {
    begin: writing(database, ({ key: own, record, ...intent }: RequestIntent): KeptRequest => {
      const { kind, environment, reference, contentDigest, proposedKey } = intent;
      const content = { kind, environment, contentDigest };
      const key = own ?? openKey.get(content) ?? acceptedKey.get({ ...content, reference }) ?? proposedKey;
      const kept = fromRow(keep.get({ ...intent, key }) as RequestRow);
      if (record !== null && kept.contentDigest === contentDigest) observe(record, underWay);
      return kept;
    }),
    settle: writing(database, ({ record, ...settled }: SettledRequest): void => {
      const { changes } = settleOne.run({ ...settled, recordReference: record?.reference ?? null });
      const { kind, environment, key: reference, state, nowMs } = settled;
      if (record !== null) observe(record);
      else if (state === 'refused' && changes === 1) records.retract({ kind, environment, reference }, nowMs);
    }),
    track: writing(database, (record: StartedRecord) => observe(record)),
    knowsRefund: (environment: Environment, reference: string) => refundOf.get(reference, environment) !== undefined,
    pinVersion: writing(
      database,
      (environment: Environment, reference: string, version: CollectionVersion): CollectionVersion =>
        pin.get(reference, environment, version) ?? version,
    ),
    ...provenEndpoints(database),
  };
}

/** True of a refused row in `requests`, which begins anew. A refund's idempotency key stays bound to its content. */
const ANEW = "state = 'refused' AND (kind <> 'refund' OR content_digest = excluded.content_digest)";

/** The same answer is the same observation, however often it comes. */
function observationOf({ kind, environment, reference, wire }: StartedRecord, zone: string): RecordObservation {
  return {
    kind,
    environment,
    reference,
    eventId: null,
    observation: {
      witness: 'request',
      identity: `request:${canonicalDigest(wire)}`,
      eventKey: '',
      answer: null,
      claim: readClaim(kind, wire, zone),
    },
  };
}

function fromRow(row: RequestRow): KeptRequest {
  return {
    key: row.key,
    contentDigest: row.content_digest,
    state: row.state,
    recordReference: row.record_reference,
    createdAtMs: Number(row.created_at),
    attempts: Number(row.attempts),
  };
}
