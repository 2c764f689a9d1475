import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { SECRET_KEY } from './keys.ts';
import type { RunningSubject } from './running-subject.ts';

/** A Fastify handler that checks the HMAC and stores nothing: the least that any receiver costs. */
export function bareSubject(): Promise<RunningSubject> {
  return verifyingServer(() => {});
}

/** Checks the signature of each delivery, calls `accept` with the body and responds 200. */
export async function verifyingServer(accept: (body: Buffer) => void): Promise<RunningSubject> {
  const secret = createSecretKey(SECRET_KEY, 'utf8');
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post<{ Body: Buffer }>('/webhooks/test', (request: FastifyRequest<{ Body: Buffer }>, reply: FastifyReply) => {
    const signature = Buffer.from(String(request.headers.payloadsignature), 'hex');
    // `binary` is the fastest way to take a digest; the real receiver does the same.
    const computed = Buffer.from(createHmac('sha512', secret).update(request.body).digest('binary'), 'binary');
    if (signature.length !== computed.length || !timingSafeEqual(computed, signature)) {
      return reply.code(401).send({ error: 'invalid_signature' });
    }
    accept(request.body);
    return reply.header('content-type', 'application/json; charset=utf-8').send('{"received":true}');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { port, adminPort: null, close: () => app.close() };
}
