import type { Environment } from '../environment.ts';
import { sha256 } from '../events/json.ts';
import type { RecordKind } from '../records/lifecycle.ts';

/** Digits of a trace: two records out of a million share one with a probability of 1 in 500. */
const DIGITS = 12;

/**
 * The id of a record in the log: every line about it carries it, from the delivery through carrying out and the status check to the forward,
 * in any process and after any restart. A digest of what names the record, so that it needs no column and holds no word from outside.
 */
export function traceOf(environment: Environment, kind: RecordKind, reference: string): string {
  return sha256(`${environment} ${kind} ${reference}`).slice(0, DIGITS);
}
