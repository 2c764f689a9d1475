import type { JsonObject } from '../../domain/events/json.ts';
import { RECORD_FIELDS } from '../../domain/events/stated.ts';
import { AMOUNT_FACT } from '../../domain/expectations/expectation.ts';
import { type FieldTable, readFields } from '../../domain/records/fields.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';

/** What an error says of an answer whose money cannot be compared with the request. */
export const UNREADABLE_MONEY = 'its amount or currency cannot be read';

/**
 * Whether the amount and the currency in a record can be read, as far as it states them. Where a request is compared with an
 * answer, a value that cannot be read is no missing one: it may be another amount. Pure.
 */
export function isMoneyReadable(kind: RecordKind, record: JsonObject): boolean {
  const { facts }: FieldTable = RECORD_FIELDS[kind];
  const names: readonly string[] = [AMOUNT_FACT[kind], 'currency'];
  return !readFields(record, facts).unreadable.some((name) => names.includes(name));
}
