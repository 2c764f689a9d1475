// Quantities as a person reads them.

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
  const unit = byteUnit(bytes);
  return `${Number((bytes / unit.bytes).toPrecision(3))} ${unit.name}`;
}

const BYTE_UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** The decimal unit that so many bytes are told in. */
export function byteUnit(bytes: number): { readonly name: (typeof BYTE_UNITS)[number]; readonly bytes: number } {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return { name: BYTE_UNITS[power] ?? 'bytes', bytes: 1000 ** power };
}

/** `0 %`, `2.9 %`, `100 %` */
export function percentText(share: number): string {
  return `${Number((share * 100).toPrecision(share < 0.1 ? 2 : 3))} %`;
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

/** `1 row`, `2 rows`, `2 deliveries` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
