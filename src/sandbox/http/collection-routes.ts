import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { DECLINE, isMistyped, sealCard } from '../business/cards.ts';
import { readCollectionRequest } from '../business/collection-request.ts';
import { findCollection, startCollection } from '../business/collections.ts';
import { answeredRecord } from '../chaos/records.ts';
import { cardSchema, expired, hasExpired, MISTYPED } from '../wire/card-fields.ts';
import { readFields, referenceText } from '../wire/fields.ts';
import { refuse, refuseCollection } from '../wire/refusal.ts';
import { collectionRecord } from '../wire/views.ts';
import { VIRTUAL_ACCOUNT } from '../world/banks.ts';
import { type Channel, type Collection, recordKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { pathOf } from './request-body.ts';
import { type Answer, type Call, secretKeyRoute } from './secret-key-route.ts';

/** The paths of S2S collections (interface 4.2): v1 and legacy, each also without `/api` (decision 94). */
const PREFIXES = [
  { prefix: '/api/s2s/v1', version: 'v1' },
  { prefix: '/s2s/v1', version: 'v1' },
  { prefix: '/api/s2s', version: 'legacy' },
  { prefix: '/s2s', version: 'legacy' },
] as const;

const CHANNEL_PATHS: readonly { readonly path: string; readonly channel: Channel; readonly toWallet?: true }[] = [
  { path: '/transaction/initialize', channel: 'card' },
  { path: '/banktransfer/initialize', channel: 'bank_transfer' },
  { path: '/banktransfer/initialize/wallet', channel: 'bank_transfer', toWallet: true },
  { path: '/ussd/initialize', channel: 'ussd' },
  { path: '/ussd/initialize/wallet', channel: 'ussd', toWallet: true },
  { path: '/momo/payment_request', channel: 'momo' },
];

/** S2S collections (interface 4.2) and their verification (decision 47). */
export const collectionRoutes: FastifyPluginAsync<{ world: World }> = async (app, { world }) => {
  for (const { prefix, version } of PREFIXES) {
    for (const { path, channel, toWallet = false } of CHANNEL_PATHS) {
      const start = ({ scope, body }: Call): Answer => {
        const request = readCollectionRequest(scope, world.settings, { channel, version, toWallet, body });
        return ANSWERS[channel](startCollection(world, scope, request), world);
      };
      app.post(prefix + path, secretKeyRoute(world, start, { encryption: true, refuseBody: refuseCollection }));
    }
    app.post(
      `${prefix}/test/encryption`,
      secretKeyRoute(world, (call) => encryptCard(world, call, version)),
    );
  }

  app.get(
    '/api/v1/transaction/verify/:reference',
    secretKeyRoute(world, (call) => verify(world, call, findCollection(world, call.scope, referenceOf(call))), {
      encryption: true,
    }),
  );
  app.get(
    '/api/v1/transaction/:reference',
    secretKeyRoute(world, (call) => verify(world, call, findById(world, call)), { encryption: true }),
  );
};

/** The answer of the card helper (interface 2.2): plain hexadecimal text. Test keys only (decision 91). */
function encryptCard(world: World, { scope, body }: Call, version: Collection['version']): Answer {
  if (scope.environment === 'live')
    throw refuse(403, 'The card encryption helper is available with a test secret key only');
  const { fields, errors } = readFields(helperSchema, body);
  if (errors) throw refuseCollection(errors);
  if (isMistyped(world.settings, fields.data.number)) throw refuseCollection({ 'data.number': [MISTYPED] });
  if (hasExpired(fields.data, world.clock.now())) throw refuseCollection({ 'data.expiryYear': [expired(fields.data)] });
  return [200, sealCard(scope.merchant, fields.reference, version, fields.data)];
}

const helperSchema = z.object({ data: cardSchema, reference: referenceText() });

/** The initialize answers of interface 2.3; where it shows none, those of decisions 53 and 54 or as observed. */
const ANSWERS: Record<Channel, (collection: Collection, world: World) => Answer> = {
  card: ({ status, reference, gatewayResponse }, { settings }) => {
    if (status === 'failed') {
      const stated = gatewayResponse.startsWith(DECLINE);
      const message = stated ? gatewayResponse : `${DECLINE}: ${gatewayResponse}`;
      return [settings.declinedHttpStatus, { status: false, message }];
    }
    if (status === 'pending') return [settings.pendingHttpStatus, { status: true, message: 'Transaction is pending' }];
    return [200, { status: true, message: 'Transaction successful', data: { reference, status } }];
  },
  bank_transfer: () => [200, { status: true, message: 'Virtual account created', data: VIRTUAL_ACCOUNT }],
  ussd: ({ id, reference, charged }) => {
    const code = `*000*${id}*${charged / 100_000_000n}#`;
    const links = { verify: `/api/v1/transaction/verify/${encodeURIComponent(reference)}` };
    return [200, { status: true, message: 'Dial the code to pay', data: { paymentid: id, code, _links: links } }];
  },
  momo: () => [
    200,
    {
      success: true,
      detail: 'Payment request sent to the phone',
      ResponseDescription: 'Success. Request accepted for processing',
    },
  ],
};

const referenceOf = ({ request }: Call): string => (request.params as { reference: string }).reference;

function findById(world: World, call: Call): Collection | undefined {
  const { scope } = call;
  const key = world.state.collectionIds.get(referenceOf(call));
  const collection = key === undefined ? undefined : world.state.collections.get(key);
  const owner = { merchantId: scope.merchant.id, environment: scope.environment };
  return collection && recordKey(owner, collection.reference) === key ? collection : undefined;
}

function verify(world: World, { request }: Call, collection: Collection | undefined): Answer {
  if (!collection) throw refuse(404, 'Transaction not found');
  const shown = answeredRecord(world, 'collection', collection, { path: pathOf(request), method: request.method });
  return [200, { success: true, message: 'Transaction retrieved', ...collectionRecord(shown) }];
}
