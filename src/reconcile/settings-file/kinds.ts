import { z } from 'zod';

// The kinds of settings that profiles and rules share, each with its rule.

export const TEXT = 'must be text of at least one character';
export const MAP = 'must be a map of settings';

export const text = () => z.string(TEXT).trim().min(1, TEXT);

export const choice = <const Value extends string>(
  values: readonly Value[],
  rule = `must be one of ${values.join(', ')}`,
) => z.enum(values, rule);

export const currency = () =>
  z
    .string(TEXT)
    .trim()
    .toUpperCase()
    .regex(/^[A-Z][A-Z0-9]{2,9}$/, 'must be a currency code such as NGN');

/** The name of a profile or of rules: one name stands for one content. */
export const fileName = () =>
  z
    .string(TEXT)
    .trim()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'must be a name of up to 64 letters, digits, points, hyphens and underscores',
    );
