/** A parsed timestamp: an instant in UTC, a local time without a zone, or unreadable. */
export type Timestamp =
  | { readonly kind: 'instant'; readonly text: string }
  | { readonly kind: 'local'; readonly text: string }
  | { readonly kind: 'unreadable' };

const FORM = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,64}))?(?:(Z|z)|([+-])(\d{2}):?(\d{2})?)?$/;

// Years of four digits: texts then sort as instants do.
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
// Local times stay one day inside those limits, so that every zone can read them; Intl counts the year 0 as 1 BC.
const FIRST_LOCAL = Date.parse('0001-01-02T00:00:00Z');
const LAST_LOCAL = Date.parse('9999-12-30T23:59:59Z');

/** Reads ISO 8601. Returns an instant in UTC with all fraction digits but trailing zeros. */
export function readTimestamp(text: string): Timestamp {
  const parts = FORM.exec(text);
  if (!parts) return { kind: 'unreadable' };
  const [, year, month, day, hour, minute, second, fraction = '', zulu, sign, offsetHours, offsetMinutes = '00'] =
    parts;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const wall = Date.parse(`${written}Z`);
  // Date.parse turns 30 February into a day of March, so another day means that the date does not exist.
  if (Number.isNaN(wall) || Number(day) !== new Date(wall).getUTCDate()) return { kind: 'unreadable' };
  if (zulu === undefined && sign === undefined) {
    return wall < FIRST_LOCAL || wall > LAST_LOCAL ? { kind: 'unreadable' } : { kind: 'local', text };
  }
  const offset = sign === undefined ? 0 : Number(offsetHours) * 60 + Number(offsetMinutes);
  if (offset >= 24 * 60 || Number(offsetMinutes) > 59) return { kind: 'unreadable' };
  const instant = wall - (sign === '-' ? -offset : offset) * 60_000;
  if (instant < FIRST_INSTANT || instant > LAST_INSTANT) return { kind: 'unreadable' };
  return { kind: 'instant', text: instant === wall ? withFraction(written, fraction) : utcText(instant, fraction) };
}

/** Returns whether a name is an IANA time zone of this Node. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the instant of a zone-less text in `zone` (an IANA name), with its fraction digits (decisions 87). */
export function localToInstant(text: string, zone: string): string {
  const [whole = '', fraction = ''] = text.replace(' ', 'T').split('.');
  const wall = Date.parse(`${whole}Z`);
  // The first offset is that of an instant up to a day away; the second is that of the corrected instant.
  const guess = wall - zoneOffsetMs(wall, zone);
  return utcText(wall - zoneOffsetMs(guess, zone), fraction);
}

/** Whether clocks in `zone` skip a zone-less time, as in the hour after which summer time begins. */
export function isSkipped(text: string, zone: string): boolean {
  const [whole = ''] = text.replace(' ', 'T').split('.');
  const instant = Date.parse(localToInstant(whole, zone));
  return instant + zoneOffsetMs(instant, zone) !== Date.parse(`${whole}Z`);
}

/** Returns the first instant of a day (`2026-11-20`) in `zone`, in milliseconds; null when there is no such day. */
export function startOfDayMs(day: string, zone: string): number | null {
  const time = readTimestamp(`${day}T00:00:00`);
  if (time.kind !== 'local') return null;
  const wall = Date.parse(`${day}T00:00:00Z`);
  const found = Date.parse(localToInstant(time.text, zone));
  // Where clocks skip midnight the found instant may lie in the day before; the day then begins where they skip to.
  return found + zoneOffsetMs(found, zone) < wall ? wall - zoneOffsetMs(found, zone) : found;
}

/** Returns whole milliseconds since 1970, or null when the text cannot be read. `zone`: of zone-less texts. */
export function instantMs(text: string, zone: string): number | null {
  const time = readTimestamp(text);
  if (time.kind === 'unreadable') return null;
  return Date.parse(time.kind === 'local' ? localToInstant(time.text, zone) : time.text);
}

/** Compares two UTC texts of this module, fraction digits included; null comes before every time. */
export function compareTimes(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  // Without the Z a text with fewer fraction digits is a prefix, and so the smaller one.
  return one.slice(0, -1) < other.slice(0, -1) ? -1 : 1;
}

function utcText(instantMs: number, fraction: string): string {
  return withFraction(new Date(instantMs).toISOString().slice(0, -5), fraction);
}

function withFraction(seconds: string, fraction: string): string {
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? `${seconds}Z` : `${seconds}.${digits}Z`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns how far clocks in `zone` (an IANA name) are ahead of UTC, in milliseconds. */
export function zoneOffsetMs(instantMs: number, zone: string): number {
  let formatter = formatters.get(zone);
  if (!formatter) {
    const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields, second: '2-digit' });
    formatters.set(zone, formatter);
  }
  const wholeMs = Math.floor(instantMs / 1_000) * 1_000;
  const shown = Object.fromEntries(formatter.formatToParts(wholeMs).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = shown;
  return Date.parse(`${year?.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}Z`) - wholeMs;
}
