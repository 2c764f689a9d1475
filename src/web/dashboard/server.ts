import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../../config/load.ts';
import { readForm } from './body.ts';
import { type Frame, MOST_FIELDS, type Response } from './frame.ts';
import { type Guard, HEADERS } from './guard.ts';
import type { Looking } from './looking.ts';
import type { OwnFile } from './own-files.ts';
import { Streams } from './streams.ts';

export interface DashboardServerParts {
  readonly config: Config;
  readonly frame: Frame;
  readonly guard: Guard;
  readonly looking: Looking;
  readonly files: readonly OwnFile[];
  readonly uploads: string;
  readonly stopping: AbortSignal;
}

/** Connections at a time: fifty people with a stream and a few requests each. */
const MOST_CONNECTIONS = 512;
const HEADERS_TIMEOUT_MS = 10_000;
/** An upload must have arrived within this time. */
const REQUEST_TIMEOUT_MS = 120_000;
const FILES_OF_A_FORM = 4;
const METHODS = ['GET', 'HEAD', 'POST'];

/** The listener of the dashboard: names of hosts and methods, our own files, the headers of every answer; all else is the frame's. */
export function dashboardServer(parts: DashboardServerParts): FastifyInstance {
  const { config, frame, guard, looking, files, uploads, stopping } = parts;
  const { trustProxy, uploadLimitBytes } = config.dashboard;
  const app = Fastify({
    trustProxy: trustProxy === false ? false : [...trustProxy],
    bodyLimit: uploadLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    clientErrorHandler: ({ code }, socket) => (code === 'ECONNRESET' ? socket.destroy() : endUnreadable(socket)),
    frameworkErrors(_error, request: FastifyRequest, reply: FastifyReply) {
      if (!refused(request, reply)) plain(reply, 400, 'The address cannot be read.');
    },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  // The frame reads the body, once everything before it is in order.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', (request, reply, done) => {
    if (!refused(request, reply)) done();
  });
  app.setErrorHandler((_error, _request, reply) => plain(reply, 400, 'The request cannot be read.'));

  const streams = new Streams({ looking, stopping, isLive: (session) => frame.isLive(session) });
  const own = new Map(files.map((file) => [`/own/${file.name}`, file]));
  const limits = {
    ...{
      formBytes: config.receiver.bodyLimitBytes,
      fileBytes: uploadLimitBytes,
      files: FILES_OF_A_FORM,
      fields: MOST_FIELDS,
    },
    ...{ folder: uploads, newName: () => randomBytes(16).toString('hex') },
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const file = own.get(request.url);
    if (file !== undefined) {
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(file.type);
      return reply.send(file.text);
    }
    const { method, url, headers, ip: peer } = request;
    const form = (check: ((fields: URLSearchParams) => boolean) | null) =>
      readForm(request.raw, String(headers['content-type'] ?? ''), limits, check);
    const response = await frame.answer({ method, url, headers, peer, form });
    // What was not read of a body belongs to no further request.
    if (!request.raw.readableEnded && method === 'POST') reply.header('connection', 'close');
    if (response.listens === undefined) return send(reply, response);
    reply.hijack();
    reply.raw.writeHead(200, { ...HEADERS, ...response.headers });
    streams.listen(response.listens, reply.raw);
    return reply;
  };
  app.route({ method: METHODS, url: '/*', handler: answer });
  app.setNotFoundHandler(answer);

  function refused(request: FastifyRequest, reply: FastifyReply): boolean {
    reply.headers(HEADERS);
    if (!guard.allowsHost(request)) {
      plain(
        reply,
        403,
        'This name of the host is not answered. Set dashboard.publicUrl to the address that people use.',
      );
    } else if (!METHODS.includes(request.method)) {
      reply.header('allow', METHODS.join(', '));
      plain(reply, 405, 'This method is not answered.');
    } else return false;
    return true;
  }
  return app;
}

/** Answers bytes that are no request, or a body that was cut off: there is no request that a page could answer. */
function endUnreadable(socket: Socket): void {
  const text = 'The request cannot be read, or was cut off. Go back, and send it again.\n';
  const headers = {
    ...HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': text.length,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write(`HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
  socket.destroySoon();
}

function plain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).headers(HEADERS).type('text/plain; charset=utf-8').send(`${text}\n`);
}

function send(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .send(typeof body === 'string' ? body : Buffer.from(body));
}
