import type { TallyhookError } from '../../domain/error.ts';
import type { VerificationEndpoint } from '../../domain/request.ts';
import { RecordNotFoundError } from '../errors/field-errors.ts';
import { RefusedError } from '../errors/service-error.ts';
import { AuthenticationError, RateLimitedError, UnreadableAnswerError } from '../errors/transport-errors.ts';
import { EndpointUnprovenError, NotVerifiableError } from '../errors/usage-errors.ts';
import type { CallContext } from '../options.ts';
import type { Caller, Question } from './caller.ts';
import type { Envelope } from './envelope.ts';
import { pathWith } from './references.ts';

/** `unproven`: configured, and never answered usably. `none`: the template is null. */
export type EndpointState = 'proven' | 'unproven' | 'none';

export interface Verification {
  /**
   * Asks a verification endpoint about a reference; `read` gives null when the answer is not usable.
   *
   * @throws NotVerifiableError without a path; UnaskableReferenceError; RecordNotFoundError once the endpoint is proven;
   * EndpointUnprovenError for any failure of the endpoint itself before that (decisions 47, 72)
   */
  ask<Answer>(
    endpoint: VerificationEndpoint,
    reference: string,
    read: (envelope: Envelope) => Answer | null,
  ): Promise<Answer>;
  state(endpoint: VerificationEndpoint): EndpointState;
}

export function createVerification(caller: Caller, { paths, proven: known, onProven }: CallContext): Verification {
  const proven = new Set<VerificationEndpoint>(known);

  async function checkOnce<Answer>(question: Question, read: (envelope: Envelope) => Answer | null): Promise<Answer> {
    const envelope = await caller.ask(question);
    const answer = read(envelope);
    if (answer !== null) return answer;
    throw new UnreadableAnswerError(question, envelope.httpStatus, 'shape', 'it holds no record of this reference');
  }

  return {
    async ask(endpoint, reference, read) {
      const template = paths[endpoint];
      if (template === null) throw new NotVerifiableError(endpoint);
      const question: Question = {
        method: 'GET',
        path: pathWith(template, reference),
        repeat: 'safe',
        refusal: (facts) => (facts.httpStatus === 404 ? new RecordNotFoundError(facts) : null),
      };
      try {
        const answer = await checkOnce(question, read);
        if (!proven.has(endpoint)) {
          proven.add(endpoint);
          onProven(endpoint);
        }
        return answer;
      } catch (error) {
        if (!proven.has(endpoint) && countsAgainstEndpoint(error)) throw new EndpointUnprovenError(template, error);
        throw error;
      }
    },
    state: (endpoint) => (paths[endpoint] === null ? 'none' : proven.has(endpoint) ? 'proven' : 'unproven'),
  };
}

/** A wrong key, a limit or a broken network would strike any endpoint. */
function countsAgainstEndpoint(error: unknown): error is TallyhookError {
  if (error instanceof AuthenticationError || error instanceof RateLimitedError) return false;
  return error instanceof RefusedError || error instanceof UnreadableAnswerError;
}
