import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The service that is asked: every refund is `success`, told after so many milliseconds. A process of its own.

const delayMs = Number(process.argv[2]);
const server = createServer((request, response) => {
  const reference = request.url?.split('/').at(-1) ?? '';
  const data = `{"refund_reference":"${reference}","status":"success","amount":"50.00","currency":"USD","updated_at":"2026-11-20T10:00:00Z"}`;
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"success":true,"data":${data}}`);
  }, delayMs);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
process.on('disconnect', () => process.exit());
