import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Config } from '../config/load.ts';
import { TallyhookError } from '../domain/error.ts';

/** Slow or silent connections are looked for this often; Node's own default of 30 s lets them pile up. */
const CONNECTION_CHECK_MS = 500;
const DRAIN_CHECK_MS = 50;

/** A server with every limit set. Without Fastify's own log: a logger per request would cost more than the signature. */
export function httpServer(limits: Config['receiver']): FastifyInstance {
  const app = Fastify({
    // A URL that cannot be read is a stranger's, and learns nothing about what answers.
    frameworkErrors: (_error, _request, reply: FastifyReply) => reply.code(400).send({ error: 'bad_request' }),
    trustProxy: limits.trustProxy === false ? false : [...limits.trustProxy],
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // Fastify's own default switches this protection off (RELIABILITY 1.7).
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: CONNECTION_CHECK_MS },
  });
  app.server.maxConnections = limits.maxConnections;
  // Node's own switch, off by default and missing in its types: a sender that closes its sending half after the request
  // still hears that it was kept, instead of a closed connection.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  if (app.server.requestTimeout <= 0 || app.server.headersTimeout <= 0) throw new Error('HTTP time-outs are off.');
  return app;
}

/**
 * Stops accepting and answers what was accepted. Node ends only connections that are idle at that moment and stops
 * looking for slow ones: one that becomes idle later, or never finishes its request, would hold the server open.
 */
export async function drain(app: FastifyInstance, graceMs: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), DRAIN_CHECK_MS);
  const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearInterval(idle);
  clearTimeout(late);
}

const PORT_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'not allowed for this user',
};
const HOST_ERRORS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no address is known for this name',
  EAI_AGAIN: 'no address could be looked up for this name',
};

/** Listens, or says in a sentence why it cannot. Returns the address. */
export async function listen(
  app: FastifyInstance,
  name: string,
  { host, port }: { host: string; port: number },
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    const wrongHost = HOST_ERRORS[code];
    throw new TallyhookError(
      `The ${name} cannot listen on ${host}:${port}: ${wrongHost ?? PORT_ERRORS[code] ?? code}.`,
      {
        kind: 'configuration',
        hint:
          wrongHost === undefined
            ? `Stop what listens there, or change ${name}.port.`
            : `Change ${name}.host to an address of this machine, such as 127.0.0.1.`,
        cause: error,
      },
    );
  }
}
