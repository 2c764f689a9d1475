import { z } from 'zod';
import {
  amountText,
  emailText,
  optionalText,
  readFields,
  referenceText,
  required,
  requiredText,
} from '../wire/fields.ts';
import { refuse, refuseCheckout } from '../wire/refusal.ts';
import {
  type CheckoutSession,
  type Collection,
  CURRENCIES,
  type Currency,
  PAYMENT_OPTIONS,
  type PaymentOption,
} from '../world/records.ts';
import type { World } from '../world/world.ts';
import { cardOutcome, declineOf } from './cards.ts';
import { CHANNEL_CURRENCIES } from './collection-request.ts';
import { findCollection, finishCollection, openCollection } from './collections.ts';
import { ownerOfPublicKey } from './merchants.ts';

// Inline checkout (interface 2.6, 4.3, 7.3): a session starts with a public key and ends on the hosted page.

/** A collection started by inline checkout. */
export type CheckoutCollection = Collection & { readonly checkout: CheckoutSession };

const isTextArray = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const optionsField = z
  .custom<string[]>(isTextArray, 'The payment_options must be an array of strings.')
  .refine((options) => options.length > 0, 'The payment_options must name at least one option.')
  .refine((options) => options.every((option) => (PAYMENT_OPTIONS as readonly string[]).includes(option)), {
    error: `The payment_options may only contain: ${PAYMENT_OPTIONS.join(', ')}.`, // decision 68
  })
  .transform((options) => [...new Set(options)] as PaymentOption[])
  .nullish();

const checkoutSchema = z.object({
  reference: referenceText(),
  amount: amountText(),
  currency: requiredText('currency'),
  email: emailText(),
  name: requiredText('name'),
  callback_url: requiredText('callback_url', 2000),
  phone: optionalText('phone'),
  payment_options: optionsField,
});

/** A new checkout session; its page is at `/pay/{reference}`. Throws the errors of interface 7.3. */
export function startCheckout(world: World, body: unknown, headerKey: string | undefined): CheckoutCollection {
  const key = publicKey(body, headerKey);
  const scope = key === null ? undefined : ownerOfPublicKey(world, key);
  if (key !== null && !scope) throw refuse(401, 'Invalid public key');
  const { fields, errors } = readFields(checkoutSchema, body);
  const missingKey = key === null ? { public_key: [required('public_key')] } : {};
  if (errors || !scope) throw refuseCheckout({ ...missingKey, ...errors });
  if (!isWebUrl(fields.callback_url)) throw refuse(422, 'The callback URL must be a valid http or https URL');
  const currency = CURRENCIES.find((known) => known === fields.currency);
  if (!currency) throw refuse(422, 'Unsupported currency');
  if (findCollection(world, scope, fields.reference)) throw refuse(409, 'Transaction reference already exists');

  const paymentOptions = optionsIn(currency, fields.payment_options ?? PAYMENT_OPTIONS);
  const opened = openCollection(world, scope, {
    channel: paymentOptions[0] ?? 'card',
    version: 'inline',
    reference: fields.reference,
    amount: fields.amount,
    currency,
    email: fields.email,
    name: fields.name,
    phone: fields.phone,
    walletCode: null,
    checkout: { accessCode: world.nextId('AC'), callbackUrl: fields.callback_url, paymentOptions },
  });
  return opened as CheckoutCollection;
}

/** The options that exist in the currency, as S2S channels do: bank transfers in NGN, mobile money in KES and GHS. */
function optionsIn(currency: Currency, asked: readonly PaymentOption[]): PaymentOption[] {
  const offered = asked.filter((option) => (CHANNEL_CURRENCIES[option] as readonly Currency[]).includes(currency));
  if (offered.length > 0) return offered;
  throw refuseCheckout({ payment_options: [`None of the payment_options takes ${currency}: ${asked.join(', ')}.`] });
}

/** The session of a page address. The access code chooses when two merchants use the same reference. */
export function findCheckout(world: World, reference: string, accessCode?: string): CheckoutCollection | undefined {
  const found: Collection[] = [];
  for (const merchant of world.state.merchants) {
    for (const environment of ['test', 'live'] as const) {
      const collection = findCollection(world, { merchant, environment }, reference);
      if (collection?.checkout) found.push(collection);
    }
  }
  const sessions = (found as CheckoutCollection[]).sort((a, b) => Number(a.id) - Number(b.id));
  // an empty code is wrong, not missing: a form without its code must not pay
  return accessCode === undefined ? sessions[0] : sessions.find(({ checkout }) => checkout.accessCode === accessCode);
}

export interface CheckoutChoice {
  readonly option: PaymentOption;
  readonly action: 'pay' | 'fail' | 'cancel';
  /** A card number that passed the checks of the form, else empty. */
  readonly cardNumber: string;
  /** A phone number that passed them, else empty. */
  readonly phone: string;
}

/** Ends the collection as chosen on the page. Returns the redirect address: callback_url with reference and status. */
export function completeCheckout(world: World, session: CheckoutCollection, choice: CheckoutChoice): string {
  if (session.status === 'pending') {
    session.channel = choice.option;
    if (choice.option === 'card' && choice.cardNumber !== '') session.cardLast4 = choice.cardNumber.slice(-4);
    if (choice.option === 'momo' && choice.phone !== '') session.customer.phone = choice.phone;
    if (choice.action === 'cancel') finishCollection(world, session, 'cancelled', 'Cancelled by the customer');
    else if (choice.action === 'fail') finishCollection(world, session, 'failed', 'Simulated failure');
    else if (choice.option !== 'card') finishCollection(world, session, 'success', 'Approved');
    else payByCard(world, session, choice.cardNumber);
  }
  return callbackAddress(session);
}

/** Ends the payment by its card: recurring cards succeed here (interface 4.1.6), declined and unknown ones fail. */
function payByCard(world: World, session: CheckoutCollection, cardNumber: string): void {
  const outcome = cardOutcome(world.settings, cardNumber);
  const approved = outcome === 'approved' || outcome === 'recurring';
  finishCollection(
    world,
    session,
    approved ? 'success' : 'failed',
    approved ? 'Approved' : declineOf(world.settings, cardNumber),
  );
}

export function callbackAddress({ checkout, reference, status }: CheckoutCollection): string {
  const url = new URL(checkout.callbackUrl);
  url.searchParams.set('reference', reference);
  url.searchParams.set('status', status);
  return url.href;
}

/** The key from body or header, null when both lack it. Throws 401 when they differ (decision 65). */
function publicKey(body: unknown, headerKey: string | undefined): string | null {
  const inBody = typeof body === 'object' && body !== null ? (body as { public_key?: unknown }).public_key : undefined;
  const missing = inBody === undefined || inBody === null || inBody === '';
  if (!missing && typeof inBody !== 'string')
    throw refuseCheckout({ public_key: ['The public_key must be a string.'] });
  if (!missing && headerKey && headerKey !== inBody) throw refuse(401, 'Invalid public key');
  if (!missing) return inBody as string;
  return headerKey === undefined || headerKey === '' ? null : headerKey;
}

/** Whether the text is a complete web address. `URL` alone also accepts ` https://a`, `https:///a` and `http:a`. */
function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#\\]+\S*$/i.test(text) && URL.canParse(text);
}
