import type { Environment } from '../environment.ts';
import { isObject, type JsonObject, member } from '../events/json.ts';
import { environmentFault, objectsToRecord, referenceOf, valuesNamed } from '../events/naming.ts';
import { keptText } from '../records/fields.ts';
import type { RecordKind } from '../records/lifecycle.ts';

/** Why an answer is not about the record it was requested for (decision 105): nothing is taken from such an answer. */
export const ANSWER_FAULTS = [
  'other_environment',
  'no_reference',
  'other_reference',
  'other_currency',
  'contradiction',
] as const;
export type AnswerFaultCode = (typeof ANSWER_FAULTS)[number];

export interface AnswerFault {
  readonly code: AnswerFaultCode;
  /** A clause for a person; quotes no values but currencies, and the reference of an envelope (at most 80 characters). */
  readonly detail: string;
}

/** The record that was asked for, or that a request is about. */
export interface RequestedRecord {
  readonly kind: RecordKind;
  /** That of the key which asked. */
  readonly environment: Environment;
  /** Null for a new refund: the service assigns its reference. */
  readonly reference: string | null;
  /** By other observations about the record; null while none is known. */
  readonly currency: string | null;
}

export interface AskedRecord extends RequestedRecord {
  readonly reference: string;
}

const MAX_QUOTED = 80;

/**
 * Returns why the object `record` in the answer `root` is not about the record asked for; null when it is. An object on the
 * way to the record that names another reference, environment or currency counts too. Pure.
 */
export function answerFault(asked: AskedRecord, root: JsonObject, record: JsonObject | null): AnswerFault | null {
  const { kind } = asked;
  const fault = otherRecordFault(asked, root, record);
  if (fault !== null) return fault;
  if (record === null || referenceOf(record, kind) === null) {
    return { code: 'no_reference', detail: `it names no ${kind}` };
  }
  return null;
}

/**
 * Returns why an answer is about another environment, record or currency, or contradicts itself; null when no object on the way
 * to the record `record` says so. An answer may name no record at all. Where no reference was asked for, all objects must name the
 * same one, and where no currency is known, all must state the same one. Pure.
 */
export function otherRecordFault(
  requested: RequestedRecord,
  root: JsonObject,
  record: JsonObject | null,
): AnswerFault | null {
  const { kind, environment, reference } = requested;
  const objects = record === null ? objectsToRecord(root, kind) : [...objectsToRecord(root, kind), record];
  const elsewhere = environmentFault(objects, environment);
  if (elsewhere !== null) return { code: 'other_environment', detail: elsewhere };
  const own = record === null ? null : referenceOf(record, kind);
  const names = objects.map((object) => referenceOf(object, kind)).filter((name) => name !== null);
  const expected = reference ?? own ?? names[0];
  if (own !== null && own !== expected) return { code: 'other_reference', detail: `it is about another ${kind}` };
  const other = names.find((name) => name !== expected);
  if (other !== undefined) {
    // Some envelopes have a request id here: the text lets a person see that.
    const quoted = JSON.stringify(other.slice(0, MAX_QUOTED).toWellFormed());
    return { code: 'other_reference', detail: `the envelope names another reference: ${quoted}` };
  }
  return currencyFault(requested, objects, record) ?? statusFault(kind, root, objects);
}

/** A currency that is not a text counts in the record only: elsewhere it may be a list of the currencies that the service knows. */
function currencyFault(
  { kind, currency }: RequestedRecord,
  objects: readonly JsonObject[],
  record: JsonObject | null,
): AnswerFault | null {
  const code = 'other_currency';
  if (record !== null && valuesNamed(record, 'currency').some((value) => typeof value !== 'string')) {
    return { code, detail: 'its currency is not a text' };
  }
  const stated = objects
    .flatMap((object) => valuesNamed(object, 'currency').filter((value) => object === record || value !== ''))
    .filter((value) => typeof value === 'string')
    .map((value) => keptText(value, MAX_QUOTED).replace(/[a-z]/g, (letter) => letter.toUpperCase()));
  const expected = currency ?? stated[0];
  const other = stated.find((one) => one !== expected);
  if (other === undefined) return null;
  if (other === '') return { code, detail: `its currency is empty, and the ${kind} is in ${expected}` };
  const detail =
    currency === null ? `it states ${expected} and ${other}` : `it states ${other}, and the ${kind} is in ${currency}`;
  return { code, detail };
}

/**
 * Objects that name the record must agree in its status. The `status` of a body that has its record in `data` is that of the
 * envelope.
 */
function statusFault(kind: RecordKind, root: JsonObject, objects: readonly JsonObject[]): AnswerFault | null {
  const ofRecord = objects.filter((object) => object !== root || !isObject(member(root, 'data')));
  const statuses = ofRecord
    .filter((object) => referenceOf(object, kind) !== null)
    .map((object) => member(object, 'status'))
    .filter((status) => typeof status === 'string' && status !== '')
    .map((status) => String(status).toLowerCase());
  if (statuses.every((status) => status === statuses[0])) return null;
  return { code: 'contradiction', detail: `it states two statuses of the ${kind}` };
}
