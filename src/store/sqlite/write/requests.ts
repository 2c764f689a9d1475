import type { Environment } from '../../../domain/environment.ts';
import type {
  CollectionVersion,
  KeptRequest,
  RequestIntent,
  SettledRequest,
  StartedRecord,
} from '../../../domain/requests/request.ts';
import {
  begunRequest,
  type RequestFacts,
  requestKey,
  requestObservation,
  settledRequest,
  UNDER_WAY_MS,
} from '../../../domain/requests/request-state.ts';
import type { Timed } from '../../../time/clock.ts';
import { type Database, writing } from '../engine/database.ts';
import { type RefusalColumns, refusalColumns, refusalFrom } from '../rows/requests.ts';
import { booksTime } from './books-time.ts';
import { provenEndpoints } from './proven-endpoints.ts';
import { recordWrites } from './records.ts';

type RequestName = Pick<RequestIntent, 'kind' | 'environment'> & { readonly key: string };

type RequestRow = Omit<RequestFacts, 'refusal'> & RefusalColumns;

/** Writes our requests; on disk when a method returns. `zone` is the time zone of times without one (decision 87). */
export function requestWrites(database: Database, zone: string) {
  const timeAt = booksTime(database);
  const records = recordWrites(database);
  const underWay = recordWrites(database, { debounceMs: UNDER_WAY_MS });
  const keyOf = {
    open: database
      .prepare<Pick<RequestIntent, 'kind' | 'environment' | 'contentDigest'>, string>(`
        SELECT key FROM requests
        WHERE content_digest = @contentDigest AND kind = @kind AND environment = @environment AND state = 'open'
        ORDER BY id LIMIT 1`)
      .pluck(),
    accepted: database
      .prepare<Pick<RequestIntent, 'kind' | 'environment' | 'reference' | 'contentDigest'>, string>(`
        SELECT key FROM requests
        WHERE reference = @reference AND content_digest = @contentDigest AND kind = @kind AND environment = @environment
          AND state = 'accepted'
        ORDER BY id LIMIT 1`)
      .pluck(),
  };
  const requestOf = database.prepare<RequestName, RequestRow>(`
    SELECT key, reference, content_digest AS contentDigest, state, record_reference AS recordReference, created_at AS createdAtMs,
           settled_at AS settledAtMs, attempts, refusal_status AS refusalStatus, refusal_message AS refusalMessage
    FROM requests WHERE key = @key AND kind = @kind AND environment = @environment`);
  const write = database.prepare<RequestRow & RequestName>(`
    INSERT INTO requests (kind, environment, key, reference, content_digest, state, record_reference, created_at,
                          settled_at, attempts, refusal_status, refusal_message)
    VALUES (@kind, @environment, @key, @reference, @contentDigest, @state, @recordReference, @createdAtMs,
            @settledAtMs, @attempts, @refusalStatus, @refusalMessage)
    ON CONFLICT (key, kind, environment) DO UPDATE SET
      content_digest = excluded.content_digest, state = excluded.state, record_reference = excluded.record_reference,
      created_at = excluded.created_at, settled_at = excluded.settled_at, attempts = excluded.attempts,
      refusal_status = excluded.refusal_status, refusal_message = excluded.refusal_message`);
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

  const observe = (record: StartedRecord, nowMs: number, log = records) =>
    log.observe([requestObservation(record, zone)], timeAt(nowMs));

  return {
    begin: writing(database, (intent: RequestIntent, { nowMs }: Timed): KeptRequest => {
      const { kind, environment, reference, contentDigest, record } = intent;
      const content = { kind, environment, reference, contentDigest };
      const key = requestKey(intent, (state) => keyOf[state].get(content));
      const begun = begunRequest(factsOf(requestOf.get({ kind, environment, key })), key, intent);
      write.run({ ...rowOf(begun), kind, environment });
      if (record !== null && begun.contentDigest === contentDigest) observe(record, nowMs, underWay);
      const { reference: _, settledAtMs: __, refusal: ___, ...kept } = begun;
      return kept;
    }),
    settle: writing(database, (settled: SettledRequest, { nowMs }: Timed): void => {
      const { kind, environment, key, state, record } = settled;
      const known = factsOf(requestOf.get({ kind, environment, key }));
      const request = known === null ? null : settledRequest(known, settled);
      if (request !== null) write.run({ ...rowOf(request), kind, environment });
      if (record !== null) observe(record, nowMs);
      else if (state === 'refused' && request !== null) {
        records.retract({ kind, environment, reference: key }, timeAt(nowMs));
      }
    }),
    track: writing(database, (record: StartedRecord, { nowMs }: Timed) => observe(record, nowMs)),
    knowsRefund: (environment: Environment, reference: string) => refundOf.get(reference, environment) !== undefined,
    pinVersion: writing(
      database,
      (environment: Environment, reference: string, version: CollectionVersion): CollectionVersion =>
        pin.get(reference, environment, version) ?? version,
    ),
    ...provenEndpoints(database),
  };
}

function factsOf(row: RequestRow | undefined): RequestFacts | null {
  if (row === undefined) return null;
  const { refusalStatus, refusalMessage, ...facts } = row;
  return { ...facts, refusal: refusalFrom(row) };
}

function rowOf({ refusal, ...facts }: RequestFacts): RequestRow {
  return { ...facts, ...refusalColumns(refusal) };
}
