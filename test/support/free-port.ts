import { createServer } from 'node:net';

/** Below those that the system gives by itself to connections and to listeners on port 0: 32768 and above on Linux. */
const FIRST = 12_000;
const PORTS = 20_000;
/** Ports apart at which two processes begin whose numbers follow each other. */
const APART = 97;
let next = (process.pid * APART) % PORTS;

/** A port on which nothing listens, and that nothing gets by itself until it is used; no two calls give the same one. */
export async function freePort(): Promise<string> {
  for (let tried = 0; tried < PORTS; tried++) {
    const port = FIRST + (next++ % PORTS);
    if (await isFree(port)) return String(port);
  }
  throw new Error(`Every port from ${FIRST} on is in use.`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
