import { z } from 'zod';
import { MAX_MINOR, money, parseAmount, pointHint, toMinor, toMinorOrNull } from '../../domain/money/amount.ts';
import { cutOffMinutesIn, isDay } from '../../domain/reconciling/business-day.ts';
import { file, folder, numberFromText, reporting, section } from '../settings.ts';

const MOST_DAYS = 3_660;
const DAYS_RULE = `must be null or a whole number of days from 1 to ${MOST_DAYS}`;
const DAY_RULE = 'must be a day such as 2026-10-01';
const CUT_OFF_RULE = 'must be a time of day such as 18:00, or 24:00 for midnight';
const AMOUNT_RULE = 'must be an amount with a point and two decimals at most, such as "1000.50"';
const CURRENCY_RULE = 'is no currency code such as NGN';
const NAME_RULE = 'is no name of an account';
const AMOUNT = /^-?\d{1,18}(?:\.\d{1,2})?$/;
const CURRENCY = /^[A-Z][A-Z0-9]{2,9}$/;

/** What is reconciled, by which rules, and from when on. */
export const reconcile = section({
  rules: file('Rules file of the matching, relative to the folder of this file; null: the standard rules.'),
  statementsFolder: folder(
    'Folder of statements, relative to the folder of this file: a sub-folder per profile, with its profile.yaml.',
  ),
  begin: z
    .strictObject(
      {
        date: z.string(DAY_RULE).refine(isDay, DAY_RULE).describe('First day that is reconciled.'),
        balances: balances().default({}).describe('Opening balances by us of that day, by account and currency.'),
      },
      'must be null or a map with date and balances',
    )
    .nullable()
    .default(null)
    .describe('When your reconciliation begins: records before that day are counted apart.'),
  cutOff: z
    .string(CUT_OFF_RULE)
    .refine((text) => cutOffMinutesIn(text) !== null, CUT_OFF_RULE)
    .default('24:00')
    .describe('When a day ends: 18:00 puts the evening into the next day.'),
  days: z
    .preprocess(numberFromText, z.int(DAYS_RULE).min(1, DAYS_RULE).max(MOST_DAYS, DAYS_RULE).nullable())
    .default(null)
    .meta({
      description: 'Days before today that the job reconciles; null: from the first day of the last month on.',
      default: null,
    }),
});

function balances() {
  const name = z.string().regex(/\S/, NAME_RULE);
  const currency = z.string().regex(CURRENCY, { error: CURRENCY_RULE, abort: true }).refine(isCurrency, CURRENCY_RULE);
  return z.record(
    name,
    z.record(currency, openingBalance(), 'must be a map of currencies'),
    'must be a map of accounts, each a map of currencies',
  );
}

/** Exact minor units from the digits as written: a number of the file comes as its digits (yaml.ts). */
function openingBalance() {
  return z
    .string(AMOUNT_RULE)
    .regex(AMOUNT, { error: ({ input }) => amountRule(String(input)), abort: true })
    .superRefine(reporting(amountRange))
    .transform((text) => toMinor(parseAmount(text)))
    .meta({ type: ['string', 'number'] });
}

function amountRule(text: string): string {
  const hint = pointHint(text);
  return hint === undefined ? AMOUNT_RULE : `${AMOUNT_RULE}: ${hint}`;
}

function amountRange(text: string): string | null {
  if (toMinorOrNull(parseAmount(text)) !== null) return null;
  return `must not exceed ${money(MAX_MINOR)}`;
}

/** Codes of three letters are those of ISO 4217; longer ones are tokens of their own. */
function isCurrency(code: string): boolean {
  return code.length > 3 || Intl.supportedValuesOf('currency').includes(code);
}
