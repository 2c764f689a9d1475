import {
  encryptedPayload,
  isObject,
  type Json,
  type JsonObject,
  MAX_VALUES,
  member,
  NumberToken,
  parseBody,
} from '../../domain/json.ts';
import type { PayloadCodec } from '../../domain/payload-codec.ts';
import type { Asked, FieldMessages } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { scrub } from './scrub.ts';
import type { Exchange } from './transport.ts';

/** An answer, read: `success`/`status`, `message`/`detail`, `error`/`errors` in one form (decision 64). */
export interface Envelope {
  readonly httpStatus: number;
  /** What the body says, else what the HTTP status says. */
  readonly ok: boolean;
  /** The body names an error, and no word of it says yes or no. */
  readonly complains: boolean;
  /** With every secret of the request taken out. */
  readonly message: string;
  readonly fields: FieldMessages;
  readonly data: Json | undefined;
  readonly root: JsonObject;
  readonly retryAfterMs: number | null;
}

export interface ReadingOptions {
  readonly asked: Asked;
  readonly codec: PayloadCodec | null;
  /** Texts of the request that must not come back in an error. */
  readonly sensitive: readonly string[];
  /** A list may hold thousands of records; any other answer is about one, and has as many values as a webhook at most. */
  readonly isList?: boolean;
}

const MAX_LIST_VALUES = 200_000;

/**
 * Reads an answer's envelope.
 *
 * @throws UnreadableAnswerError (not_json, html, undecryptable, shape) for a body that is none; an empty one is read as
 * an envelope without content, because its HTTP status still says something
 */
export function readEnvelope(exchange: Exchange, options: ReadingOptions): Envelope {
  const { httpStatus, body, retryAfterMs } = exchange;
  const root = body.length === 0 ? {} : rootOf(decoded(json(exchange, options), options, httpStatus));
  if (root === null)
    throw new UnreadableAnswerError(options.asked, httpStatus, 'shape', 'it is no JSON object or list');
  const fields = fieldMessages(root, options.sensitive);
  const words = [member(root, 'message'), member(root, 'detail'), member(root, 'error')];
  const message = words.find((each) => typeof each === 'string') ?? Object.values(fields).flat().join(' ');
  const said = saysOk(root);
  return {
    httpStatus,
    complains: said === null && (Object.keys(fields).length > 0 || namesError(member(root, 'error'))),
    ok: said ?? (httpStatus >= 200 && httpStatus < 300),
    message: scrub(String(message), options.sensitive),
    fields,
    data: member(root, 'data'),
    root,
    retryAfterMs,
  };
}

/**
 * The object of an answer that can be a record: `data`, or the body itself where it names a reference or holds the record
 * under `wrapper`. Of any other body the `status` is the envelope's and says nothing of a payment: null.
 */
export function recordIn({ data, root }: Pick<Envelope, 'data' | 'root'>, wrapper: string): JsonObject | null {
  if (isObject(data)) return data;
  return member(root, 'reference') !== undefined || isObject(member(root, wrapper)) ? root : null;
}

function json({ httpStatus, contentType, body }: Exchange, { asked, isList }: ReadingOptions): Json {
  const parsed = parseBody(body, mostValues(isList));
  if (parsed.ok) return parsed.value;
  const start = Buffer.from(body.subarray(0, 100)).toString('latin1').trimStart();
  const html = start.startsWith('<') || /\bhtml\b/i.test(contentType);
  throw new UnreadableAnswerError(
    asked,
    httpStatus,
    html ? 'html' : 'not_json',
    `${body.length} bytes that are ${html ? 'a web page' : `no JSON document (${parsed.fault})`}`,
  );
}

function mostValues(isList = false): number {
  return isList ? MAX_LIST_VALUES : MAX_VALUES;
}

/** A bare list is a list of records without an envelope. */
function rootOf(value: Json): JsonObject | null {
  if (Array.isArray(value)) return { data: value };
  return isObject(value) ? value : null;
}

/** Also the answers of GETs are encrypted (rule 4.4.8); what is not of that form is taken as plain (decision 86). */
function decoded(value: Json, { asked, codec, isList }: ReadingOptions, httpStatus: number): Json {
  const payload = codec === null ? null : encryptedPayload(value);
  if (codec === null || payload === null) return value;
  const bytes = codec.decode(payload);
  const parsed = bytes === null ? null : parseBody(bytes, mostValues(isList));
  if (parsed?.ok) return parsed.value;
  throw new UnreadableAnswerError(asked, httpStatus, 'undecryptable', 'it was not made with the payload key');
}

const YES = ['true', '1', 'success', 'successful', 'ok'];
const NO = ['false', '0', 'error', 'fail', 'failure', 'failed', 'declined', 'rejected', 'denied', 'unsuccessful'];

const namesError = (error: Json | undefined) => error === true || (typeof error === 'string' && error !== '');

/** Decision 64. `status` is also a field of records: where the root is a record itself, only a boolean speaks. */
function saysOk(root: JsonObject): boolean | null {
  const isRecord = ['reference', 'refund_reference'].some((name) => member(root, name) !== undefined);
  for (const name of ['success', 'status']) {
    const value = member(root, name);
    if (typeof value === 'boolean') return value;
    if (isRecord && name === 'status') continue;
    const word = value instanceof NumberToken ? value.source : typeof value === 'string' ? value.toLowerCase() : '';
    if (YES.includes(word)) return true;
    if (NO.includes(word)) return false;
    // A few write the HTTP status once more.
    if (/^[1-5]\d\d$/.test(word)) return word.startsWith('2');
  }
  return null;
}

const MOST_FIELDS = 50;
const MOST_MESSAGES = 10;

/** `errors` goes before `error`; a field's messages are a list or one string. */
function fieldMessages(root: JsonObject, sensitive: readonly string[]): FieldMessages {
  const source = [member(root, 'errors'), member(root, 'error')].find((each) => isObject(each));
  if (!isObject(source)) return {};
  const entries = Object.entries(source)
    .slice(0, MOST_FIELDS)
    .map(([field, value]) => {
      const messages = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
      return [scrub(field, sensitive), messages.slice(0, MOST_MESSAGES).map((each) => scrub(each, sensitive))] as const;
    });
  return Object.fromEntries(entries);
}
