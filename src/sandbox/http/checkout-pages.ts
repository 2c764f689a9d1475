import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { brandName, groupDigits } from '../business/card-brands.ts';
import { simulatorCards } from '../business/cards.ts';
import { type CheckoutCollection, callbackAddress } from '../business/checkout.ts';
import { packagePath } from '../package-root.ts';
import { CARD_RULES } from '../wire/card-fields.ts';
import { accountsOf, BANKS, VIRTUAL_ACCOUNT } from '../world/banks.ts';
import { formatMoney, type Money } from '../world/money.ts';
import { type Channel, type Currency, PAYOUT_CURRENCIES } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { CheckoutForm } from './checkout-form.ts';

const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  // form-action also covers the redirects after the form, and a merchant's callback may redirect to any site
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http: https:; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS).send(html);
}

/** The pages of the hosted checkout as HTML. They work without scripts. */
export function checkoutPages(world: World) {
  const eta = new Eta({ views: packagePath('templates', 'checkout'), cache: true });
  return {
    /** The form while the payment is pending, with a refused form's problems; afterwards the outcome. */
    pay(session: CheckoutCollection, refused: CheckoutForm | null = null): string {
      if (session.status !== 'pending')
        return eta.render('./done', { ...shown(world, session), back: callbackAddress(session) });
      return eta.render('./page', {
        ...shown(world, session),
        ...cardTable(world),
        typed: refused ? shownAgain(refused) : firstValues(world, session),
        problems: refused?.problems ?? {},
        unknown: refused?.unknown ?? null,
        chosen: refused?.choice.option ?? session.checkout.paymentOptions[0],
      });
    },
    /** The page at the sandbox's own address, for a developer who opens it. */
    start: (): string => eta.render('./start', {}),
    missing: (): string => eta.render('./missing', {}),
    shop: (query: Readonly<Record<string, string | string[]>>): string => eta.render('./shop', query),
  };
}

const NAMES: Record<Channel, string> = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  momo: 'Mobile money',
  ussd: 'USSD',
};

function shown(world: World, session: CheckoutCollection) {
  const { reference, currency, customer, environment, status, gatewayResponse, checkout, channel, cardLast4 } = session;
  return {
    merchant: world.state.merchants.find(({ id }) => id === session.merchantId)?.name ?? '',
    amount: grouped(session.charged),
    amountClass: amountClass(grouped(session.charged)),
    requested: grouped(session.requested),
    fee: session.charged > session.requested ? grouped(session.fee) : null,
    currency,
    reference,
    customer,
    environment,
    status,
    reason: gatewayResponse,
    channel,
    names: NAMES,
    cardLast4,
    accessCode: checkout.accessCode,
    options: checkout.paymentOptions,
    account: VIRTUAL_ACCOUNT,
  };
}

const cardTable = (world: World) => ({
  cards: simulatorCards(world.settings).map(({ number, note }) => ({
    digits: groupDigits(number),
    brand: brandName(number),
    note,
  })),
});

/** What a new form holds: the first simulator card, a date four years away, the customer's phone or a sandbox one. */
function firstValues(world: World, { customer, currency }: CheckoutCollection): CheckoutForm['typed'] {
  const [card] = simulatorCards(world.settings);
  const year = new Date(world.clock.now()).getUTCFullYear() + 4;
  return {
    card_number: groupDigits(card?.number ?? ''),
    expiry: `12/${String(year % 100).padStart(2, '0')}`,
    cvv: '123',
    phone: customer.phone ?? samplePhone(currency),
  };
}

/** The first phone of the sandbox's mobile money operator in the currency; empty where there is none. */
function samplePhone(currency: Currency): string {
  const paidOut = PAYOUT_CURRENCIES.find((known) => known === currency);
  const operator = paidOut && BANKS[paidOut].find(({ kind }) => kind === 'mobile_money');
  return paidOut && operator ? `+${accountsOf(paidOut, operator)[0]?.number}` : '';
}

/** What was typed; a valid card number with its digits grouped. */
function shownAgain({ typed }: CheckoutForm): CheckoutForm['typed'] {
  const digits = typed.card_number.replace(/[\s-]/g, '');
  return CARD_RULES.number.pattern.test(digits) ? { ...typed, card_number: groupDigits(digits) } : typed;
}

/** The style sheet writes a longer amount smaller, so that it fits a narrow window in one line. */
const amountClass = ({ length }: string): string =>
  length <= 12 ? 'amount' : length <= 16 ? 'amount amount-long' : 'amount amount-longest';

/** The amount with grouped digits: 1,234,567.00. */
const grouped = (amount: Money): string => formatMoney(amount).replace(/\B(?=(\d{3})+\.)/g, ',');
