// Where values lie on the paper.

export interface Scale {
  readonly from: number;
  readonly to: number;
  /** The coordinate of a value. */
  readonly at: (value: number) => number;
  /** Round values inside the scale. */
  readonly ticks: readonly number[];
}

/** A scale that holds all values and 0. */
export function scaleFromZero(values: readonly number[], room: readonly [number, number], ticks = 4): Scale {
  return scaleOf(Math.min(0, ...values), Math.max(0, ...values), room, ticks);
}

/** A scale that ends where the values do, for bars with their figures beside them. */
export function exactScale(values: readonly number[], [start, end]: readonly [number, number]): Pick<Scale, 'at'> {
  const [from, to] = [Math.min(0, ...values), Math.max(0, ...values)];
  const size = to === from ? 1 : to - from;
  return { at: (value) => start + ((value - from) / size) * (end - start) };
}

/** A scale from the round value below `least` to the round value above `most`. */
export function scaleOf(least: number, most: number, [start, end]: readonly [number, number], ticks = 4): Scale {
  const step = roundStep((most - least) / ticks);
  const from = Math.floor(least / step) * step;
  const to = Math.max(Math.ceil(most / step) * step, from + step);
  const steps = Math.round((to - from) / step);
  return {
    from,
    to,
    at: (value) => start + ((value - from) / (to - from)) * (end - start),
    // Whole steps from 0, so that no tick is 0.30000000000000004.
    ticks: Array.from({ length: steps + 1 }, (_, at) => exact((Math.round(from / step) + at) * step, step)),
  };
}

/** 1, 2 or 5 times a power of ten, no smaller than `least`. */
function roundStep(least: number): number {
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
}

function exact(value: number, step: number): number {
  return Number(value.toFixed(step < 1 ? Math.min(20, Math.ceil(-Math.log10(step)) + 1) : 0));
}

const SHORT = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A tick in a few characters: `−1.5M`, `250k`, `0`. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '\u2212' : '';
  const [unit, name] = SHORT.find(([least]) => size >= least) ?? [1, ''];
  return `${sign}${Number((size / unit).toPrecision(3))}${name}`;
}
