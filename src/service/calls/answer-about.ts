import { type AskedRecord, answerFault } from '../../domain/answer-fault.ts';
import type { JsonObject } from '../../domain/json.ts';
import { namesOtherEnvironment, objectsToRecord } from '../../domain/naming.ts';
import type { RequestLine } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { optionalTexts, requireOptions } from './arguments.ts';
import type { Envelope } from './envelope.ts';

/** What a caller of a status check knows about the record. */
export interface StatusOptions {
  /** Its currency by other claims: an answer that states another one is an UnreadableAnswerError. Null or missing: not known. */
  readonly currency?: string | null;
}

/** Returns the currency in the options; null when it is not known. Throws RequestRefusedError. */
export function knownCurrency(options: StatusOptions | undefined): string | null {
  requireOptions(options);
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
  throw new UnreadableAnswerError(requestLine, httpStatus, fault.code, fault.detail);
}

/** Requires that the answer to a POST does not name the other environment. Throws UnreadableAnswerError (`other_environment`). */
export function requireOwnEnvironment(
  { kind, environment }: Pick<AskedRecord, 'kind' | 'environment'>,
  requestLine: RequestLine,
  { httpStatus, root }: Envelope,
): void {
  if (!namesOtherEnvironment(objectsToRecord(root, kind), environment)) return;
  const detail = `a key of ${environment} asked, and it is about the other environment`;
  throw new UnreadableAnswerError(requestLine, httpStatus, 'other_environment', detail);
}
