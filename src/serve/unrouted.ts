import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { isWebhookPath } from '../receive/key-rings.ts';
import { hasSignatureHeader } from '../receive/likeness.ts';
import type { RefusalReason } from '../receive/refusals.ts';
import { pathIn, unroutedRefusal } from '../receive/refused-request.ts';
import type { LowerCaseHeaders } from '../receive/signature.ts';
import type { Refusal } from '../store/inbox.ts';
import type { Clock } from '../time/clock.ts';

export interface UnroutedOptions {
  readonly clock: Clock;
  /** Called for a request with a signature header, and for one to a webhook path by another method than POST. */
  readonly onRefused: (refusal: Refusal, headers: LowerCaseHeaders) => void;
  /** Called for any other request: a stranger's, of which there is no end, so that it is counted and nothing more. */
  readonly onStray: () => void;
}

/**
 * Answers the requests of `serve` that no route takes: a delivery to a mistyped URL must not vanish. It sets the 404 page of the
 * whole application, so it is for the server of `serve` alone.
 */
export const unrouted: FastifyPluginAsync<UnroutedOptions> = async (app, options) => {
  // Before Fastify would look for a parser of the body.
  app.addHook('onRequest', async (request, reply) => {
    if (!answerDelivery(request, reply, options)) {
      options.onStray();
      reply.code(404).send({ error: 'not_found' });
    }
    return reply;
  });
  // The hook answers every request; it runs because this stands here.
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found' }));
};

/** Refuses a request that no route takes and that looks like a delivery; returns whether it does. */
export function answerDelivery(
  request: FastifyRequest,
  reply: FastifyReply,
  { clock, onRefused }: UnroutedOptions,
): boolean {
  const { headers, url } = request;
  const path = pathIn(url);
  const refusal = unroutedRefusal(request, clock.nowMs());
  if (isWebhookPath(path)) {
    // By a method that Fastify does not know, such as PROPFIND: the routes have all others.
    onRefused({ ...refusal, path, reason: 'method' satisfies RefusalReason }, headers);
    reply.code(405).header('allow', 'POST').send({ error: 'method_not_allowed' });
    return true;
  }
  if (!hasSignatureHeader(headers)) return false;
  onRefused(refusal, headers);
  reply.code(404).send({ error: 'not_found' });
  return true;
}
