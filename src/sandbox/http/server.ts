import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { Controls } from '../controls/controls.ts';
import { encodeJson } from '../wire/json.ts';
import { Refusal, refuse } from '../wire/refusal.ts';
import type { World } from '../world/world.ts';
import { spoilAnswers } from './answer-chaos.ts';
import { checkoutRoutes } from './checkout-routes.ts';
import { collectionRoutes } from './collection-routes.ts';
import { controlRoutes } from './control-routes.ts';
import { documentRoutes } from './document-routes.ts';
import { payoutRoutes } from './payout-routes.ts';
import { refundRoutes } from './refund-routes.ts';
import { JSON_TYPE, takeBodiesAsBytes } from './request-body.ts';

/** Largest body of a service request; a larger one is answered with 413. */
const BODY_LIMIT_BYTES = 1_048_576;

export interface ServerOptions {
  readonly world: World;
  readonly controls: Controls;
  readonly controlToken: string;
  /** Host names besides loopback under which the controls answer. */
  readonly hosts: readonly string[];
  readonly baseUrl: () => string;
  readonly checkoutUrl: () => string;
  /** Receives the errors of the sandbox itself; requests and their keys are never logged. */
  readonly logger: FastifyBaseLogger | undefined;
}

/** Its routes have no schemas. By default Fastify loads two compilers for them at every start, more than 100 files. */
const WITHOUT_SCHEMAS = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } };

/** The HTTP server: the service, its checkout page, its OpenAPI document and the controls. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { world, controls, controlToken, hosts, baseUrl, checkoutUrl, logger } = options;
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: 30_000, // Fastify's default is no timeout
    forceCloseConnections: true,
    schemaController: WITHOUT_SCHEMAS,
    // a reference of 255 characters, percent-encoded, has up to 2,295
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) => sendRefusal(reply, refuse(error.statusCode ?? 400, error.message)),
  }) as unknown as FastifyInstance;

  takeBodiesAsBytes(app);
  app.addHook('onRequest', async (request) => {
    // Fastify answers a malformed content type with 415 before any parser; the service reads every body as JSON.
    if (!request.url.startsWith('/sandbox')) request.headers['content-type'] = 'application/octet-stream';
  });
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const refusal = asRefusal(error);
    if (!refusal) app.log.error(error);
    return sendRefusal(reply, refusal ?? refuse(500, 'Internal error of the sandbox'));
  });
  app.setNotFoundHandler((request, reply) =>
    sendRefusal(reply, refuse(404, `No route ${request.method} ${request.url.split('?')[0]}`)),
  );
  spoilAnswers(app, world);

  app.register(collectionRoutes, { world });
  app.register(checkoutRoutes, { world, checkoutUrl });
  app.register(refundRoutes, { world });
  app.register(payoutRoutes, { world, baseUrl });
  app.register(documentRoutes);
  app.register(controlRoutes, { prefix: '/sandbox', controls, token: controlToken, hosts });
  return app;
}

function refuseSchema(): never {
  throw new Error('A route has a schema, and the server was built without compilers for schemas.');
}

function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof SyntaxError) return refuse(400, 'The request body is not valid JSON');
  const httpStatus = (error as FastifyError).statusCode ?? 500;
  return httpStatus < 500 ? refuse(httpStatus, (error as Error).message) : undefined;
}

function sendRefusal(reply: FastifyReply, { httpStatus, body }: Refusal): FastifyReply {
  return reply.code(httpStatus).type(JSON_TYPE).send(encodeJson(body));
}
