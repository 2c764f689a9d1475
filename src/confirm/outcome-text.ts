import type { Outcome } from '../domain/check.ts';

/** How a check ended, in words for finance people. */
export const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = {
  answered: 'the service gave a status',
  pending: 'the service has accepted it and given no status so far',
  not_found: 'the service does not have the reference, which proves nothing yet',
  unreadable: 'the response cannot be used',
  refused: 'the service refused the request',
  unproven: 'the endpoint has never given a usable answer; check collectionPath and payoutPath',
  unconfirmable: 'there is no status endpoint for it',
  unaskable: 'the reference cannot stand in a request',
  unavailable: 'the service failed, or could not be reached',
  no_answer: 'no complete response came in time',
  rate_limited: 'the service asked for fewer requests',
  key_refused: 'the service refused the key',
};
