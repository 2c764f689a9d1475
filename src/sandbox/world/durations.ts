import { z } from 'zod';

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const GRAMMAR = /^(\d{1,9})(ms|s|m|h|d)$/;
const LONGEST_MS = 400 * UNITS_MS.d;

/** Reads "90s", "2h", "1d" or a whole number of milliseconds; null for anything else, or for more than 400 days. */
export function parseDuration(value: string | number): number | null {
  const parts = GRAMMAR.exec(String(value));
  const ms = parts
    ? Number(parts[1]) * UNITS_MS[parts[2] as keyof typeof UNITS_MS]
    : /^\d{1,12}$/.test(String(value))
      ? Number(value)
      : null;
  return ms !== null && ms <= LONGEST_MS ? ms : null;
}

/** What is said of anything else. */
export const DURATION_RULE = 'must be a duration such as 90s, 2h or 1d';

/** A duration in a chaos file or a control's body, as milliseconds. */
export const durationSchema = z.union([z.string(), z.number()], DURATION_RULE).transform((value, context) => {
  const ms = parseDuration(value);
  if (ms === null) context.addIssue({ code: 'custom', message: DURATION_RULE });
  return ms ?? 0;
});
