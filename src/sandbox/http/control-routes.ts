import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Controls } from '../controls/controls.ts';
import {
  advanceSchema,
  balanceSchema,
  chargebackSchema,
  move,
  settleSchema,
  statementSchema,
  topUpSchema,
  urlSchema,
  webhookFilter,
  whoseSchema,
} from '../controls/input.ts';
import { asObject, readControl } from '../wire/control-input.ts';
import { refuse } from '../wire/refusal.ts';
import type { RuleInput } from '../world/chaos-rules.ts';
import { COLLECTION_STATUSES, PAYOUT_STATUSES, REFUND_STATUSES } from '../world/records.ts';
import type { SettingsInput } from '../world/settings.ts';
import { bodyText, JSON_TYPE } from './request-body.ts';

/** Largest body of a control: a snapshot holds the whole state. */
const SNAPSHOT_LIMIT_BYTES = 256 * 1_048_576;

/** The controls over HTTP, under `/sandbox`. Each route is one method of `Controls`. */
export const controlRoutes: FastifyPluginAsync<{
  controls: Controls;
  token: string;
  hosts: readonly string[];
}> = async (app, { controls, token, hosts }) => {
  guardControls(app, { token, hosts });
  type Inputs = { body: unknown; query: unknown; params: { reference: string } };
  const route = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    answer: (inputs: Inputs) => unknown,
  ) =>
    app.route({
      method,
      url,
      bodyLimit: SNAPSHOT_LIMIT_BYTES,
      handler: async (request, reply) => {
        const text = method === 'GET' ? '' : bodyText(request);
        const body: unknown = text === '' ? {} : JSON.parse(text);
        return send(reply, await answer({ body, query: request.query, params: request.params as Inputs['params'] }));
      },
    });

  route('GET', '/', () => ({ now: controls.now(), merchants: controls.merchants(), balances: controls.balances() }));
  route('GET', '/clock', () => ({ now: controls.now() }));
  route('POST', '/clock/advance', async ({ body }) => ({
    now: await controls.advance(readControl(advanceSchema, body).by),
  }));
  route('POST', '/settle', ({ body }) => ({ settled: controls.settle(readControl(settleSchema, body)) }));
  route('GET', '/balances', ({ query }) => ({ balances: controls.balances(readControl(whoseSchema, query)) }));
  route('PUT', '/balances', ({ body }) => {
    const { merchant, environment, ...wanted } = readControl(balanceSchema.extend(whoseSchema.shape), body);
    return { balances: controls.setBalance(wanted, { merchant, environment }) };
  });
  route('POST', '/top-ups', ({ body }) => controls.topUp(readControl(topUpSchema, body)));
  route('GET', '/batches', ({ query }) => ({ batches: controls.batches(readControl(whoseSchema, query)) }));
  route('GET', '/chargebacks', ({ query }) => ({ chargebacks: controls.chargebacks(readControl(whoseSchema, query)) }));
  route('POST', '/chargebacks', ({ body }) => controls.chargeBack(readControl(chargebackSchema, body)));
  route('POST', '/chargebacks/:reference/reverse', ({ params, body }) =>
    controls.reverseChargeback(params.reference, readControl(whoseSchema, body)),
  );
  route('POST', '/statements', ({ body }) => controls.statement(readControl(statementSchema, body)));
  route('PUT', '/webhook-url', ({ body }) => {
    const { url, ...of } = readControl(urlSchema, body);
    controls.setWebhookUrl(url, of);
    return { merchants: controls.merchants() };
  });
  route('GET', '/merchants', () => ({ merchants: controls.merchants() }));
  route('POST', '/merchants', ({ body }) => controls.addMerchant(asObject(body)));
  route('POST', '/keys/rotate', ({ body }) => controls.rotateKeys(readControl(whoseSchema, body)));

  route('GET', '/refunds', ({ query }) => ({ refunds: controls.refunds(readControl(whoseSchema, query)) }));
  route('GET', '/payouts', ({ query }) => ({ payouts: controls.payouts(readControl(whoseSchema, query)) }));
  route('GET', '/collections', ({ query }) => ({ collections: controls.collections(readControl(whoseSchema, query)) }));
  route('POST', '/refunds/:reference/move', ({ params, body }) => {
    const { status, ...of } = readControl(move(REFUND_STATUSES), body);
    return controls.moveRefund(params.reference, status, of);
  });
  route('POST', '/payouts/:reference/move', ({ params, body }) => {
    const { status, ...of } = readControl(move(PAYOUT_STATUSES), body);
    return controls.movePayout(params.reference, status, of);
  });
  route('POST', '/collections/:reference/move', ({ params, body }) => {
    const { status, ...of } = readControl(move(COLLECTION_STATUSES), body);
    return controls.moveCollection(params.reference, status, of);
  });

  route('GET', '/webhooks', ({ query }) => ({ webhooks: controls.webhooks(readControl(webhookFilter, query)) }));
  route('POST', '/webhooks/:reference/redeliver', ({ params }) => controls.redeliver(params.reference));

  route('GET', '/chaos', () => ({ rules: controls.chaosRules(), faults: controls.plantedFaults() }));
  route('POST', '/chaos', ({ body }) => controls.addChaos(asObject(body) as RuleInput));
  route('DELETE', '/chaos', () => {
    controls.clearChaos();
    return { rules: controls.chaosRules() };
  });
  route('DELETE', '/chaos/:reference', ({ params }) => {
    controls.clearChaos(params.reference);
    return { rules: controls.chaosRules() };
  });
  route('GET', '/settings', () => controls.settings());
  route('PATCH', '/settings', ({ body }) => controls.changeSettings(asObject(body) as SettingsInput));

  route('GET', '/books', () => controls.books());
  route('GET', '/snapshot', () => controls.snapshot());
  route('PUT', '/snapshot', ({ body }) => {
    controls.restore(JSON.stringify(body));
    return { now: controls.now() };
  });
  route('POST', '/reset', () => {
    controls.reset();
    return { now: controls.now(), merchants: controls.merchants() };
  });
};

function send(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.type(JSON_TYPE).send(typeof answer === 'string' ? answer : JSON.stringify(answer));
}

/**
 * Refuses control requests (T18) without the token, without JSON, under a host name that is not of this machine, or from
 * a web page. There is no CORS, so a page could not read an answer either.
 */
function guardControls(app: FastifyInstance, options: { token: string; hosts: readonly string[] }): void {
  const allowed = new Set(['localhost', '127.0.0.1', '[::1]', ...options.hosts]);
  app.addHook('onRequest', async (request) => {
    const { host = '', origin, authorization = '' } = request.headers;
    const name = host.replace(/:\d+$/, '').toLowerCase();
    if (!allowed.has(name)) throw refuse(403, `The controls do not answer to the host name ${name}`);
    if (origin !== undefined) throw refuse(403, 'The controls do not answer to web pages');
    if (!sameText(authorization, `Bearer ${options.token}`)) throw refuse(401, 'Invalid control token');
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
    if (hasBody && !isJson) throw refuse(415, 'The controls take application/json only');
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
