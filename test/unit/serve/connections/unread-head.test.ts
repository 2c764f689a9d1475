import { expect, test } from 'vitest';
import { headIn } from '../../../../src/serve/connections/unread-head.ts';

const HEX = 'ab'.repeat(64);
const LARGE = `X-Large: ${'x'.repeat(20_000)}\r\n`;

test.each<[string, string, ReturnType<typeof headIn>]>([
  [
    'a whole head shows path and signatures',
    `POST /webhooks/live?a HTTP/1.1\r\npayloadSignature: ${HEX}\r\nMERCHANTSIGNATURE:${HEX} \r\n${LARGE}\r\nbody`,
    { path: '/webhooks/live', headers: { payloadsignature: HEX, merchantsignature: HEX }, mayBeSigned: false },
  ],
  [
    'a whole head without signatures has none',
    `POST /webhooks/test HTTP/1.1\r\n${LARGE}\r\n`,
    { path: '/webhooks/test', headers: {}, mayBeSigned: false },
  ],
  [
    'a head that goes on may have them later',
    `POST /webhooks/test/ HTTP/1.1\r\n${LARGE}`,
    { path: '/webhooks/test', headers: {}, mayBeSigned: true },
  ],
  ['a later piece of a head may have had them before', LARGE, { path: '(unknown)', headers: {}, mayBeSigned: true }],
  [
    'a head that goes on for another path is of a stranger',
    `GET /index.php HTTP/1.1\r\n${LARGE}`,
    { path: '(unknown)', headers: {}, mayBeSigned: false },
  ],
])('%s', (_name, bytes, head) => {
  expect(headIn(Buffer.from(bytes, 'latin1'))).toEqual(head);
});
