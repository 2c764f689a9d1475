import type { Sandbox } from '../../../src/sandbox/index.ts';
import { DEFAULT_URL } from './connection.ts';

/** Commands to paste, and their purpose. */
export interface FirstCommands {
  readonly about: string;
  readonly lines: readonly string[];
}

/** Commands for a first try of this sandbox: a payment, a refund of half of it, a payout, and the results. */
export function firstCommands({ url, keys }: Sandbox, program: string): FirstCommands[] {
  const { publicKey, secretKey } = keys.test;
  // only a sandbox at the default address is found without --url
  const here = url === DEFAULT_URL ? '' : ` --url ${url}`;
  const post = (path: string, header: string, body: string) =>
    `curl -s ${url}${path} -H 'Content-Type: application/json' -H '${header}' -d '${body}'`;
  const authorization = `Authorization: Bearer ${secretKey}`;
  return [
    {
      about: 'The receiver (second terminal; repeat the two export lines in every other terminal)',
      lines: [
        `export TALLYHOOK_BASE_URL=${url}`,
        `export TALLYHOOK_TEST_PUBLIC_KEY=${publicKey} TALLYHOOK_TEST_SECRET_KEY=${secretKey}`,
        `${program} serve`,
      ],
    },
    {
      about: 'Take a payment (open the authorization_url it answers in a browser)',
      lines: [
        post(
          '/api/inline/public/transaction/initialize',
          `x-pub-key: ${publicKey}`,
          `{"reference":"order-1","amount":"20.00","currency":"USD","email":"ada@example.com","name":"Ada","callback_url":"${url}/checkout/shop"}`,
        ),
      ],
    },
    {
      about: 'Refund half of it, settle its funds, and let the refund succeed',
      lines: [
        post('/api/v1/refund', authorization, '{"transaction_reference":"order-1","amount":"10.00"}'),
        `${program} sandbox settle${here}`,
        `${program} sandbox refunds list${here}`,
        `${program} sandbox refunds move RFD_… success${here}`,
      ],
    },
    {
      about: 'Send a payout',
      lines: [
        post(
          '/api/v1/bank_transfer',
          authorization,
          '{"currency":"NGN","amount":1500,"bank_code":"990001","bank_name":"Sandbox Bank One","account_number":"0000000001","narration":"Wages","reference":"payout-1"}',
        ),
      ],
    },
    {
      about: 'Compare the sent webhooks, the stored events and the confirmed statuses',
      lines: [`${program} sandbox webhooks list${here}`, `${program} events list`, `${program} sweep`],
    },
  ];
}
