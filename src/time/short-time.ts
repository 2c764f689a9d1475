/** `21:40` on the day of `nowMs`, `21 Nov 21:40` on another, both in `zone`. */
export function shortTime(ms: number, { nowMs, zone }: { nowMs: number; zone: string }): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(ms);
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' });
  const [thisDay, today] = [day.format(ms), day.format(nowMs)];
  if (thisDay === today) return clock;
  const isThisYear = thisDay.slice(-4) === today.slice(-4);
  return `${isThisYear ? thisDay.slice(0, -5) : thisDay} ${clock}`;
}
