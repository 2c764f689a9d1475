import type { AddressInfo } from 'node:net';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyPluginOptions,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config/load.ts';
import { TallyhookError } from '../domain/error.ts';
import { clientErrorHandler, type UnreadableRequest } from './connections/client-errors.ts';
import { Connections } from './connections/connections.ts';
import { fileShortage } from './connections/open-files.ts';
import { proxyTest } from './connections/proxies.ts';
import { listenOnPassed, type SocketName } from './sockets.ts';

/** How often Node ends slow or silent connections, in milliseconds; its default of 30 s lets them pile up. */
const CONNECTION_CHECK_MS = 500;
/** Our routes have no schemas. By default Fastify loads two compilers for them at every start, more than 100 files. */
const WITHOUT_SCHEMAS = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } };

/**
 * What is needed of a Fastify application of the caller. Fastify's own type is that of one server, logger and type provider: an
 * application with others is not assignable to it.
 */
export interface HostApplication {
  register<Options extends FastifyPluginOptions>(
    plugin: FastifyPluginAsync<Options>,
    options: Options,
  ): PromiseLike<unknown>;
  addHook(name: 'onClose', hook: () => Promise<void>): unknown;
  close(): unknown;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  readonly connections: Connections;
}

export interface HttpServerHooks {
  /** Called for every 400, 408 and 431 of Node's parser. */
  readonly onUnreadable?: (request: UnreadableRequest) => void;
  /** Called before the answer to an unreadable URL, which no hook of a route sees; returns whether it has answered. */
  readonly guard?: (request: FastifyRequest, reply: FastifyReply) => boolean;
}

/** A server with every limit set, without Fastify's log: a logger per request would cost more than the signature. */
export function httpServer(limits: Config['receiver'], { onUnreadable, guard }: HttpServerHooks = {}): HttpServer {
  const app = Fastify({
    clientErrorHandler: clientErrorHandler((socket) => connections.latestOn(socket), onUnreadable),
    // The answer to an unreadable URL does not show which software runs here.
    frameworkErrors(_error, request: FastifyRequest, reply: FastifyReply) {
      if (guard?.(request, reply) !== true) reply.code(400).send({ error: 'bad_request' });
    },
    trustProxy: limits.trustProxy === false ? false : [...limits.trustProxy],
    routerOptions: { ignoreTrailingSlash: true },
    schemaController: WITHOUT_SCHEMAS,
    forceCloseConnections: 'idle',
    // A delivery on an open connection is kept also while stopping; its answer closes the connection.
    return503OnClosing: false,
    // Fastify's default of 0 switches this protection off (RELIABILITY 1.7).
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: CONNECTION_CHECK_MS },
  });
  const { maxConnections, maxConnectionsPerAddress } = limits;
  const connections = new Connections(app.server, {
    maxConnections: fileShortage(maxConnections)?.connections ?? maxConnections,
    maxPerAddress: maxConnectionsPerAddress,
    isExempt: proxyTest(limits.trustProxy),
  });
  // Node would answer 417 to an Expect that it does not know; an authentic event must not fail because of it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Off by default in Node and missing in its types: a sender that closes its sending half after the request still gets
  // the answer instead of a closed connection.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  if (app.server.requestTimeout <= 0 || app.server.headersTimeout <= 0) throw new Error('HTTP time-outs are off.');
  return { app, connections };
}

function refuseSchema(): never {
  throw new Error('A route has a schema, and the server was built without compilers for schemas.');
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

export interface Listening {
  readonly name: SocketName;
  readonly host: string;
  readonly port: number;
  /** A socket that was opened for this process; null: it opens its own at `host` and `port`. */
  readonly socket: number | null;
  /** Why an address of a passed socket is refused; null when it is not. */
  readonly accepts?: (address: AddressInfo) => string | null;
}

/**
 * Listens, and returns the address.
 *
 * @throws TallyhookError with the reason and the setting to change
 */
export async function listen(app: FastifyInstance, listening: Listening): Promise<string> {
  const { name, host, port, socket, accepts = () => null } = listening;
  if (socket !== null) {
    await app.ready();
    const { address, family, port: opened } = await listenOnPassed(app.server, name, socket, accepts);
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${opened}`;
  }
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
