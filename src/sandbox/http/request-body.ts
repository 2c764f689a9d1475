import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeJson } from '../wire/json.ts';
import { refuse } from '../wire/refusal.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Keeps every body as bytes, for any content type. The sandbox's own JSON reader then parses it: numbers stay exact and
 * `__proto__` is an ordinary field.
 */
export function takeBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** The path of a request, without its query. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => url.split('?')[0] ?? url;

/** The text of a request. Throws 400 when it is not UTF-8, 415 when it is compressed. */
export function bodyText(request: FastifyRequest): string {
  if (!Buffer.isBuffer(request.body)) return '';
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw refuse(415, `Content-Encoding ${encoding} is not supported: send the body as it is`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(request.body);
  } catch {
    throw refuse(400, 'The request body is not valid UTF-8');
  }
}

/** The parsed body; an empty body counts as `{}`, so that every required field is named. Throws 400 for invalid JSON. */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return decodeJson(text);
  } catch {
    throw refuse(400, 'The request body is not valid JSON'); // SyntaxError, or RangeError when nested too deep
  }
}

export { JSON_TYPE };
