import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from '../business/merchants.ts';
import { encodeJson } from '../wire/json.ts';
import { Refusal, refuseFields } from '../wire/refusal.ts';
import type { Merchant, Scope } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { bodyText, JSON_TYPE, parseBody } from './request-body.ts';

/** An authenticated request with its parsed body. */
export interface Call {
  readonly scope: Scope;
  readonly body: unknown;
  readonly request: FastifyRequest;
}

/** HTTP status and body of an answer; null: no body, a string: plain text. */
export type Answer = readonly [httpStatus: number, body: Readonly<Record<string, unknown>> | string | null];

/**
 * The handler of a service route: authenticates, reads the body, answers. With `encryption: true` (S2S routes) a merchant
 * with payload encryption sends and receives `{ data }`, refusals included (interface 5.4, rule 4.4.8). `refuseBody`
 * makes the refusal of a body that cannot be decrypted, in the shape of the resource.
 */
export function secretKeyRoute(
  world: World,
  answer: (call: Call) => Answer,
  { encryption = false, refuseBody = refuseFields } = {},
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const scope = authenticate(world, request.headers.authorization);
    const codec = encryption ? scope.merchant.encryption : null;
    const [httpStatus, body] = answerOrRefusal(() =>
      answer({ scope, body: readBody(request, codec, refuseBody), request }),
    );
    reply.code(httpStatus);
    if (body === null) return reply.send();
    if (typeof body === 'string') return reply.type('text/plain; charset=utf-8').send(body);
    const text = encodeJson(body);
    return reply.type(JSON_TYPE).send(codec ? encodeJson({ data: encryptPayload(codec, text) }) : text);
  };
}

function answerOrRefusal(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Refusal) return [error.httpStatus, error.body];
    throw error;
  }
}

function readBody(request: FastifyRequest, codec: Merchant['encryption'], refuseBody: typeof refuseFields): unknown {
  if (request.method === 'GET') return {};
  const body = parseBody(bodyText(request));
  if (!codec) return body;
  const data = typeof body === 'object' && body !== null ? (body as { data?: unknown }).data : undefined;
  const plain = typeof data === 'string' ? decryptPayload(codec, data) : null;
  if (plain === null)
    throw refuseBody({ data: ['The data field must be the request encrypted with your payload key.'] });
  return parseBody(plain);
}

/** S2S payload encryption as observed (decision 86): AES-256-CBC with a static key and IV; the result in hexadecimal. */
function encryptPayload({ keyHex, ivHex }: Encryption, plain: string): string {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(keyHex, 'hex'), Buffer.from(ivHex, 'hex'));
  return Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]).toString('hex');
}

/** The plain text of a hexadecimal or base64 payload, or null when it was not made with this key. */
export function decryptPayload({ keyHex, ivHex }: Encryption, payload: string): string | null {
  const bytes = Buffer.from(payload, /^[0-9a-f]+$/i.test(payload) ? 'hex' : 'base64');
  const decipher = createDecipheriv('aes-256-cbc', Buffer.from(keyHex, 'hex'), Buffer.from(ivHex, 'hex'));
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8');
  } catch {
    return null; // wrong key, wrong length or altered bytes: the padding does not fit
  }
}

type Encryption = NonNullable<Merchant['encryption']>;
