import { readTimestamp } from '../../src/time/timestamp.ts';
import { UsageError } from './options.ts';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** A yargs option that takes a length of time (`90s`, `30m`, `24h`, `7d`, `2w`) and returns milliseconds. */
export function lengthOption(name: string, { standard, describe }: { standard: string; describe: string }) {
  return {
    type: 'string',
    requiresArg: true,
    default: standard,
    describe,
    coerce: (value: unknown): number => requireLength(name, value),
  } as const;
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

/**
 * Reads an instant, in milliseconds: an ISO time with offset, a UTC date, or how long ago (`90s`, `30m`, `2h`, `7d`, `2w`).
 * A date means the start of that day for `since`, and its end for `until`.
 */
export function instantOf(text: string, option: 'since' | 'until', nowMs: number): number {
  const agoMs = lengthOf(text);
  if (agoMs !== null) return nowMs - agoMs;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const midnight = readTimestamp(`${text}T00:00:00Z`);
    if (midnight.kind === 'instant') return Date.parse(midnight.text) + (option === 'until' ? UNIT_MS.d : 0);
  }
  const time = readTimestamp(text);
  if (time.kind === 'instant') return Date.parse(time.text);
  const problem = time.kind === 'local' ? 'it names no time zone' : 'it is not a time';
  throw new UsageError(
    `--${option} is ${JSON.stringify(text)}: ${problem}.`,
    'Give an ISO time with offset (2026-11-20T13:00:00Z), a date (2026-11-20, UTC) or how long ago (2h, 7d).',
  );
}

/** Reads a time in the future, in milliseconds: an ISO time with offset, or a UTC date, meaning its last millisecond. Else null. */
export function comingTime(text: string): number | null {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = readTimestamp(isDate ? `${text}T23:59:59.999Z` : text);
  return time.kind === 'instant' ? Date.parse(time.text) : null;
}

/** As `comingTime`, or how long from now: `2h`, `7d`, `2w`. */
export function comingTimeFrom(nowMs: number): (text: string) => number | null {
  return (text) => {
    const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
    if (count === undefined || unit === undefined) return comingTime(text);
    return nowMs + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  };
}
