import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import type { Metrics } from './metrics.ts';

export interface AdminOptions {
  readonly metrics: Metrics;
  /** Returns null when ready, else the reason why not. */
  readonly notReady: () => string | null;
  /** What this process reports of itself. */
  readonly report: () => ServeReport;
  readonly guard: AdminGuard;
}

/** Answers a request that may not be answered otherwise; returns whether it did. */
export type AdminGuard = (request: FastifyRequest, reply: FastifyReply) => boolean;

export interface AdminRules {
  /** Bearer token of all routes but the two health routes; null on a loopback listener without one. */
  readonly token: Secret | null;
  /** Host headers that are answered; requests with others may come from a web page in a browser (RELIABILITY T18). */
  readonly allowedHosts: readonly string[];
}

const OPEN_ROUTES = ['/healthz', '/readyz'];

/**
 * Returns what stands before every answer of the admin listener, also before a 404 and before the 400 to an unreadable URL:
 * a web page in a browser must not learn from either what runs here.
 */
export function adminGuard({ token, allowedHosts }: AdminRules): AdminGuard {
  return (request, reply) => {
    if (!allowedHosts.includes(hostOf(request))) {
      reply.code(403).send({ error: 'host_not_allowed', hint: 'Add the host to admin.allowedHosts.' });
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply.code(405).header('allow', 'GET, HEAD').send({ error: 'method_not_allowed' });
    } else if (token !== null && !OPEN_ROUTES.includes(request.url) && !bears(request, token)) {
      reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'token_required' });
    } else return false;
    return true;
  };
}

/** The admin listener: health, readiness, metrics. Read-only: there is no login yet. */
export const admin: FastifyPluginAsync<AdminOptions> = async (app, { metrics, notReady, report, guard }) => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!guard(request, reply)) done();
  });
  // Set here, so that the hook runs for unknown paths too.
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found' }));

  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', (_request, reply) => {
    const reason = notReady();
    const serve = report();
    if (reason === null) return reply.send({ status: 'ready', serve });
    return reply.code(503).send({ status: 'not_ready', reason, serve });
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
