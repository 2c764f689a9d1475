import type { Environment } from '../../domain/environment.ts';
import { canonicalDigest, type JsonObject } from '../../domain/json.ts';
import type { RequestJournal, RequestState, StartedRecord } from '../../domain/request.ts';
import { afterUnanswered, provesNothingDone, type Undertaking } from '../calls/outcome.ts';
import { type BodyFields, wireOf } from '../calls/request-body.ts';
import { IdempotencyKeyReusedError } from '../errors/usage-errors.ts';

/** A request known by a reference of ours, before it is sent. */
export interface TrackedRequest extends Undertaking {
  readonly kind: 'payout' | 'collection';
  readonly path: string;
  /** What the reference is bound to. */
  readonly content: BodyFields;
  /** What the record of it says, in the service's field names. */
  readonly wire: JsonObject;
}

/** What the journal knew of a request when it was begun. */
export interface BegunRequest extends TrackedRequest {
  /** It was begun before and not refused: it may have been sent. */
  readonly again: boolean;
  /** It was begun before, and the service took it. */
  readonly accepted: boolean;
  readonly attempts: number;
}

export interface RequestOutcome<Answer> {
  /** What an answer adds to the record. */
  readonly wireOf?: (answer: Answer) => JsonObject;
  /** Whether there is a record all the same after a refusal: a declined card leaves a failed payment. */
  readonly leavesRecord?: (error: unknown) => boolean;
}

interface TrackerParts {
  readonly journal: RequestJournal | null;
  readonly environment: Environment;
  readonly nowMs: () => number;
}

/**
 * Keeps requests in the journal, when there is one: reference and record before anything is sent, so that a crash leaves
 * something to ask about, and the outcome after it.
 */
export function createRequestTracker({ journal, environment, nowMs }: TrackerParts) {
  function recordOf({ kind, reference, wire }: TrackedRequest, more: JsonObject = {}): StartedRecord {
    return { kind, environment, reference, wire: { ...wire, ...more }, nowMs: nowMs() };
  }

  async function settle(begun: BegunRequest, state: RequestState, record: StartedRecord | null): Promise<void> {
    const { kind, reference: key, attempts } = begun;
    await journal?.settle({ kind, environment, key, state, attempts, record, nowMs: nowMs() });
  }

  return {
    /** Throws IdempotencyKeyReusedError when the reference is bound to a request with other content. */
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
    async settled<Answer>(
      begun: BegunRequest,
      run: () => Promise<Answer>,
      { wireOf: more = () => ({}), leavesRecord = () => false }: RequestOutcome<Answer> = {},
    ): Promise<Answer> {
      let answer: Answer;
      try {
        answer = await run();
      } catch (error) {
        // What is no error of the call, such as a codec's, says nothing at all; a refusal of a repetition says only that
        // this attempt did nothing.
        if (!begun.again && provesNothingDone(error)) {
          await settle(begun, 'refused', leavesRecord(error) ? recordOf(begun) : null);
        }
        const { operation, reference } = begun;
        throw begun.again && !begun.accepted ? afterUnanswered({ operation, reference }, error) : error;
      }
      // Outside: a journal that fails now must not turn a request that was sent into a refused one.
      await settle(begun, 'accepted', recordOf(begun, more(answer)));
      return answer;
    },
  };
}
