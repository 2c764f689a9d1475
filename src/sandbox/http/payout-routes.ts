import type { FastifyPluginAsync } from 'fastify';
import { readPayoutRequest, verifyAccountName } from '../business/payout-request.ts';
import { findPayout, sendPayout } from '../business/payouts.ts';
import { answeredRecord } from '../chaos/records.ts';
import { refuse, refuseFields } from '../wire/refusal.ts';
import { payoutAnswer, payoutRecord } from '../wire/views.ts';
import { BANKS } from '../world/banks.ts';
import { PAYOUT_CURRENCIES } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { pathOf } from './request-body.ts';
import { type Answer, type Call, secretKeyRoute } from './secret-key-route.ts';

/** Payouts (interface 4.5) and their status by reference (decision 72). */
export const payoutRoutes: FastifyPluginAsync<{ world: World; baseUrl: () => string }> = async (
  app,
  { world, baseUrl },
) => {
  const banks = secretKeyRoute(world, ({ request }) =>
    listBanks((request.params as { currency?: string }).currency, baseUrl()),
  );
  app.get('/api/v1/bank_list', banks);
  app.get('/api/v1/bank_list/:currency', banks);
  app.post(
    '/api/v1/account_name_verify',
    secretKeyRoute(world, ({ body }) => [
      200,
      { success: true, message: 'Account verified', data: verifyAccountName(body) },
    ]),
  );
  app.post(
    '/api/v1/bank_transfer',
    secretKeyRoute(world, (call) => send(world, call, false)),
  );
  app.post(
    '/api/v1/bank_transfer/wallet',
    secretKeyRoute(world, (call) => send(world, call, true)),
  );
  app.get(
    '/api/v1/payout/:reference',
    secretKeyRoute(world, (call) => status(world, call)),
  );
};

/** The banks of a currency; of NGN when none is given (decision 80). */
function listBanks(given: string | undefined, baseUrl: string): Answer {
  const wanted = given === undefined || given === '' ? 'NGN' : given;
  const currency = PAYOUT_CURRENCIES.find((known) => known === wanted);
  if (!currency)
    throw refuseFields({
      currency: [`The selected currency is invalid. Use one of: ${PAYOUT_CURRENCIES.join(', ')}.`],
    });
  const data = BANKS[currency].map(({ bankName, bankCode }) => ({
    bankName,
    bankCode,
    logo: `${baseUrl}/logos/${bankCode}.svg`,
  }));
  return [200, { success: true, message: 'Banks retrieved', currency, data }];
}

function send(world: World, { scope, body }: Call, fromWallet: boolean): Answer {
  const payout = sendPayout(world, scope, readPayoutRequest(body), fromWallet);
  return [200, { success: true, message: 'Transfer queued', data: payoutAnswer(payout) }];
}

function status(world: World, { scope, request }: Call): Answer {
  const payout = findPayout(world, scope, (request.params as { reference: string }).reference);
  if (!payout) throw refuse(404, 'Payout not found');
  const shown = answeredRecord(world, 'payout', payout, { path: pathOf(request), method: request.method });
  if (shown.status === 'pending' && world.settings.pendingPayoutAnswer === 'empty_202') {
    return [202, { success: true, message: 'Payout is pending' }];
  }
  return [200, { success: true, message: 'Payout retrieved', data: payoutRecord(shown) }];
}
