import type { Environment } from './environment.ts';
import { currency, readFields, showValue } from './fields.ts';
import type { JsonObject } from './json.ts';
import type { RecordKind } from './lifecycle.ts';
import { namesOtherEnvironment, objectsToRecord, referenceOf } from './naming.ts';

/** Why an answer is not about the record it was requested for (decision 105): nothing is taken from such an answer. */
export const ANSWER_FAULTS = ['other_environment', 'no_reference', 'other_reference', 'other_currency'] as const;
export type AnswerFaultCode = (typeof ANSWER_FAULTS)[number];

export interface AnswerFault {
  readonly code: AnswerFaultCode;
  /** A clause for a person; quotes no value but currencies. */
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

/**
 * Returns why the object `record` in the answer `root` is not about the record asked for; null when it is. An object on the
 * way to the record that names another reference or environment counts too. Pure.
 */
export function answerFault(asked: AskedRecord, root: JsonObject, record: JsonObject | null): AnswerFault | null {
  const { kind, environment, reference } = asked;
  const objects = record === null ? objectsToRecord(root, kind) : [...objectsToRecord(root, kind), record];
  if (namesOtherEnvironment(objects, environment)) {
    const detail = `a key of ${environment} asked, and it is about the other environment`;
    return { code: 'other_environment', detail };
  }
  if (record === null || referenceOf(record, kind) === null) {
    return { code: 'no_reference', detail: `it names no ${kind}` };
  }
  const isOther = (object: JsonObject) => (referenceOf(object, kind) ?? reference) !== reference;
  if (objects.some(isOther)) return { code: 'other_reference', detail: `it is about another ${kind}` };
  const stated = showValue(readFields(record, CURRENCY).fields.currency ?? null);
  if (stated === null || asked.currency === null || stated === asked.currency) return null;
  return { code: 'other_currency', detail: `it states ${stated}, and the ${kind} is in ${asked.currency}` };
}
