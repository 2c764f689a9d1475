import { otherRecordFault, type RequestedRecord } from '../../domain/checks/answer-fault.ts';
import { member } from '../../domain/events/json.ts';
import { recordIn, referenceOf } from '../../domain/events/naming.ts';
import { DuplicateReferenceError } from '../errors/field-errors.ts';
import type { RefusedError } from '../errors/service-error.ts';
import type { UnreadableReason } from '../errors/transport-errors.ts';
import type { Envelope } from './envelope.ts';

/** Statuses of a record that came to nothing: they agree with a refusal. */
const ENDED = ['failed', 'failure', 'declined', 'rejected', 'denied', 'cancelled', 'canceled', 'abandoned', 'error'];

/**
 * Returns why a refusal does not prove that a request that moves money did nothing; null when it does. With HTTP 2xx a
 * `success` that is the text "false" is no refusal. No refusal is about another record, nor shows the record of the request as accepted, except as the
 * earlier record of a reference that is used again (decision 75). Pure.
 */
export function refusalFault(
  requested: RequestedRecord,
  { httpStatus, root, hasOddSuccess }: Envelope,
  refused: RefusedError | null,
): { readonly code: UnreadableReason; readonly detail: string } | null {
  if (refused instanceof DuplicateReferenceError) return null;
  const accepted = httpStatus >= 200 && httpStatus < 300;
  if (accepted && hasOddSuccess) {
    return {
      code: 'contradiction',
      detail: 'the HTTP status means success, and `success` is not the JSON value false',
    };
  }
  const record = recordIn(root, requested.kind);
  // A refusal for lack of funds states the currency of the wallet (interface 7.2).
  const fault = otherRecordFault({ ...requested, currency: null }, root, record);
  if (fault !== null) return fault;
  if (record === null || referenceOf(record, requested.kind) === null) return null;
  const status = member(record, 'status');
  const isEnded = typeof status !== 'string' || ENDED.includes(status.toLowerCase());
  if (isEnded || (!accepted && refused !== null)) return null;
  return { code: 'contradiction', detail: `it means a refusal, and shows the ${requested.kind} as not refused` };
}
