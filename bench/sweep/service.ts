import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The service of the sweep's bench, a process of its own: `service.ts DELAY_MS` answers `success` for every refund after
// that delay.

const delayMs = Number(process.argv[2]);
/** Sums of the real delays: timers fire late, the more so on a busy machine. */
let [answers, spentMs] = [0, 0];
const server = createServer((request, response) => {
  const arrivedMs = performance.now();
  const reference = request.url?.split('/').at(-1) ?? '';
  const data = `{"refund_reference":"${reference}","status":"success","amount":"50.00","currency":"USD","updated_at":"2026-11-20T10:00:00Z"}`;
  setTimeout(() => {
    answers++;
    spentMs += performance.now() - arrivedMs;
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"success":true,"data":${data}}`);
  }, delayMs);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
process.on('message', () => process.send?.({ answers, meanMs: spentMs / answers }));
process.on('disconnect', () => process.exit());
