import { readTimestamp } from '../../time/timestamp.ts';
import { isObject, type Json, type JsonObject, member } from './json.ts';

/** The times of a record (interface 2.4; `created_at` and `paid_at` are observed, decisions part 1). */
const TIMES: readonly string[] = ['requested_at', 'completed_at', 'updated_at', 'created_at', 'paid_at'];
/** The time in a refund's `funding`. */
const FUNDING_TIMES: readonly string[] = ['funded_at'];

/**
 * Returns the content with the times of its record as UTC: `Z`, `.000` and another offset are spellings of one instant. A time
 * without an offset, any other text and any other field stay as they were sent.
 */
export function withTimesInUtc(content: Json): Json {
  const data = isObject(content) ? member(content, 'data') : undefined;
  if (!isObject(content) || !isObject(data)) return content;
  const funding = member(data, 'funding');
  const inUtc = instantsIn(data, TIMES);
  return {
    ...content,
    data: isObject(funding) ? { ...inUtc, funding: instantsIn(funding, FUNDING_TIMES) } : inUtc,
  };
}

function instantsIn(object: JsonObject, names: readonly string[]): JsonObject {
  const changed: JsonObject = { ...object };
  for (const name of names) {
    const value = member(object, name);
    const time = typeof value === 'string' ? readTimestamp(value) : null;
    if (time?.kind === 'instant') changed[name] = time.text;
  }
  return changed;
}
