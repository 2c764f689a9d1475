import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Secret } from '../domain/secret.ts';
import type { Metrics } from './metrics.ts';

export interface AdminOptions {
  readonly metrics: Metrics;
  /** Returns null when ready, else the reason why not. */
  readonly notReady: () => string | null;
  /** Bearer token of all routes but the two health routes; null on a loopback listener without one. */
  readonly token: Secret | null;
  /** Host headers that are answered; requests with others may come from a web page in a browser (RELIABILITY T18). */
  readonly allowedHosts: readonly string[];
}

const OPEN_ROUTES = ['/healthz', '/readyz'];

/** The admin listener: health, readiness, metrics. Read-only: there is no login yet. */
export const admin: FastifyPluginAsync<AdminOptions> = async (app, { metrics, notReady, token, allowedHosts }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (!allowedHosts.includes(hostOf(request))) {
      return reply.code(403).send({ error: 'host_not_allowed', hint: 'Add the host to admin.allowedHosts.' });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply.code(405).header('allow', 'GET, HEAD').send({ error: 'method_not_allowed' });
    }
    if (token !== null && !OPEN_ROUTES.includes(request.url) && !bears(request, token)) {
      return reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'token_required' });
    }
  });

  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', (_request, reply) => {
    const reason = notReady();
    return reason === null ? reply.send({ status: 'ready' }) : reply.code(503).send({ status: 'not_ready', reason });
  });

  app.get('/metrics', async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.page()));
};

function hostOf(request: FastifyRequest): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
}

/** Compares digests, which have one length for every header. */
function bears(request: FastifyRequest, token: Secret): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token.reveal()}`));
}
