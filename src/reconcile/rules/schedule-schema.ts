import { z } from 'zod';
import { parseAmount, toMinorOrNull } from '../../domain/money/amount.ts';
import { isDay } from '../../domain/reconciling/business-day.ts';
import { BEARERS, ROUNDINGS } from '../../domain/reconciling/rules.ts';
import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import { choice, currency, MAP, text } from '../settings-file/kinds.ts';

// One rule of the fee schedule. Its amounts come as text: digits.ts has kept the digits of numbers.

const DAY = 'must be a day such as 2026-10-01';
const MONEY = 'must be an amount such as 12.50: plain digits, at most two decimals';
const PER_CENT = 'must be a per cent from 0 to 100 such as 1.5: plain digits, at most 8 decimals';
/** Editors accept both ways of writing: 12.50 and "12.50". */
const EITHER = { type: ['string', 'number'] };

const day = () => z.string(DAY).trim().refine(isDay, DAY);

/** An amount of money, as minor units. */
export const money = () =>
  z
    .string(MONEY)
    .refine((value) => minorIn(value) !== null, MONEY)
    .meta(EITHER)
    .transform((value) => minorIn(value) ?? 0n);

const percent = () =>
  z
    .string(PER_CENT)
    .regex(/^(\d{1,2}(\.\d{1,8})?|100(\.0{1,8})?)$/, PER_CENT)
    .meta(EITHER);

const limit = (description: string) => money().nullable().default(null).describe(description);

/** For which charges a rule holds. */
export const spanShape = {
  from: day().describe('The first day.'),
  to: day().nullable().default(null).describe('The last day; null: until further notice.'),
  kind: choice(RECORD_KINDS).describe('What is charged for.'),
  channel: text().nullable().default(null).describe('The channel; null: every one without a rule of its own.'),
  currency: currency().describe('Currency of the amount, the fee, the tax and the duty.'),
};

export const feeRuleSchema = z.strictObject(
  {
    ...spanShape,
    percent: percent().default('0').describe('Per cent of the amount.'),
    fixed: money().prefault('0').describe('Added to the per cent.'),
    cap: limit('The most, before tax.'),
    minimum: limit('The least, before tax.'),
    tax: z
      .strictObject({ percent: percent().describe('Per cent of the fee, rounded half up.') }, MAP)
      .nullable()
      .default(null)
      .describe('Tax on the fee; null: not said, so tax is not judged.'),
    duty: z
      .strictObject(
        {
          threshold: money().describe('The smallest amount that bears it.'),
          amount: money().describe('The stamp duty.'),
          bearer: choice(BEARERS).describe('merchant: the wallet is charged; customer: it is not.'),
        },
        MAP,
      )
      .nullable()
      .default(null)
      .describe('Stamp duty; null: not said, so duty is not judged.'),
    rounding: choice(ROUNDINGS).default('half_up').describe('How half a minor unit of the fee is rounded.'),
  },
  MAP,
);

function minorIn(text: string): bigint | null {
  if (!/^\d{1,17}(\.\d{1,8})?$/.test(text)) return null;
  return toMinorOrNull(parseAmount(text));
}
