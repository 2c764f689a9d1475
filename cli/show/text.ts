import { printableLine } from '../../src/domain/printable.ts';

// Formats text, times and quantities for a terminal. Pure; output.ts prints.

/** Masks an account number, e-mail address or phone number: `••••••6789`, `j•••@example.com`. */
export function masked(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${firstCharacter(text)}•••${text.slice(at)}`;
  const characters = [...text];
  const shown = characters.length >= 8 ? 4 : characters.length >= 5 ? 2 : 0;
  return '•'.repeat(characters.length - shown) + characters.slice(characters.length - shown).join('');
}

/** `850 µs`, `12 ms`, `3.4 s`, `2 min 5 s`, `3 h 20 min`, `4 d 2 h` */
export function duration(milliseconds: number): string {
  if (milliseconds < 0) return `-${duration(-milliseconds)}`;
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)} µs`;
  if (milliseconds < 1000) return `${Number(milliseconds.toPrecision(3))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${Number(seconds.toPrecision(3))} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return twoUnits(whole, MINUTE, SECOND);
  return whole < 86_400 ? twoUnits(whole, HOUR, MINUTE) : twoUnits(whole, DAY, HOUR);
}

/** `512 bytes`, `3.4 MB`, in decimal units. */
export function byteCount(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

/** Lines of at most `width` characters, broken at spaces; a longer word has a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The text on one line of at most `width` characters; `…` stands for what was cut. */
export function clipped(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}

/** ISO 8601 in UTC to the second, `2026-11-20T13:06:03Z`; `-` for no time. */
export function time(instant: Date | number | string | null): string {
  if (instant === null) return '-';
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? printableLine(String(instant)) : `${date.toISOString().slice(0, 19)}Z`;
}

/** ISO 8601 in UTC with milliseconds, for JSON. */
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Shows instants as `2026-11-20 11:05:03` in `zone` (an IANA name); the caller prints the name of the zone. */
export function localTime(zone: string): (ms: number) => string {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields, second: '2-digit' });
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const { year = '', month, day, hour, minute, second } = parts;
    return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`;
  };
}

/** `21:40` on the day of `nowMs`, `21 Nov 21:40` on another, both in `zone`. */
export function shortTime(ms: number, { nowMs, zone }: { nowMs: number; zone: string }): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(ms);
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' });
  const [thisDay, today] = [day.format(ms), day.format(nowMs)];
  if (thisDay === today) return clock;
  const isThisYear = thisDay.slice(-4) === today.slice(-4);
  return `${isThisYear ? thisDay.slice(0, -5) : thisDay} ${clock}`;
}

function firstCharacter(text: string): string {
  return [...text][0] ?? '';
}

interface Unit {
  readonly name: string;
  readonly seconds: number;
}
const SECOND: Unit = { name: 's', seconds: 1 };
const MINUTE: Unit = { name: 'min', seconds: 60 };
const HOUR: Unit = { name: 'h', seconds: 3600 };
const DAY: Unit = { name: 'd', seconds: 86_400 };

function twoUnits(seconds: number, large: Unit, small: Unit): string {
  const rest = Math.floor((seconds % large.seconds) / small.seconds);
  return `${Math.floor(seconds / large.seconds)} ${large.name}${rest === 0 ? '' : ` ${rest} ${small.name}`}`;
}
