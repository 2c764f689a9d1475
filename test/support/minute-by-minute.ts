const MINUTE_MS = 60_000;
const FIELDS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** What clocks in `zone` show at an instant, as if it were UTC; whole minutes. */
export function wallMs(instantMs: number, zone: string): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...FIELDS });
    clocks.set(zone, clock);
  }
  const shown = Object.fromEntries(clock.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day, hour, minute } = shown;
  return Date.UTC(year, month - 1, day, hour, minute);
}

const DAY_MS = 24 * 60 * MINUTE_MS;
/** No clock changes twice within it. */
const STEP_MS = 7 * DAY_MS;

/** The instants, to the minute, at which clocks in `zone` change within these years. */
export function changesOf(zone: string, firstYear: number, lastYear: number): number[] {
  const offsetAt = (atMs: number) => wallMs(atMs, zone) - atMs;
  const changes: number[] = [];
  let beforeMs = Date.UTC(firstYear, 0, 1);
  for (let atMs = beforeMs; atMs < Date.UTC(lastYear + 1, 0, 1); atMs += STEP_MS) {
    let [early, late] = [beforeMs, atMs];
    beforeMs = atMs;
    if (offsetAt(early) === offsetAt(late)) continue;
    while (late - early > MINUTE_MS) {
      const middle = early + Math.floor((late - early) / (2 * MINUTE_MS)) * MINUTE_MS;
      if (offsetAt(middle) === offsetAt(early)) early = middle;
      else late = middle;
    }
    changes.push(late);
  }
  return changes;
}

/**
 * The instants after `fromMs` and not after `toMs` at which an expression runs, found by looking at every single minute:
 * slow, and nothing to get wrong. Fixed times: a wall time counts when the clock first reaches it, or jumps over it and is
 * still on its date.
 */
export function runsByLooking(expression: string, zone: string, fromMs: number, toMs: number): number[] {
  const names = namesWall(expression);
  const [minutes = '', hours = ''] = expression.split(' ');
  const isFixed = !/[*/]/.test(minutes + hours);
  const runs = new Set<number>();
  const startMs = fromMs - 180 * MINUTE_MS;
  let reachedMs = wallMs(startMs, zone);
  for (let atMs = startMs + MINUTE_MS; atMs <= toMs; atMs += MINUTE_MS) {
    const wall = wallMs(atMs, zone);
    if (!isFixed && names(wall)) runs.add(atMs);
    for (let passed = reachedMs + MINUTE_MS; isFixed && passed <= wall; passed += MINUTE_MS) {
      if (names(passed) && dateOf(passed) === dateOf(wall)) runs.add(atMs);
    }
    reachedMs = Math.max(reachedMs, wall);
  }
  return [...runs].filter((atMs) => atMs > fromMs);
}

/** The date of a wall time, as days since 1970. */
export function dateOf(wall: number): number {
  return Math.floor(wall / DAY_MS);
}

function namesWall(expression: string): (wall: number) => boolean {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.split(' ');
  const [minutes, hours, days] = [field(minute, 0, 59), field(hour, 0, 23), field(day, 1, 31)];
  const [months, weekdays] = [field(month, 1, 12), field(weekday, 0, 7)];
  return (wall) => {
    const date = new Date(wall);
    const onDay = days.has(date.getUTCDate());
    const onWeekday = weekdays.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays.has(7));
    const today = day === '*' || weekday === '*' ? onDay && onWeekday : onDay || onWeekday;
    return (
      today && minutes.has(date.getUTCMinutes()) && hours.has(date.getUTCHours()) && months.has(date.getUTCMonth() + 1)
    );
  };
}

function field(text: string, least: number, most: number): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [first = least, last = first] = range === '*' ? [least, most] : range.split('-').map(Number);
    for (let value = first; value <= last; value += Number(step)) values.add(value);
  }
  return values;
}
