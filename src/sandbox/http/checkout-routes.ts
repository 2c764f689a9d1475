import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';
import { type CheckoutCollection, completeCheckout, findCheckout, startCheckout } from '../business/checkout.ts';
import { packagePath } from '../package-root.ts';
import { encodeJson } from '../wire/json.ts';
import type { World } from '../world/world.ts';
import { readForm } from './checkout-form.ts';
import { checkoutPages, sendPage } from './checkout-pages.ts';
import { bodyText, JSON_TYPE, parseBody } from './request-body.ts';

const INITIALIZE = '/api/inline/public/transaction/initialize';

/** Inline checkout (interface 4.3) and its hosted page at `/pay/{reference}`, which works without scripts. */
export const checkoutRoutes: FastifyPluginAsync<{ world: World; checkoutUrl: () => string }> = async (
  app,
  { world, checkoutUrl },
) => {
  const pages = checkoutPages(world);
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
      return session ? sendPage(reply, pages.pay(session)) : sendPage(reply.code(404), pages.missing());
    },
  );

  app.post<{ Params: { reference: string } }>('/pay/:reference', async (request, reply) => {
    const sent = new URLSearchParams(bodyText(request));
    // The hidden access code proves that this form was shown: another site cannot send it for the customer.
    const session = findCheckout(world, request.params.reference, sent.get('access_code') ?? 'missing');
    if (!session) return sendPage(reply.code(404), pages.missing());
    const form = readForm(sent, session, world);
    const isRefused = form.unknown !== null || Object.keys(form.problems).length > 0;
    if (isRefused && session.status === 'pending') return sendPage(reply.code(422), pages.pay(session, form));
    return reply.redirect(completeCheckout(world, session, form.choice), 303);
  });

  app.get('/', async (_request, reply) => sendPage(reply, pages.start()));

  /** A sample page for the customer's return; the examples use it as callback_url. */
  app.get<{ Querystring: Record<string, string | string[]> }>('/checkout/shop', async (request, reply) => {
    const { reference = 'none', status = 'none' } = request.query;
    return sendPage(reply, pages.shop({ reference, status }));
  });

  app.get('/checkout/icon.svg', async (_request, reply) => reply.type('image/svg+xml').send(icon));
  app.get('/checkout/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
};

function pageAddress(world: World, session: CheckoutCollection, checkoutUrl: string): string {
  const address = `${checkoutUrl}/pay/${encodeURIComponent(session.reference)}`;
  const alone = findCheckout(world, session.reference) === session;
  return alone ? address : `${address}?access_code=${session.checkout.accessCode}`;
}
