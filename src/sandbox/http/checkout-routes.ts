import { readFileSync } from 'node:fs';
import { Eta } from 'eta';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { simulatorCards } from '../business/cards.ts';
import {
  type CheckoutCollection,
  callbackAddress,
  completeCheckout,
  findCheckout,
  startCheckout,
} from '../business/checkout.ts';
import { packagePath } from '../package-root.ts';
import { encodeJson } from '../wire/json.ts';
import { VIRTUAL_ACCOUNT } from '../world/banks.ts';
import { formatMoney, type Money } from '../world/money.ts';
import type { PaymentOption } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { bodyText, JSON_TYPE, parseBody } from './request-body.ts';

const INITIALIZE = '/api/inline/public/transaction/initialize';

const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  // form-action also covers the redirects after the form, and a merchant's callback may redirect to any site
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http: https:; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Inline checkout (interface 4.3) and its hosted page at `/pay/{reference}`, which works without scripts. */
export const checkoutRoutes: FastifyPluginAsync<{ world: World; checkoutUrl: () => string }> = async (
  app,
  { world, checkoutUrl },
) => {
  const eta = new Eta({ views: packagePath('templates', 'checkout'), cache: true });
  const style = readFileSync(packagePath('templates', 'checkout', 'style.css'), 'utf8');
  const icon = readFileSync(packagePath('templates', 'checkout', 'icon.svg'), 'utf8');

  // A shop's page calls this from the browser with a public key only, so this one route answers any origin.
  app.options(INITIALIZE, async (_request, reply) => {
    const allowed = {
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'content-type, x-pub-key',
    };
    return reply
      .code(204)
      .headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Max-Age': '600', ...allowed })
      .send();
  });

  app.post(INITIALIZE, async (request, reply) => {
    reply.header('Access-Control-Allow-Origin', '*');
    const header = request.headers['x-pub-key'];
    const session = startCheckout(world, parseBody(bodyText(request)), Array.isArray(header) ? header[0] : header);
    const { reference, checkout } = session;
    const data = {
      authorization_url: pageAddress(world, session, checkoutUrl()),
      access_code: checkout.accessCode,
      reference,
      payment_options: checkout.paymentOptions,
    };
    return reply.type(JSON_TYPE).send(encodeJson({ success: true, message: 'Checkout session created', data }));
  });

  app.get<{ Params: { reference: string }; Querystring: { access_code?: string } }>(
    '/pay/:reference',
    async (request, reply) => {
      const session = findCheckout(world, request.params.reference, request.query.access_code);
      return page(reply, session);
    },
  );

  app.post<{ Params: { reference: string } }>('/pay/:reference', async (request, reply) => {
    const form = new URLSearchParams(bodyText(request));
    // The hidden access code proves that this form was shown: another site cannot send it for the customer.
    const session = findCheckout(world, request.params.reference, form.get('access_code') ?? 'missing');
    if (!session) return page(reply, undefined);
    const choice = readChoice(form, session);
    if (choice.problem !== null) return page(reply.code(422), session, choice.problem, choice.option);
    return reply.redirect(completeCheckout(world, session, choice), 303);
  });

  /** A sample page for the customer's return; the examples use it as callback_url. */
  app.get<{ Querystring: Record<string, string | string[]> }>('/checkout/shop', async (request, reply) => {
    const { reference = 'none', status = 'none' } = request.query;
    return reply
      .type('text/html; charset=utf-8')
      .headers(PAGE_HEADERS)
      .send(eta.render('./shop', { reference, status }));
  });

  app.get('/checkout/icon.svg', async (_request, reply) => reply.type('image/svg+xml').send(icon));
  app.get('/checkout/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));

  function page(
    reply: FastifyReply,
    session: CheckoutCollection | undefined,
    problem: string | null = null,
    chosen?: PaymentOption,
  ) {
    reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS);
    if (!session) return reply.code(404).send(eta.render('./missing', {}));
    if (session.status !== 'pending')
      return reply.send(eta.render('./done', { ...shown(session), back: callbackAddress(session) }));
    return reply.send(
      eta.render('./page', {
        ...shown(session),
        problem,
        cardAtFault: problem === NO_CARD,
        chosen: chosen ?? session.checkout.paymentOptions[0],
      }),
    );
  }

  function shown(session: CheckoutCollection) {
    const { reference, currency, customer, environment, status, checkout } = session;
    return {
      merchant: world.state.merchants.find(({ id }) => id === session.merchantId)?.name ?? '',
      amount: grouped(session.charged),
      requested: grouped(session.requested),
      fee: session.charged > session.requested ? grouped(session.fee) : null,
      currency,
      reference,
      customer,
      environment,
      status,
      accessCode: checkout.accessCode,
      options: checkout.paymentOptions,
      cards: simulatorCards(world.settings),
      account: VIRTUAL_ACCOUNT,
    };
  }
};

/** The amount with grouped digits: 1,234,567.00. */
const grouped = (amount: Money): string => formatMoney(amount).replace(/\B(?=(\d{3})+\.)/g, ',');

function pageAddress(world: World, session: CheckoutCollection, checkoutUrl: string): string {
  const address = `${checkoutUrl}/pay/${encodeURIComponent(session.reference)}`;
  const alone = findCheckout(world, session.reference) === session;
  return alone ? address : `${address}?access_code=${session.checkout.accessCode}`;
}

const NO_CARD = 'Enter a card number of 12 to 19 digits.';

/** The choice in the form. Defaults: the first option, pay. `problem` says why the form is refused; null when it is valid. */
function readChoice(form: URLSearchParams, { checkout: { paymentOptions } }: CheckoutCollection) {
  const [first = 'card'] = paymentOptions;
  const option = paymentOptions.find((known) => known === (form.get('option') ?? first));
  const action = (['pay', 'fail', 'cancel'] as const).find((known) => known === (form.get('action') ?? 'pay'));
  const cardNumber = (form.get('card_number') ?? '').replace(/[\s-]/g, '');
  const phone = (form.get('phone') ?? '').trim().slice(0, 32);
  const incomplete = action === 'pay' && option === 'card' && !/^\d{12,19}$/.test(cardNumber);
  const problem =
    option === undefined
      ? `Choose one of the payment options: ${paymentOptions.join(', ')}.`
      : action === undefined
        ? 'Choose to pay, to fail or to cancel.'
        : incomplete
          ? NO_CARD
          : null;
  return { option: option ?? first, action: action ?? ('cancel' as const), cardNumber, phone, problem };
}
