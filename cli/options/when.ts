import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../../src/time/clock.ts';
import { instantMs, isSkipped, readTimestamp, startOfDayMs } from '../../src/time/timestamp.ts';
import { UsageError } from './options.ts';

const UNIT_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const;

/** A yargs option that takes a length of time (`90s`, `30m`, `24h`, `7d`, `2w`) and returns milliseconds. */
export function lengthOption(name: string, { standard, describe, mayBeZero = true }: LengthFacts) {
  return {
    type: 'string',
    requiresArg: true,
    default: standard,
    describe,
    coerce: (value: unknown): number => {
      if (!mayBeZero && /^0+[smhdw]?$/.test(String(value)))
        throw new UsageError(`--${name} is ${JSON.stringify(value)}: it must be one second or more.`);
      return requireLength(name, value);
    },
  } as const;
}

interface LengthFacts {
  readonly standard: string;
  readonly describe: string;
  readonly mayBeZero?: boolean;
}

/** As `lengthOption`, without a default. */
export function optionalLengthOption(name: string, describe: string) {
  return {
    type: 'string',
    requiresArg: true,
    describe,
    coerce: (value: unknown): number | undefined => (value === undefined ? undefined : requireLength(name, value)),
  } as const;
}

function requireLength(name: string, value: unknown): number {
  const lengthMs = lengthOf(String(value));
  if (lengthMs !== null) return lengthMs;
  const rule = /^\d+$/.test(String(value))
    ? `it needs a unit: ${value}s, ${value}m, ${value}h or ${value}d`
    : 'it must be a length of time such as 30m, 24h or 7d';
  throw new UsageError(`--${name} is ${JSON.stringify(value)}: ${rule}.`);
}

function lengthOf(text: string): number | null {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return count === undefined || unit === undefined ? null : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** Now, and the time zone of days and of times that name none. */
export interface Calendar {
  readonly nowMs: number;
  readonly zone: string;
}

/** The calendar of a command: the system's clock and `timeZone` of the configuration. */
export function calendarOf({ timeZone }: { readonly timeZone: string }): Calendar {
  return { nowMs: systemClock.nowMs(), zone: timeZone };
}

const TIME_FORMS =
  'a date (2026-11-20) or a time (2026-11-20T13:00:00) in timeZone, or an ISO time with offset (2026-11-20T13:00:00Z)';

/**
 * Reads an instant, in milliseconds: a date or time in the zone, an ISO time with offset, or how long ago (`90s`, `30m`,
 * `2h`, `7d`, `2w`). A date means the start of that day for `since`, and its end for `until`. `option`: its name, for the error.
 *
 * @throws UsageError
 */
export function instantOf(
  text: string,
  bound: 'since' | 'until',
  { nowMs, zone }: Calendar,
  option: string = bound,
): number {
  const agoMs = lengthOf(text);
  if (agoMs !== null) return nowMs - agoMs;
  const atMs = dayBounds(text, zone)?.[bound] ?? typedInstant(text, zone);
  if (atMs !== null) return atMs;
  const isLocal = readTimestamp(withSeconds(text)).kind === 'local';
  const rule = isLocal ? `clocks in ${zone} skip this time.` : 'not a date or time.';
  throw new UsageError(
    `--${option} is ${JSON.stringify(text)}: ${rule}`,
    `Give ${TIME_FORMS}, or how long ago (2h, 7d).`,
  );
}

/** Returns `--since` and `--until` as a filter takes them. @throws UsageError, also when `--since` is after `--until` */
export function periodOf(
  { since, until }: { readonly since: string | undefined; readonly until: string | undefined },
  calendar: Calendar,
): { sinceMs?: number; untilMs?: number } {
  const sinceMs = since === undefined ? null : instantOf(since, 'since', calendar);
  const untilMs = until === undefined ? null : instantOf(until, 'until', calendar);
  if (sinceMs !== null && untilMs !== null && sinceMs >= untilMs) {
    throw new UsageError(`--since ${since} is not before --until ${until}: nothing lies between them.`);
  }
  return { ...(sinceMs !== null && { sinceMs }), ...(untilMs !== null && { untilMs }) };
}

/** Reads a time in the future, in milliseconds: a time, or a date, meaning its last millisecond. Else null. */
export function comingTime({ zone }: Calendar): (text: string) => number | null {
  return (text) => {
    const end = dayBounds(text, zone)?.until;
    return end === undefined ? typedInstant(text, zone) : end - 1;
  };
}

/** As `comingTime`, or how long from now: `2h`, `7d`, `2w`. */
export function comingTimeFrom(calendar: Calendar): (text: string) => number | null {
  return (text) => {
    const fromNowMs = lengthOf(text);
    return fromNowMs === null ? comingTime(calendar)(text) : calendar.nowMs + fromNowMs;
  };
}

/** The instant of a typed time, which may have no seconds; null for other text, and for a time that clocks in the zone skip. */
function typedInstant(text: string, zone: string): number | null {
  const time = readTimestamp(withSeconds(text));
  return time.kind === 'local' && isSkipped(time.text, zone) ? null : instantMs(withSeconds(text), zone);
}

/** `2026-11-01T02:30:00Z` for `2026-11-01T02:30Z`. */
function withSeconds(text: string): string {
  return text.replace(/^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2})(?=$|[Zz+-])/, '$1:00');
}

/** The start of a day and of the next one; null when the text is no date. */
function dayBounds(text: string, zone: string): { since: number; until: number } | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const since = startOfDayMs(text, zone);
  const until = startOfDayMs(nextDay(text), zone);
  return since === null || until === null ? null : { since, until };
}

function nextDay(text: string): string {
  const noonMs = Date.parse(`${text}T12:00:00Z`);
  return Number.isNaN(noonMs) ? '' : new Date(noonMs + UNIT_MS.d).toISOString().slice(0, 10);
}
