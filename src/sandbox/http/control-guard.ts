import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../wire/refusal.ts';

/**
 * Refuses control requests (T18) without the token, without JSON, under a host name that is not of this machine, or from
 * a web page. There is no CORS, so a page could not read an answer either.
 */
export function guardControls(app: FastifyInstance, options: { token: string; hosts: readonly string[] }): void {
  const allowed = new Set(['localhost', '127.0.0.1', '[::1]', ...options.hosts]);
  app.addHook('onRequest', async (request) => {
    const { host = '', origin, authorization = '' } = request.headers;
    const name = host.replace(/:\d+$/, '').toLowerCase();
    if (!allowed.has(name)) throw refuse(403, `The controls do not answer to the host name ${name}`);
    if (origin !== undefined) throw refuse(403, 'The controls do not answer to web pages');
    if (!sameText(authorization, `Bearer ${options.token}`)) throw refuse(401, 'Invalid control token');
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
    if (hasBody && !isJson) throw refuse(415, 'The controls take application/json only');
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
