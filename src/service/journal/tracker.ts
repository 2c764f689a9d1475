import type { Environment } from '../../domain/environment.ts';
import { canonicalDigest, type JsonObject } from '../../domain/events/json.ts';
import type { RequestJournal, SettledRequest, StartedRecord } from '../../domain/requests/request.ts';
import { afterUnanswered, provesNothingDone, refusalOf, type Undertaking } from '../calls/outcome.ts';
import { type BodyFields, wireOf } from '../calls/request-body.ts';
import { IdempotencyKeyReusedError } from '../errors/usage-errors.ts';

/** A request under a reference of ours, before it is sent. */
export interface TrackedRequest extends Undertaking {
  readonly kind: 'payout' | 'collection';
  readonly path: string;
  /** The content that the reference is bound to. */
  readonly content: BodyFields;
  /** The facts of its record, in the service's field names. */
  readonly wire: JsonObject;
}

/** A request with what the journal held about it when it was begun. */
export interface BegunRequest extends TrackedRequest {
  /** It was begun before and not refused: it may have been sent. */
  readonly again: boolean;
  /** It was begun before, and the service accepted it. */
  readonly accepted: boolean;
  readonly attempts: number;
}

export interface RequestOutcome<Result> {
  /** Returns the facts that a result adds to the record. */
  readonly wireOf?: (result: Result) => JsonObject;
  /** Whether a refusal leaves a record: a declined card leaves a failed payment. */
  readonly leavesRecord?: (error: unknown) => boolean;
}

type Settled = Pick<SettledRequest, 'state' | 'refusal' | 'record'>;

interface TrackerParts {
  readonly journal: RequestJournal | null;
  readonly environment: Environment;
  readonly nowMs: () => number;
}

/**
 * Returns the functions that keep requests in the journal, if there is one: reference and record before anything is sent, so
 * that the status can be checked after a crash, and then the outcome.
 */
export function createRequestTracker({ journal, environment, nowMs }: TrackerParts) {
  function recordOf({ kind, reference, wire }: TrackedRequest, more: JsonObject = {}): StartedRecord {
    return { kind, environment, reference, wire: { ...wire, ...more } };
  }

  async function settle(begun: BegunRequest, outcome: Settled): Promise<void> {
    const { kind, reference: key, attempts } = begun;
    await journal?.settle({ kind, environment, key, attempts, ...outcome, nowMs: nowMs() });
  }

  return {
    /** Keeps the request. Throws IdempotencyKeyReusedError when the reference is bound to other content. */
    async begin(request: TrackedRequest): Promise<BegunRequest> {
      const { kind, path, reference, content } = request;
      const contentDigest = canonicalDigest([path, wireOf(content)]);
      const keys = { reference, key: reference, proposedKey: reference };
      const intent = { kind, environment, contentDigest, ...keys, record: recordOf(request), nowMs: nowMs() };
      const kept = await journal?.begin(intent);
      if (kept === undefined) return { ...request, again: false, accepted: false, attempts: 1 };
      if (kept.contentDigest !== contentDigest) throw new IdempotencyKeyReusedError(reference, 'reference');
      const { attempts, state } = kept;
      return { ...request, again: attempts > 1, accepted: state === 'accepted', attempts };
    },
    /** Runs the request and keeps its outcome. A refused repetition of an unanswered one is an AmbiguousOutcomeError. */
    async settled<Result>(
      begun: BegunRequest,
      run: () => Promise<Result>,
      { wireOf: more = () => ({}), leavesRecord = () => false }: RequestOutcome<Result> = {},
    ): Promise<Result> {
      let result: Result;
      try {
        result = await run();
      } catch (error) {
        // An error outside the call, such as one of the codec, proves nothing; a refusal of a repetition proves only that this
        // attempt did nothing.
        if (!begun.again && provesNothingDone(error)) {
          const record = leavesRecord(error) ? recordOf(begun) : null;
          await settle(begun, { state: 'refused', refusal: refusalOf(error), record });
        }
        const { operation, reference } = begun;
        throw begun.again && !begun.accepted ? afterUnanswered({ operation, reference }, error) : error;
      }
      // Outside the try: a fault of the journal must not mark an accepted request as refused.
      await settle(begun, { state: 'accepted', refusal: null, record: recordOf(begun, more(result)) });
      return result;
    },
  };
}
