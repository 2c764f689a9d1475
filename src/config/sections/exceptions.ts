import { z } from 'zod';
import { STANDARD_REASONS } from '../../domain/exceptions/reasons.ts';
import { NEEDS, RESOLUTIONS, type ReasonRules } from '../../domain/exceptions/words.ts';
import { MAX_MINOR, money, parseAmount, toMinor, toMinorOrNull } from '../../domain/money/amount.ts';
import { reporting, section, wholeNumber } from '../settings.ts';

const CODE_RULE = 'is no reason code: give letters, digits and _, such as bank_charge';
const CODES_RULE = 'must be a map of reason codes';
const CODE_MAP_RULE = 'must be null or a map of resolution, account, needs and approveAbove';
const RESOLUTION_RULE = `must be null or one of ${RESOLUTIONS.join(', ')}`;
const NEEDS_RULE = `must be a list of ${NEEDS.join(', ')}`;
const ACCOUNT_RULE = 'must be null or the name of an account';
const LIMIT_RULE = 'must be an amount with a point and two decimals at most, such as "1000.50"';
const CURRENCY_RULE = 'is no currency code such as NGN, and not "any" for all others';

/** How long a difference may stand, and with what reasons it is resolved. */
export const exceptions = section({
  overdue: wholeNumber(
    0,
    366,
    5,
    'Business days after which an unresolved exception is overdue, counted from the day it was first seen.',
  ),
  reasons: z
    .record(
      z.string().regex(/^[A-Za-z0-9_]{1,40}$/, CODE_RULE),
      z
        .strictObject(
          {
            resolution: z.enum(RESOLUTIONS, RESOLUTION_RULE).nullable().default(null),
            account: z.string(ACCOUNT_RULE).min(1, ACCOUNT_RULE).nullable().default(null),
            needs: z.array(z.enum(NEEDS, NEEDS_RULE), NEEDS_RULE).default([]),
            approveAbove: z
              .record(
                z.string().regex(/^(?:any|[A-Z][A-Z0-9]{2,9})$/, CURRENCY_RULE),
                limit(),
                'must be a map of currencies',
              )
              .default({}),
          },
          CODE_MAP_RULE,
        )
        .nullable(),
      CODES_RULE,
    )
    .default({})
    .transform(withStandard)
    .describe('Reason codes beside the standard ones; null takes a standard one away.'),
});

function limit() {
  return z
    .string(LIMIT_RULE)
    .regex(/^\d{1,18}(?:\.\d{1,2})?$/, { error: LIMIT_RULE, abort: true })
    .superRefine(reporting(limitRange))
    .transform((text) => toMinor(parseAmount(text)))
    .meta({ type: ['string', 'number'] });
}

function limitRange(text: string): string | null {
  if (toMinorOrNull(parseAmount(text)) !== null) return null;
  return `must not exceed ${money(MAX_MINOR)}`;
}

/** The standard codes, then those of the file; one of the same name takes its place. */
function withStandard(given: Readonly<Record<string, ReasonRules[string] | null>>): ReasonRules {
  const all = Object.entries({ ...STANDARD_REASONS, ...given });
  return Object.fromEntries(all.flatMap(([code, rule]) => (rule === null ? [] : [[code, rule]])));
}
