import { isObject, member } from '../../domain/json.ts';
import type { PayloadCodec } from '../../domain/payload-codec.ts';
import type { Secret } from '../../domain/secret.ts';
import { type Asked, type RefusalFacts, RefusedError, type ServiceError } from '../errors/service-error.ts';
import {
  AuthenticationError,
  NoAnswerError,
  RateLimitedError,
  ServiceFailedError,
  UnreadableAnswerError,
} from '../errors/transport-errors.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { type BodyFields, encodeBody } from './request-body.ts';
import { scrub } from './scrub.ts';
import type { Exchange, Transport } from './transport.ts';

/** Which error a refusal is; null where the resource has no class of its own for it. */
export type RefusalReader = (facts: RefusalFacts, envelope: Envelope) => RefusedError | null;

export interface Question extends Asked {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyFields;
  /** The body goes out as `{ data: <encrypted> }` when the merchant has payload encryption (interface 5.4). */
  readonly encrypted?: boolean;
  readonly repeat: 'safe' | 'never';
  /** The answer is a list of records. */
  readonly isList?: boolean;
  /** Texts of the request that no error may repeat, beside the secret key. */
  readonly sensitive?: readonly string[];
  /** Called for every refusal but 401, 403, 429 and 5xx. */
  readonly refusal?: RefusalReader;
  /** 401 and 403 go to `refusal` too: inline checkout has an error of its own for a wrong key. */
  readonly ownsAuthentication?: boolean;
}

export interface Caller {
  /**
   * Asks, and returns what the service says yes to.
   *
   * @throws RefusedError (and its classes) for a no; AuthenticationError, RateLimitedError, ServiceFailedError by HTTP
   * status; UnreadableAnswerError; ServiceUnreachableError, NoAnswerError, RedirectRefusedError
   */
  ask(question: Question): Promise<Envelope>;
  /** The complete answer, for the one endpoint whose body is no JSON. Throws for everything but 2xx, as `ask` does. */
  fetchText(question: Question): Promise<{ httpStatus: number; text: string }>;
}

export interface CallerParts {
  readonly transport: Transport;
  readonly codec: PayloadCodec | null;
  readonly secretKey: Secret | null;
}

export function createCaller({ transport, codec, secretKey }: CallerParts): Caller {
  const keys = secretKey === null ? [] : [secretKey.reveal()];

  function send({ method, path, query, headers, body, encrypted, repeat }: Question): Promise<Exchange> {
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

  function judge(question: Question, exchange: Exchange): Envelope {
    const asked = { method: question.method, path: question.path };
    const sensitive = [...keys, ...(question.sensitive ?? [])];
    const { httpStatus } = exchange;
    const byStatus = statusError(asked, exchange, question.ownsAuthentication === true, sensitive, codec);
    if (byStatus !== null) throw byStatus;
    const envelope = readEnvelope(exchange, { asked, codec, sensitive, isList: question.isList === true });
    const accepted = httpStatus >= 200 && httpStatus < 300;
    if (envelope.ok && accepted && !envelope.complains) return envelope;
    if (envelope.ok) {
      const detail = accepted
        ? 'the HTTP status says yes, the body names errors'
        : 'the body says yes, the HTTP status no';
      throw new UnreadableAnswerError(asked, httpStatus, 'contradiction', detail);
    }
    const { message, fields } = envelope;
    const facts = { asked, httpStatus, message, fields, earlierUnanswered: exchange.earlierUnanswered };
    const refused = question.refusal?.(facts, envelope) ?? null;
    if (refused !== null) throw refused;
    throw isDenied(httpStatus) ? new AuthenticationError(facts) : new RefusedError(facts);
  }

  return {
    async ask(question) {
      return judge(question, await send(question));
    },
    async fetchText(question) {
      const exchange = await send(question);
      if (exchange.httpStatus < 200 || exchange.httpStatus > 299) judge(question, exchange);
      return { httpStatus: exchange.httpStatus, text: Buffer.from(exchange.body).toString('utf8') };
    },
  };
}

const isDenied = (httpStatus: number) => httpStatus === 401 || httpStatus === 403;

/** What the HTTP status alone decides, readable body or not. */
function statusError(
  asked: Asked,
  exchange: Exchange,
  ownsAuthentication: boolean,
  sensitive: readonly string[],
  codec: PayloadCodec | null,
): ServiceError | null {
  const { httpStatus, retryAfterMs, earlierUnanswered } = exchange;
  const decisive = httpStatus >= 500 || httpStatus === 408 || httpStatus === 429 || isDenied(httpStatus);
  if (!decisive || (ownsAuthentication && isDenied(httpStatus))) return null;
  let facts: RefusalFacts = { asked, httpStatus, message: '', fields: {} };
  try {
    const { message, fields } = readEnvelope(exchange, { asked, codec, sensitive });
    facts = { ...facts, message: scrub(message, sensitive), fields };
  } catch (error) {
    if (!(error instanceof UnreadableAnswerError)) throw error;
  }
  // This attempt was turned away at the door, but an earlier one may have gone through it.
  if (earlierUnanswered && httpStatus < 500) return new NoAnswerError(asked, 'reset', `then ${httpStatus}`);
  if (httpStatus === 429) return new RateLimitedError(facts, retryAfterMs);
  if (isDenied(httpStatus)) return new AuthenticationError(facts);
  return new ServiceFailedError(asked, httpStatus, facts.message);
}

const SAID = ['success', 'status', 'message', 'detail', 'reference'];

/** A body that says nothing of ours, under 200, may come from anything in between: it is no acceptance. Throws UnreadableAnswerError (empty). */
export function requireContent(asked: Asked, envelope: Envelope): Envelope {
  const { root, data } = envelope;
  if (isObject(data) || SAID.some((name) => member(root, name) !== undefined)) return envelope;
  throw new UnreadableAnswerError(asked, envelope.httpStatus, 'empty', 'it says nothing');
}
