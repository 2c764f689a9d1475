import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_STATUS, TallyhookError } from '../domain/error.ts';
import { readEvent } from '../domain/events/event.ts';
import type { Delivery } from '../store/inbox.ts';
import { BodyRefusedError, bodyParser } from './bodies/body-parser.ts';
import { WEBHOOK_PATHS, type WebhookPath } from './key-rings.ts';
import { originOf } from './likeness.ts';
import { type ReceiverOptions, requireReceiverOptions } from './receiver-options.ts';
import { type RefusalReason, refusalStatus } from './refusals.ts';
import { headerText, refusalOf } from './refused-request.ts';
import { merchantSignatureRequired } from './signature.ts';

const NO_BODY = Buffer.alloc(0);
const RETRY_AFTER_S = 5;
const STANDARD_BODIES_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The webhook routes: bytes, signature, disk, 200. A body is parsed only after its signature was verified, and every
 * authentic body is kept (promises 1, 2 and 4). They stand under the prefix they are registered with. Not wrapped in
 * fastify-plugin: its body parser and error handler must not leak, and the 404 page is the application's own.
 */
export const receiver: FastifyPluginAsync<ReceiverOptions> = async (app, options) => {
  requireReceiverOptions(options);
  const { keyRings, keep, clock, bodyLimitBytes, strict, decode } = options;
  const { bodiesLimitBytes = Math.max(STANDARD_BODIES_LIMIT_BYTES, bodyLimitBytes) } = options;

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', bodyParser({ bodyLimitBytes, bodiesLimitBytes }));

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'POST') return refuse(request, reply.header('allow', 'POST'), 'method');
    // The signature covers the bytes as sent; decompressing would change them (decisions 15).
    if (isEncoded(request.headers['content-encoding'])) return refuse(request, reply, 'content_encoding');
    // Fastify answers 415 to a malformed Content-Type before any parser runs; only the signature must decide.
    request.headers['content-type'] = 'application/octet-stream';
    return done();
  });

  for (const path of Object.keys(WEBHOOK_PATHS) as WebhookPath[]) {
    // With every method that the application knows: the hook above refuses all but POST.
    app.route<{ Body: Buffer | null }>({
      method: app.supportedMethods,
      url: path,
      handler: (request, reply) => receive(path, request, reply),
    });
  }

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof BodyRefusedError) {
      if (error.reason === 'bodies_limit') reply.header('retry-after', RETRY_AFTER_S);
      // Else Node would read the rest of the body, only to drop it.
      return refuse(request, reply.header('connection', 'close'), error.reason);
    }
    if (error.statusCode !== undefined && error.statusCode < 500)
      return reply.code(error.statusCode).send({ error: 'bad_request' });
    options.onFailed?.(error, request);
    const status = error instanceof TallyhookError ? HTTP_STATUS[error.kind] : 500;
    // Our fault: the sender may retry, and a retry is deduplicated (promise 2).
    if (status !== 503) return reply.code(500).send({ error: 'internal' });
    return reply.code(503).header('retry-after', RETRY_AFTER_S).send({ error: 'unavailable' });
  });

  async function receive(path: WebhookPath, request: FastifyRequest<{ Body: Buffer | null }>, reply: FastifyReply) {
    const receivedAtMs = clock.nowMs();
    const startMs = performance.now();
    const body = request.body ?? NO_BODY;
    const verified = keyRings.of(path).verify(body, request.headers, receivedAtMs);
    if (!verified.ok) return refuse(request, reply, verified.reason);
    const { id: keyId, environment } = verified.keyPair;
    const merchantSignature = verified.merchantSignaturePresent ? 'verified' : 'absent';
    if (merchantSignature === 'absent') {
      const { kind } = readEvent(body, environment, decode);
      const required = merchantSignatureRequired(kind, { strict });
      if (required) return refuse(request, reply, 'missing_merchant_signature');
    }
    const sentAt = headerText(request.headers.timestamp);
    const delivery: Delivery = { environment, keyId, merchantSignature, body, sentAt, receivedAtMs };
    await keep(delivery);
    options.onKept?.(performance.now() - startMs, delivery);
    return reply.header('content-type', 'application/json; charset=utf-8').send('{"received":true}');
  }

  /** The response has no detail; the reason goes to the log and the counters. */
  function refuse(request: FastifyRequest, reply: FastifyReply, reason: RefusalReason) {
    const refusal = refusalOf(request, reason, clock.nowMs());
    const { path } = refusal;
    options.onRefused(refusal, request, originOf({ path, reason, headers: request.headers }, keyRings.of(path)));
    const status = refusalStatus(reason);
    return reply.code(status).send({ error: REFUSAL_ANSWERS[status] });
  }
};

const REFUSAL_ANSWERS = {
  400: 'bad_request',
  401: 'invalid_signature',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'content_encoding_not_supported',
  431: 'headers_too_large',
  503: 'unavailable',
} as const;

/** `identity` is no encoding, however often it is named. */
function isEncoded(header: string | undefined): boolean {
  if (header === undefined) return false;
  return header.split(',').some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));
}
