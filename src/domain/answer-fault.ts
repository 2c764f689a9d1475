import type { Environment } from './environment.ts';
import { currency, readFields, showValue } from './fields.ts';
import type { JsonObject } from './json.ts';
import type { RecordKind } from './lifecycle.ts';
import { environmentFault, objectsToRecord, referenceOf } from './naming.ts';

/** Why an answer is not about the record it was requested for (decision 105): nothing is taken from such an answer. */
export const ANSWER_FAULTS = ['other_environment', 'no_reference', 'other_reference', 'other_currency'] as const;
export type AnswerFaultCode = (typeof ANSWER_FAULTS)[number];

export interface AnswerFault {
  readonly code: AnswerFaultCode;
  /** A clause for a person; quotes no values but currencies, and the reference of an envelope (at most 80 characters). */
  readonly detail: string;
}

/** The record that was asked for. */
export interface AskedRecord {
  readonly kind: RecordKind;
  /** That of the key which asked. */
  readonly environment: Environment;
  readonly reference: string;
  /** By other claims about the record; null while none is known. */
  readonly currency: string | null;
}

const CURRENCY = { currency: currency('currency') };
const MAX_QUOTED = 80;

/**
 * Returns why the object `record` in the answer `root` is not about the record asked for; null when it is. An object on the
 * way to the record that names another reference or environment counts too. Pure.
 */
export function answerFault(asked: AskedRecord, root: JsonObject, record: JsonObject | null): AnswerFault | null {
  const { kind } = asked;
  const fault = otherRecordFault(asked, root, record);
  if (fault !== null) return fault;
  if (record === null || referenceOf(record, kind) === null) {
    return { code: 'no_reference', detail: `it names no ${kind}` };
  }
  const { fields, unreadable } = readFields(record, CURRENCY);
  if (unreadable.length > 0) return { code: 'other_currency', detail: 'its currency is not a text' };
  const stated = showValue(fields.currency ?? null);
  if (stated === null || asked.currency === null || stated === asked.currency) return null;
  return { code: 'other_currency', detail: `it states ${stated}, and the ${kind} is in ${asked.currency}` };
}

/** The record that a request is about; of a new refund the service assigns the reference, so it is null. */
export interface RequestedRecord extends Pick<AskedRecord, 'kind' | 'environment'> {
  readonly reference: string | null;
}

/**
 * Returns why an answer is about another environment or another record; null when no object on the way to the record `record`
 * says so. An answer may name no record at all. Where no reference was asked for, all objects must name the same one. Pure.
 */
export function otherRecordFault(
  { kind, environment, reference }: RequestedRecord,
  root: JsonObject,
  record: JsonObject | null,
): AnswerFault | null {
  const objects = record === null ? objectsToRecord(root, kind) : [...objectsToRecord(root, kind), record];
  const elsewhere = environmentFault(objects, environment);
  if (elsewhere !== null) return { code: 'other_environment', detail: elsewhere };
  const own = record === null ? null : referenceOf(record, kind);
  const names = objects.map((object) => referenceOf(object, kind)).filter((name) => name !== null);
  const expected = reference ?? own ?? names[0];
  if (own !== null && own !== expected) return { code: 'other_reference', detail: `it is about another ${kind}` };
  const other = names.find((name) => name !== expected);
  if (other === undefined) return null;
  // Some envelopes have a request id here: the text lets a person see that.
  const quoted = JSON.stringify(other.slice(0, MAX_QUOTED).toWellFormed());
  return { code: 'other_reference', detail: `the envelope names another reference: ${quoted}` };
}
