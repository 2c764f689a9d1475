import { readClaim } from '../../domain/claim.ts';
import type { Environment } from '../../domain/environment.ts';
import { canonicalDigest } from '../../domain/json.ts';
import type {
  CollectionVersion,
  KeptRequest,
  RequestIntent,
  RequestState,
  SettledRequest,
  StartedRecord,
  VerificationEndpoint,
} from '../../domain/request.ts';
import type { RecordObservation } from '../store.ts';
import { type Database, writing } from './database.ts';
import { recordLog } from './record-log.ts';

interface RequestRow {
  key: string;
  content_digest: string;
  state: RequestState;
  record_reference: string | null;
  created_at: number;
  attempts: number;
}

/** Requests of ours, on disk when a method returns. `zone` reads zone-less times (decisions 87). */
export function requestLog(database: Database, zone: string) {
  const records = recordLog(database);
  const openKey = database
    .prepare<Pick<RequestIntent, 'kind' | 'environment' | 'contentDigest'>, string>(`
      SELECT key FROM requests
      WHERE content_digest = @contentDigest AND kind = @kind AND environment = @environment AND state = 'open'
      ORDER BY id LIMIT 1`)
    .pluck();
  // A refused payout never happened, so its reference is free for other content; whatever else is known stays bound.
  const keep = database.prepare<RequestIntent & { key: string }, RequestRow>(`
    INSERT INTO requests (kind, environment, key, reference, content_digest, state, created_at)
    VALUES (@kind, @environment, @key, @reference, @contentDigest, 'open', @nowMs)
    ON CONFLICT (key, kind, environment) DO UPDATE SET
      attempts = CASE WHEN kind = 'payout' AND state = 'refused' THEN 1 ELSE attempts + 1 END,
      content_digest = CASE WHEN kind = 'payout' AND state = 'refused' THEN excluded.content_digest ELSE content_digest END,
      state = CASE WHEN kind = 'payout' AND state = 'refused' THEN 'open' ELSE state END
    RETURNING key, content_digest, state, record_reference, created_at, attempts`);
  const settleOne = database.prepare<Omit<SettledRequest, 'record'> & { recordReference: string | null }>(`
    UPDATE requests SET state = @state, record_reference = coalesce(@recordReference, record_reference),
      settled_at = CASE @state WHEN 'open' THEN NULL ELSE @nowMs END
    WHERE key = @key AND kind = @kind AND environment = @environment`);
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
  const prove = database.prepare<[Environment, VerificationEndpoint, number]>(
    'INSERT OR IGNORE INTO proven_endpoints (environment, endpoint, proven_at) VALUES (?, ?, ?)',
  );
  const proven = database
    .prepare<[Environment], VerificationEndpoint>('SELECT endpoint FROM proven_endpoints WHERE environment = ?')
    .pluck();

  const observe = (record: StartedRecord) => records.observe([observationOf(record, zone)], record.nowMs);

  return {
    begin: writing(database, ({ key: own, ...intent }: RequestIntent): KeptRequest => {
      const { kind, environment, contentDigest, proposedKey } = intent;
      const key = own ?? openKey.get({ kind, environment, contentDigest }) ?? proposedKey;
      return fromRow(keep.get({ ...intent, key }) as RequestRow);
    }),
    settle: writing(database, ({ record, ...settled }: SettledRequest): void => {
      settleOne.run({ ...settled, recordReference: record?.reference ?? null });
      if (record !== null) observe(record);
    }),
    track: writing(database, observe),
    knowsRefund: (environment: Environment, reference: string) => refundOf.get(reference, environment) !== undefined,
    pinVersion: writing(
      database,
      (environment: Environment, reference: string, version: CollectionVersion): CollectionVersion =>
        pin.get(reference, environment, version) ?? version,
    ),
    prove: writing(database, (environment: Environment, endpoint: VerificationEndpoint, nowMs: number) => {
      prove.run(environment, endpoint, nowMs);
    }),
    proven: (environment: Environment): VerificationEndpoint[] => proven.all(environment),
  };
}

/** The same answer is the same observation, however often it was given. */
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
