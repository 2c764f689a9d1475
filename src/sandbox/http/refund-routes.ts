import type { FastifyPluginAsync } from 'fastify';
import { readRefundRequest } from '../business/refund-request.ts';
import { requestRefund } from '../business/refunds.ts';
import { answeredList, answeredRecord } from '../chaos/records.ts';
import { WireNumber } from '../wire/json.ts';
import { refuse, refuseFields } from '../wire/refusal.ts';
import { refundAnswer, refundRecord } from '../wire/views.ts';
import { type Refund, scopeKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { pathOf } from './request-body.ts';
import { type Answer, type Call, secretKeyRoute } from './secret-key-route.ts';

/** Refunds (interface 4.4). */
export const refundRoutes: FastifyPluginAsync<{ world: World }> = async (app, { world }) => {
  const encryption = { encryption: true };
  app.post(
    '/api/v1/refund',
    secretKeyRoute(world, (call) => request(world, call), encryption),
  );
  app.get(
    '/api/v1/refund',
    secretKeyRoute(world, (call) => list(world, call), encryption),
  );
  app.get(
    '/api/v1/refund/status/:reference',
    secretKeyRoute(world, (call) => status(world, call), encryption),
  );
};

/** 202 for a new refund; 200 with the original for a repeated key (rules 4.4.2 to 4.4.4). */
function request(world: World, { scope, body, request }: Call): Answer {
  const header = request.headers['idempotency-key'];
  const key = Array.isArray(header) ? header[0] : header;
  const { refund, repeated } = requestRefund(world, scope, readRefundRequest(body, key === '' ? undefined : key));
  if (repeated)
    return [200, { success: true, message: 'Refund request was already received', data: refundAnswer(refund) }];
  const waits = refund.status === 'awaiting_settlement';
  const message = waits ? 'Refund request received and awaiting settlement' : 'Refund request received';
  return [202, { success: true, message, data: refundAnswer(refund) }];
}

/** One page of the refunds, newest first, in the paging style of the settings (decision 43). */
function list(world: World, { scope, request }: Call): Answer {
  const { page: given = '1' } = request.query as { page?: string | string[] };
  if (typeof given !== 'string' || !/^[1-9]\d{0,8}$/.test(given))
    throw refuseFields({ page: ['The page must be a positive whole number.'] });
  const page = Number(given);
  const { pageSize, listStyle } = world.settings;
  const owner = { merchantId: scope.merchant.id, environment: scope.environment };
  const references = world.state.refundOrder.get(scopeKey(owner)) ?? [];
  const newestFirst = references.toReversed().slice((page - 1) * pageSize, page * pageSize);
  const refunds = newestFirst
    .map((reference) => world.state.refunds.get(reference))
    .filter((refund): refund is Refund => !!refund);
  const path = pathOf(request);
  const data = answeredList(world, refunds, { path, method: request.method }).map(refundRecord);
  const total = references.length;
  const answer = { success: true, message: 'Refunds retrieved' };
  if (listStyle === 'bare') return [200, { ...answer, data }];
  if (listStyle === 'meta') return [200, { ...answer, data, meta: { total: whole(total) } }];
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  const next = page < lastPage ? `${path}?page=${page + 1}` : null;
  const paginator = {
    current_page: whole(page),
    data,
    last_page: whole(lastPage),
    next_page_url: next,
    per_page: whole(pageSize),
    total: whole(total),
  };
  return [200, { ...answer, data: paginator }];
}

function status(world: World, { scope, request }: Call): Answer {
  const { reference } = request.params as { reference: string };
  const refund = world.state.refunds.get(reference);
  if (refund?.merchantId !== scope.merchant.id || refund.environment !== scope.environment)
    throw refuse(404, 'Refund not found');
  const shown = answeredRecord(world, 'refund', refund, { path: pathOf(request), method: request.method });
  return [200, { success: true, message: 'Refund retrieved', data: refundRecord(shown) }];
}

const whole = (value: number): WireNumber => new WireNumber(String(value));
