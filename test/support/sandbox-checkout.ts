import type { Sandbox } from '../../src/sandbox/index.ts';
import { APPROVED, callerOf } from './sandbox-caller.ts';

const ORDER = {
  reference: 'ORDER-1',
  amount: '25.00',
  currency: 'USD',
  email: 'ada@example.com',
  name: 'Ada <b>Lovelace</b>',
  callback_url: 'https://shop.example/thanks?order=1',
};

/** Starts a checkout session over HTTP: a valid order in USD, with the changes given. */
export function startSession(
  sandbox: Sandbox,
  change: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  return callerOf(sandbox)('/api/inline/public/transaction/initialize', {
    key: null,
    headers,
    body: { public_key: sandbox.keys.test.publicKey, ...ORDER, ...change },
  });
}

/** Sends the form of the hosted page: a valid card payment, with the changes given. */
export function sendForm(sandbox: Sandbox, accessCode: string, change: Record<string, string> = {}) {
  const valid = { option: 'card', action: 'pay', card_number: APPROVED, expiry: '12/99', cvv: '123' };
  return fetch(`${sandbox.url}/pay/${ORDER.reference}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ access_code: accessCode, ...valid, ...change }),
  });
}

/** The status of the order, as the verification endpoint answers it. */
export async function orderStatus(sandbox: Sandbox): Promise<string> {
  return (await callerOf(sandbox)(`/api/v1/transaction/verify/${ORDER.reference}`)).body.data.status;
}
