import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver in a process of its own: answers every request, and sends its parent the number of requests on a message.
let count = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    count++;
    response.writeHead(200, { 'Content-Length': 2 }).end('{}');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
);
process.on('message', () => process.send?.({ count }));
process.on('disconnect', () => process.exit());
