import { RECORD_FIELDS } from '../../../domain/events/stated.ts';
import { perKind, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { ServiceTime, Times } from '../../../domain/records/service-times.ts';
import { readTimestamp } from '../../../time/timestamp.ts';
import { snakeCase } from './snake-case.ts';

const NAMES = perKind((kind) => Object.keys(RECORD_FIELDS[kind].times));
const COLUMNS = perKind((kind) =>
  NAMES[kind].map((name) => ({ name, text: snakeCase(name), utc: `${snakeCase(name)}_utc` })),
);

/** A time as it is kept in an observation: its text, and the instant where the text alone does not give it. */
type KeptTime = string | readonly [text: string, utc: string];

/** Each time has two columns: the text as sent, and the instant in UTC. */
export function timeColumnNames(kind: RecordKind): readonly string[] {
  return COLUMNS[kind].flatMap(({ text, utc }) => [text, utc]);
}

/** Appends the values of `timeColumnNames(kind)`, in that order. */
export function addTimeColumns(kind: RecordKind, times: Times, values: unknown[]): void {
  for (const name of NAMES[kind]) {
    const time = times[name];
    values.push(time?.text ?? null, time?.utc ?? null);
  }
}

export function timesFromColumns(kind: RecordKind, row: Readonly<Record<string, unknown>>): Times {
  const times: Record<string, ServiceTime | null> = {};
  for (const column of COLUMNS[kind]) {
    const [text, utc] = [row[column.text], row[column.utc]];
    times[column.name] = typeof text === 'string' ? { text, utc: typeof utc === 'string' ? utc : null } : null;
  }
  return times;
}

/**
 * Times without a value are left out, and so is `updatedAt` where its text is `time`, the instant of the observation, which has a
 * column of its own.
 */
export function timesToJson(times: Times, time: string | null): Record<string, KeptTime> {
  const json: Record<string, KeptTime> = {};
  for (const name in times) {
    const one = times[name] ?? null;
    if (one === null || (name === 'updatedAt' && one.text === time)) continue;
    const { text, utc } = one;
    json[name] = name === 'updatedAt' || utc === null || namesZone(text) ? text : [text, utc];
  }
  return json;
}

export function timesFromJson(kind: RecordKind, json: Readonly<Record<string, KeptTime>>, time: string | null): Times {
  const times: Record<string, ServiceTime | null> = {};
  for (const name of NAMES[kind]) times[name] = timeFromJson(name, json[name], time);
  return times;
}

function timeFromJson(name: string, kept: KeptTime | undefined, time: string | null): ServiceTime | null {
  if (name === 'updatedAt') {
    const text = typeof kept === 'string' ? kept : time;
    return text === null ? null : { text, utc: time };
  }
  if (kept === undefined) return null;
  return typeof kept === 'string' ? { text: kept, utc: instantIn(kept) } : { text: kept[0], utc: kept[1] };
}

/** Whether a readable time has a zone behind its date. Without one its instant depends on the zone when it was read. */
function namesZone(text: string): boolean {
  return /[Zz+-]/.test(text.slice('yyyy-mm-dd'.length));
}

function instantIn(text: string): string | null {
  const time = readTimestamp(text);
  return time.kind === 'instant' ? time.text : null;
}
