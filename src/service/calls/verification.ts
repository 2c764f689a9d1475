import type { TallyhookError } from '../../domain/error.ts';
import type { JsonObject } from '../../domain/events/json.ts';
import type { VerificationEndpoint } from '../../domain/requests/request.ts';
import { RecordNotFoundError } from '../errors/field-errors.ts';
import { RefusedError } from '../errors/service-error.ts';
import { AuthenticationError, RateLimitedError, UnreadableAnswerError } from '../errors/transport-errors.ts';
import { EndpointUnprovenError, NotVerifiableError } from '../errors/usage-errors.ts';
import type { CallContext } from '../options.ts';
import { requireAnswerAbout, requireNoOtherRecord } from './answer-about.ts';
import type { Caller, ServiceRequest } from './caller.ts';
import type { Envelope } from './envelope.ts';
import { pathWith } from './references.ts';

/** `unproven`: configured, without a usable answer so far. `none`: the path template is null. */
export type EndpointState = 'proven' | 'unproven' | 'none';

/** How the answers of one verification endpoint are read. */
export interface AnswerReader<Answer> {
  /** The object of a response that is the record; null without one. */
  readonly find: (envelope: Envelope) => JsonObject | null;
  /** The record; null when its object is not usable. */
  readonly read: (record: JsonObject, envelope: Envelope) => Answer | null;
  /** The answer that a response without a record stands for; null: it is not usable. */
  readonly withoutRecord?: (envelope: Envelope) => Answer | null;
}

export interface Verification {
  /**
   * Returns what `reader` makes of the answer of a verification endpoint about a reference. Only an answer that names the
   * reference proves the endpoint (decision 105).
   *
   * @throws NotVerifiableError without a path; UnaskableReferenceError; RecordNotFoundError and UnreadableAnswerError once the
   * endpoint is proven; EndpointUnprovenError for any failure of the endpoint itself before that (decisions 47, 72)
   */
  check<Answer>(
    endpoint: VerificationEndpoint,
    asked: { readonly reference: string; readonly currency: string | null },
    reader: AnswerReader<Answer>,
  ): Promise<Answer>;
  state(endpoint: VerificationEndpoint): EndpointState;
}

export function createVerification(
  caller: Caller,
  { environment, paths, proven: known, onProven }: CallContext,
): Verification {
  const proven = new Set<VerificationEndpoint>(known);

  function prove(endpoint: VerificationEndpoint): void {
    if (proven.has(endpoint)) return;
    proven.add(endpoint);
    onProven(endpoint);
  }

  return {
    async check(endpoint, { reference, currency }, { find, read, withoutRecord = () => null }) {
      const template = paths[endpoint];
      if (template === null) throw new NotVerifiableError(endpoint);
      const request: ServiceRequest = {
        method: 'GET',
        path: pathWith(template, reference),
        repeat: 'safe',
        refusal: (facts) => (facts.httpStatus === 404 ? new RecordNotFoundError(facts) : null),
      };
      const asked = { kind: endpoint, environment, reference, currency };
      try {
        const envelope = await caller.call(request);
        const record = find(envelope);
        const answered = record === null ? withoutRecord(envelope) : null;
        if (answered !== null) {
          requireNoOtherRecord(asked, request, envelope);
          return answered;
        }
        requireAnswerAbout(asked, request, envelope, record);
        const answer = read(record, envelope);
        if (answer === null) {
          throw new UnreadableAnswerError(request, envelope.httpStatus, 'shape', 'it holds no status of this record');
        }
        prove(endpoint);
        return answer;
      } catch (error) {
        if (!proven.has(endpoint) && countsAgainstEndpoint(error)) throw new EndpointUnprovenError(template, error);
        throw error;
      }
    },
    state: (endpoint) => (paths[endpoint] === null ? 'none' : proven.has(endpoint) ? 'proven' : 'unproven'),
  };
}

/** A refused key, a rate limit or a network fault would occur at any endpoint, so they do not count. */
function countsAgainstEndpoint(error: unknown): error is TallyhookError {
  if (error instanceof AuthenticationError || error instanceof RateLimitedError) return false;
  return error instanceof RefusedError || error instanceof UnreadableAnswerError;
}
