/** `2026-11-20 11:05:03` in a zone (an IANA name): for people who keep books, beside a line that names the zone. */
export function localTime(zone: string): (ms: number) => string {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields, second: '2-digit' });
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const { year = '', month, day, hour, minute, second } = parts;
    return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`;
  };
}
