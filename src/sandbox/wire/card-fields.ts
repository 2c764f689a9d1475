import { z } from 'zod';
import { requiredText } from './fields.ts';
import { WireNumber } from './json.ts';

/** What each field of a card must be, for the card helper and for the hosted page (interface 2.2). */
export const CARD_RULES = {
  number: { pattern: /^\d{12,19}$/, is: '12 to 19 digits' },
  expiryMonth: { pattern: /^(0[1-9]|1[0-2])$/, is: 'a month of two digits' },
  expiryYear: { pattern: /^\d{2}$/, is: 'a year of two digits' },
  cvv: { pattern: /^\d{3,4}$/, is: 'three or four digits' },
} as const;

const cardField = (name: keyof typeof CARD_RULES) =>
  requiredText(`data.${name}`).regex(CARD_RULES[name].pattern, `The data.${name} must be ${CARD_RULES[name].is}.`);

/** The `data` of the card helper. */
export const cardSchema = z.preprocess(
  // a JSON number is a WireNumber object here and must not pass as a card object
  (data) => (data instanceof WireNumber ? data.token : data),
  z.object(
    {
      number: cardField('number'),
      expiryMonth: cardField('expiryMonth'),
      expiryYear: cardField('expiryYear'),
      cvv: cardField('cvv'),
    },
    'The data field is required and must be an object.',
  ),
);

/** Whether the last digit of a card number is the check digit of the others (ISO/IEC 7812): one wrong digit never passes. */
export function hasCheckDigit(number: string): boolean {
  const digits = Array.from(number, Number).reverse();
  const counted = digits.map((digit, place) => (place % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)));
  return counted.reduce((sum, digit) => sum + digit, 0) % 10 === 0;
}

/** The message for a card number with a wrong check digit. */
export const MISTYPED = 'This card number is mistyped: its check digit does not fit.';

/** Whether a card is past the last day of its month, in UTC. Both texts have two digits; the year is of this century. */
export function hasExpired(
  card: { readonly expiryMonth: string; readonly expiryYear: string },
  nowMs: number,
): boolean {
  return nowMs >= Date.UTC(2000 + Number(card.expiryYear), Number(card.expiryMonth));
}

/** The message for an expired card. */
export const expired = (card: { readonly expiryMonth: string; readonly expiryYear: string }): string =>
  `This card expired at the end of ${card.expiryMonth}/${card.expiryYear}.`;
