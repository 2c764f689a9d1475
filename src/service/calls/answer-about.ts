import {
  type AskedRecord,
  answerFault,
  otherRecordFault,
  type RequestedRecord,
} from '../../domain/checks/answer-fault.ts';
import type { JsonObject } from '../../domain/events/json.ts';
import { environmentFault, objectsToRecord, recordIn } from '../../domain/events/naming.ts';
import type { RequestLine } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { optionalTexts, requireOptions } from './arguments.ts';
import type { ServiceRequest } from './caller.ts';
import type { Envelope } from './envelope.ts';
import { scrub } from './scrub.ts';

/** What a caller of a status check knows about the record. */
export interface StatusOptions {
  /** Its currency by other observations: an answer that states another one is an UnreadableAnswerError. Null or missing: not known. */
  readonly currency?: string | null;
}

/** Returns the currency in the options; null when it is not known. Throws RequestRefusedError. */
export function knownCurrency(options: StatusOptions | undefined): string | null {
  requireOptions(options, ['currency']);
  const currency = options?.currency ?? null;
  if (currency !== null) optionalTexts({ currency });
  return currency;
}

/**
 * Requires that an answer is about the record asked for, before any field of it is used (decision 105).
 *
 * @throws UnreadableAnswerError (`shape` without a record, else the fault)
 */
export function requireAnswerAbout(
  asked: AskedRecord,
  requestLine: RequestLine,
  { httpStatus, root }: Envelope,
  record: JsonObject | null,
): asserts record is JsonObject {
  const fault = answerFault(asked, root, record);
  if (fault === null) return;
  if (record === null && fault.code === 'no_reference') {
    throw new UnreadableAnswerError(requestLine, httpStatus, 'shape', `it holds no record of this ${asked.kind}`);
  }
  throw new UnreadableAnswerError(requestLine, httpStatus, fault.code, scrub(fault.detail, []));
}

/**
 * Requires that the answer to a POST, or one without a record, names no other record, environment or currency, on any object on
 * the way to its record (decision 105), and no two statuses. It may name none.
 *
 * @throws UnreadableAnswerError (`other_reference`, `other_environment`, `other_currency`, `contradiction`)
 */
export function requireNoOtherRecord(
  requested: RequestedRecord,
  request: RequestLine & Pick<ServiceRequest, 'sensitive'>,
  { httpStatus, root }: Envelope,
): void {
  const fault = otherRecordFault(requested, root, recordIn(root, requested.kind));
  if (fault === null) return;
  throw new UnreadableAnswerError(request, httpStatus, fault.code, scrub(fault.detail, request.sensitive ?? []));
}

/** Requires that a page of a list names no other environment. Throws UnreadableAnswerError (`other_environment`). */
export function requireOwnEnvironment(
  { kind, environment }: Pick<AskedRecord, 'kind' | 'environment'>,
  requestLine: RequestLine,
  { httpStatus, root }: Envelope,
): void {
  const detail = environmentFault(objectsToRecord(root, kind), environment);
  if (detail === null) return;
  throw new UnreadableAnswerError(requestLine, httpStatus, 'other_environment', detail);
}
