import { printableLine } from '../../src/domain/text/printable.ts';
import { localTime } from '../../src/time/local-time.ts';
import { instantMs, zoneOffsetMs } from '../../src/time/timestamp.ts';
import { widthOf } from './width.ts';

export { byteCount, duration } from '../../src/domain/text/quantity-text.ts';
export { localTime } from '../../src/time/local-time.ts';
export { zonedTime } from '../../src/time/zoned-time.ts';

// Formats text, times and quantities for a terminal; output.ts prints.

/** Lines of at most `width` characters, broken at spaces; a longer word has a line of its own. */
export function wrapped(text: string, width: number, measure: (text: string) => number = widthOf): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && measure(last) + 1 + measure(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The text on one line of at most `width` characters; `…` stands for what was cut. */
export function clipped(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}

/** The zone of times in text, that of the configuration; the context sets it when it loads one. JSON is in UTC. */
let shownZone = 'UTC';
let shownTime = localTime(shownZone);

export function showTimesIn(zone: string): void {
  shownZone = zone;
  shownTime = localTime(zone);
}

/** An instant in the zone of times, with its offset: `2026-11-20 14:06:03+01:00`; `-` for no time. */
export function time(instant: Instant | null): string {
  if (instant === null) return '-';
  const ms = new Date(instant).getTime();
  if (Number.isNaN(ms)) return printableLine(String(instant));
  const minutes = Math.round(zoneOffsetMs(ms, shownZone) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${shownTime(ms)}${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
}

/** A time that we write into a message ourselves, in UTC, behind these words; a value that a message quotes stays as it was given. */
const MESSAGE_TIME = /(?<= (?:since|at|free|possible) |, )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** A message for a person: our own times in it are in the zone of times. */
export function withTimes(message: string): string {
  return message.replace(MESSAGE_TIME, (instant) => time(instant));
}

/** A time that the service wrote: one without a zone is in the zone of times; one that cannot be read stays as it is. */
export function serviceTime(text: string, show: (ms: number) => string = time): string {
  const ms = instantMs(text, shownZone);
  return ms === null ? printableLine(text) : show(ms);
}

/** Whether a field of this name holds a time: `fundedAt`. */
export function isTimeName(name: string): boolean {
  return name.endsWith('At');
}

/** As `time`, without the offset: for a column whose heading names the zone. */
export function timeInColumn(instant: Instant | null): string {
  if (instant === null) return '-';
  const ms = new Date(instant).getTime();
  return Number.isNaN(ms) ? printableLine(String(instant)) : shownTime(ms);
}

/** The day of an instant in the zone of times, `2026-11-20`. */
export function day(ms: number): string {
  return shownTime(ms).slice(0, 10);
}

/** A due time: of a whole day its date alone, `2026-11-30`. */
export function deadline(ms: number): string {
  return shownTime(ms).endsWith(' 23:59:59') ? day(ms) : time(ms);
}

/** The headings of a column of times: where there is room, the second one names the zone. */
export function timeHeader(header: string): { header: string; wideHeader: string } {
  return { header, wideHeader: `${header} (${shownZone})` };
}

/** ISO 8601 in UTC with milliseconds, for JSON. */
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

type Instant = Date | number | string;

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
