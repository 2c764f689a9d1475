import type { Outcome } from '../domain/check.ts';

/** How a question ended, in words for finance. */
export const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = {
  answered: 'the service gave a status',
  pending: 'the service has taken it, and says no more yet',
  not_found: 'the service does not know the reference, which proves nothing yet',
  unreadable: 'the answer cannot be used',
  refused: 'the service refused the question',
  unproven: 'the endpoint has never given a usable answer; check collectionPath and payoutPath',
  unconfirmable: 'there is no endpoint to ask',
  unaskable: 'the reference cannot stand in a path',
  unavailable: 'the service failed, or could not be reached',
  no_answer: 'no complete answer came in time',
  rate_limited: 'the service asked for fewer questions',
  key_refused: 'the service refused the key',
};
