import { localToInstant, readTimestamp, type Timestamp } from '../../time/timestamp.ts';
import type { JsonObject } from '../events/json.ts';
import { type FieldSpec, readText } from './fields.ts';

/**
 * A time that the service gave: its text, and the instant in UTC, null where the text cannot be read. The text of `updated_at` is the
 * instant, where it is one: it keys the event, so deliveries that spell it in two ways are one event, whichever came first.
 */
export interface ServiceTime {
  readonly text: string;
  readonly utc: string | null;
}

/** The times of a record or observation by name, `paidAt`. Null: not given. */
export type Times = Readonly<Record<string, ServiceTime | null>>;

/** Reads the times of a record's object. `updated`: the instant of `updated_at`, which is read already. */
export function readTimes(
  source: JsonObject,
  specs: Readonly<Record<string, FieldSpec>>,
  { zone, updated }: { readonly zone: string; readonly updated: string | null },
): Times {
  const times: Record<string, ServiceTime | null> = {};
  for (const name in specs) {
    const text = readText(source, (specs[name] as FieldSpec).from);
    if (text === null || text === '') {
      times[name] = null;
      continue;
    }
    const time = readTimestamp(text);
    if (name !== 'updatedAt') times[name] = { text, utc: instantOf(time, zone) };
    else times[name] = { text: time.kind === 'instant' ? time.text : text, utc: updated };
  }
  return times;
}

/** Returns the instant in UTC; null when the timestamp is unreadable. `zone`: of zone-less ones (decision 87). */
export function instantOf(time: Timestamp, zone: string): string | null {
  if (time.kind === 'unreadable') return null;
  return time.kind === 'local' ? localToInstant(time.text, zone) : time.text;
}
