import type { RequestedRecord } from '../../domain/checks/answer-fault.ts';
import { isObject, member } from '../../domain/events/json.ts';
import type { PayloadCodec } from '../../domain/requests/payload-codec.ts';
import type { Secret } from '../../domain/secrets/secret.ts';
import { type RefusalFacts, RefusedError, type RequestLine, type ServiceError } from '../errors/service-error.ts';
import {
  AuthenticationError,
  NoAnswerError,
  RateLimitedError,
  ServiceFailedError,
  UnreadableAnswerError,
} from '../errors/transport-errors.ts';
import { type Envelope, type ReadingOptions, readEnvelope } from './envelope.ts';
import { refusalFault } from './refusal-fault.ts';
import { type BodyFields, encodeBody } from './request-body.ts';
import { scrub } from './scrub.ts';
import type { Exchange, Transport } from './transport.ts';

/** Returns the error class of a refusal; null where the endpoint has none of its own for it. */
export type RefusalReader = (facts: RefusalFacts, envelope: Envelope) => RefusedError | null;

/** One request to an endpoint of the service, and how its response is read. */
export interface ServiceRequest extends RequestLine {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyFields;
  /** Send the body as `{ data: <encrypted> }` when the merchant has payload encryption (interface 5.4). */
  readonly encrypted?: boolean;
  readonly repeat: 'safe' | 'never';
  /** The response is a list of records. */
  readonly isList?: boolean;
  /** Texts of the request that no error may contain, besides the secret key. */
  readonly sensitive?: readonly string[];
  /** Called for every refusal except 401, 403, 429 and 5xx. */
  readonly refusal?: RefusalReader;
  /** The record that the request makes, of a request that moves money: its refusal must prove that nothing was done. */
  readonly makes?: RequestedRecord;
  /** 401 and 403 go to `refusal` too: inline checkout has its own error for a wrong key. */
  readonly ownsAuthentication?: boolean;
}

export interface Caller {
  /**
   * Sends the request and returns the response that accepts it.
   *
   * @throws RefusedError (and its classes) for a refusal; AuthenticationError, RateLimitedError, ServiceFailedError by HTTP
   * status; UnreadableAnswerError; ServiceUnreachableError, NoAnswerError, RedirectRefusedError
   */
  call(request: ServiceRequest): Promise<Envelope>;
  /** Returns the text of a 2xx response, for the one endpoint whose body is not JSON. Throws for any other status, as `call` does. */
  fetchText(request: ServiceRequest): Promise<{ httpStatus: number; text: string }>;
}

export interface CallerParts {
  readonly transport: Transport;
  readonly codec: PayloadCodec | null;
  readonly secretKey: Secret | null;
}

export function createCaller({ transport, codec, secretKey }: CallerParts): Caller {
  const keys = secretKey === null ? [] : [secretKey.reveal()];

  function send({ method, path, query, headers, body, encrypted, repeat }: ServiceRequest): Promise<Exchange> {
    const plain = body === undefined ? undefined : encodeBody(body);
    const text =
      plain === undefined || codec === null || encrypted !== true ? plain : encodeBody({ data: codec.encode(plain) });
    return transport.exchange({
      method,
      path,
      repeat,
      ...(query !== undefined && { query }),
      ...(headers !== undefined && { headers }),
      ...(text !== undefined && { body: text }),
    });
  }

  function judge(request: ServiceRequest, exchange: Exchange): Envelope {
    const requestLine = { method: request.method, path: request.path };
    const { httpStatus } = exchange;
    const reading = { requestLine, codec, sensitive: [...keys, ...(request.sensitive ?? [])] };
    const isLeftToRefusal = request.ownsAuthentication === true && isDenied(httpStatus);
    const byStatus = isLeftToRefusal ? null : statusError(exchange, reading);
    if (byStatus !== null) throw byStatus;
    if (httpStatus === PARTIAL_CONTENT) {
      // This client never asks for a range: the rest of the document may say something else.
      throw new UnreadableAnswerError(requestLine, httpStatus, 'shape', 'HTTP 206 announces a part of an answer');
    }
    const envelope = readEnvelope(exchange, { ...reading, isList: request.isList === true });
    const accepted = httpStatus >= 200 && httpStatus < 300;
    if (envelope.ok && accepted && !envelope.complains) return envelope;
    if (envelope.ok) {
      const detail = accepted
        ? 'it means success, and its body names errors'
        : 'the body reports success, the HTTP status does not';
      throw new UnreadableAnswerError(requestLine, httpStatus, 'contradiction', detail);
    }
    const { message, fields } = envelope;
    const facts = { requestLine, httpStatus, message, fields, earlierUnanswered: exchange.earlierUnanswered };
    const refused = request.refusal?.(facts, envelope) ?? null;
    const fault = request.makes === undefined ? null : refusalFault(request.makes, envelope, refused);
    if (fault !== null) {
      throw new UnreadableAnswerError(requestLine, httpStatus, fault.code, scrub(fault.detail, reading.sensitive));
    }
    if (refused !== null) throw refused;
    throw isDenied(httpStatus) ? new AuthenticationError(facts) : new RefusedError(facts);
  }

  return {
    async call(request) {
      return judge(request, await send(request));
    },
    async fetchText(request) {
      const exchange = await send(request);
      if (
        exchange.httpStatus < 200 ||
        exchange.httpStatus > 299 ||
        exchange.httpStatus === PARTIAL_CONTENT ||
        exchange.isEncoded
      )
        judge(request, exchange);
      return { httpStatus: exchange.httpStatus, text: Buffer.from(exchange.body).toString('utf8') };
    },
  };
}

const PARTIAL_CONTENT = 206;
const isDenied = (httpStatus: number) => httpStatus === 401 || httpStatus === 403;

/** Returns the error that the HTTP status alone decides, whether or not the body can be read; else null. */
function statusError(exchange: Exchange, reading: ReadingOptions): ServiceError | null {
  const { requestLine, sensitive } = reading;
  const { httpStatus, retryAfterMs, earlierUnanswered } = exchange;
  const decisive = httpStatus >= 500 || httpStatus === 408 || httpStatus === 429 || isDenied(httpStatus);
  if (!decisive) return null;
  let facts: RefusalFacts = { requestLine, httpStatus, message: '', fields: {} };
  try {
    const { message, fields } = readEnvelope(exchange, reading);
    facts = { ...facts, message: scrub(message, sensitive), fields };
  } catch (error) {
    if (!(error instanceof UnreadableAnswerError)) throw error;
  }
  // This attempt was refused, but an earlier unanswered one may have been accepted.
  if (earlierUnanswered && httpStatus < 500) return new NoAnswerError(requestLine, 'reset', `then ${httpStatus}`);
  if (httpStatus === 429) return new RateLimitedError(facts, retryAfterMs);
  if (isDenied(httpStatus)) return new AuthenticationError(facts);
  return new ServiceFailedError(requestLine, httpStatus, facts.message);
}

const CONTENT_FIELDS = ['success', 'status', 'message', 'detail', 'reference'];

/** Refuses a 2xx without any field of the service: a proxy may have sent it, so it proves no acceptance. Throws UnreadableAnswerError (empty). */
export function requireContent(requestLine: RequestLine, envelope: Envelope): Envelope {
  const { root, data } = envelope;
  if (isObject(data) || CONTENT_FIELDS.some((name) => member(root, name) !== undefined)) return envelope;
  throw new UnreadableAnswerError(requestLine, envelope.httpStatus, 'empty', 'it has no field of the service');
}
