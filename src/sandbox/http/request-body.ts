import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeJson } from '../wire/json.ts';
import { refuse } from '../wire/refusal.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Bodies arrive as bytes, whatever their content type says, and are read with the sandbox's own JSON reader: number
 * tokens stay exact and a field named `__proto__` is only a field.
 */
export function takeBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** What was asked for, without its query: chaos rules name paths. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => url.split('?')[0] ?? url;

/** The text of a request; throws 400 when it is not UTF-8, and 415 when it was compressed. */
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

/** The parsed body; an empty one is an empty object, so that every required field is named. Throws 400 for broken JSON. */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return decodeJson(text);
  } catch {
    throw refuse(400, 'The request body is not valid JSON'); // a SyntaxError, or a RangeError from absurd nesting
  }
}

export { JSON_TYPE };
