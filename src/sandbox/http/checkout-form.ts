import { isMistyped } from '../business/cards.ts';
import type { CheckoutChoice, CheckoutCollection } from '../business/checkout.ts';
import { CARD_RULES, expired, hasExpired, MISTYPED } from '../wire/card-fields.ts';
import { PHONE } from '../wire/fields.ts';
import type { World } from '../world/world.ts';

// What the form of the hosted page sends: the same checks as the card helper's and the mobile money endpoint's.

export type FormField = 'card_number' | 'expiry' | 'cvv' | 'phone';
export type FormProblems = Readonly<Partial<Record<FormField, string>>>;

export interface CheckoutForm {
  readonly choice: CheckoutChoice;
  /** The fields as they were typed, so that a refused form shows them again. */
  readonly typed: Readonly<Record<FormField, string>>;
  /** Why a field is refused. Only the fields of the chosen option are checked, and only to pay. */
  readonly problems: FormProblems;
  /** Why the form itself is refused: it names no option or action of the page. Null when it does. */
  readonly unknown: string | null;
}

/** Longer text is cut: the page shows what was typed again. */
const MAX_TYPED = 64;

/** The form that was sent. Defaults: the first option, pay. */
export function readForm(form: URLSearchParams, { checkout }: CheckoutCollection, world: World): CheckoutForm {
  const { paymentOptions } = checkout;
  const [first = 'card'] = paymentOptions;
  const option = paymentOptions.find((known) => known === (form.get('option') ?? first));
  const action = (['pay', 'fail', 'cancel'] as const).find((known) => known === (form.get('action') ?? 'pay'));
  const typed = {
    card_number: typedText(form, 'card_number'),
    expiry: typedText(form, 'expiry'),
    cvv: typedText(form, 'cvv'),
    phone: typedText(form, 'phone'),
  };
  const card = readCard(typed, world);
  const phone = readPhone(typed.phone);
  const unknown =
    option === undefined
      ? `Choose one of the payment options: ${paymentOptions.join(', ')}.`
      : action === undefined
        ? 'Choose to pay, to fail or to cancel.'
        : null;
  const problems = { card: card.problems, momo: phone.problems, bank_transfer: {} }[option ?? first];
  return {
    choice: {
      option: option ?? first,
      action: action ?? 'cancel',
      cardNumber: isEmpty(card.problems) ? card.number : '',
      phone: isEmpty(phone.problems) ? phone.number : '',
    },
    typed,
    problems: unknown === null && action === 'pay' ? problems : {},
    unknown,
  };
}

const isEmpty = (problems: FormProblems): boolean => Object.keys(problems).length === 0;
const typedText = (form: URLSearchParams, field: FormField): string =>
  (form.get(field) ?? '').trim().slice(0, MAX_TYPED);

/** The text without the spaces and hyphens with which people group digits. */
const compact = (text: string): string => text.replace(/[\s-]/g, '');

function readCard(typed: Record<'card_number' | 'expiry' | 'cvv', string>, { settings, clock }: World) {
  const number = compact(typed.card_number);
  const problems: { -readonly [Field in keyof FormProblems]: FormProblems[Field] } = {};
  if (!CARD_RULES.number.pattern.test(number)) problems.card_number = `Enter a card number of ${CARD_RULES.number.is}.`;
  else if (isMistyped(settings, number)) problems.card_number = MISTYPED;
  const expiry = readExpiry(typed.expiry);
  if (expiry === null) problems.expiry = 'Enter the month and the year as MM/YY.';
  else if (hasExpired(expiry, clock.now())) problems.expiry = expired(expiry);
  if (!CARD_RULES.cvv.pattern.test(typed.cvv)) problems.cvv = `Enter ${CARD_RULES.cvv.is}.`;
  return { number, problems };
}

/** The expiry of `12/30`, `12 / 30`, `1230`, `12-30` or `12/2030`; null for any other text. */
function readExpiry(text: string): { expiryMonth: string; expiryYear: string } | null {
  const [, expiryMonth = '', expiryYear = ''] = /^(\d{2})\s*[/-]?\s*(?:20)?(\d{2})$/.exec(text) ?? [];
  const isValid = CARD_RULES.expiryMonth.pattern.test(expiryMonth) && CARD_RULES.expiryYear.pattern.test(expiryYear);
  return isValid ? { expiryMonth, expiryYear } : null;
}

function readPhone(text: string): { number: string; problems: FormProblems } {
  const number = compact(text);
  const phone = 'Enter the number of the phone that pays: 9 to 15 digits, with or without a plus.';
  return { number, problems: PHONE.test(number) ? {} : { phone } };
}
