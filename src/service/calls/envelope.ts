import {
  encryptedPayload,
  isObject,
  type Json,
  type JsonObject,
  MAX_VALUES,
  member,
  NumberToken,
  parseBody,
} from '../../domain/events/json.ts';
import type { PayloadCodec } from '../../domain/requests/payload-codec.ts';
import type { FieldMessages, RequestLine } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { scrub } from './scrub.ts';
import type { Exchange } from './transport.ts';

/** A response as read: `success`/`status`, `message`/`detail`, `error`/`errors` in one form (decision 64). */
export interface Envelope {
  readonly httpStatus: number;
  /** Success according to the body, or to the HTTP status where the body does not state it. */
  readonly ok: boolean;
  /** `success` is neither true nor false, nor missing or null: not what the service writes. */
  readonly hasOddSuccess: boolean;
  /** The body names an error, and no field of it states failure: it is neither a yes nor a no, also beside a stated success. */
  readonly complains: boolean;
  /** Without the secrets of the request. */
  readonly message: string;
  readonly fields: FieldMessages;
  readonly data: Json | undefined;
  readonly root: JsonObject;
  readonly retryAfterMs: number | null;
}

export interface ReadingOptions {
  readonly requestLine: RequestLine;
  readonly codec: PayloadCodec | null;
  /** Texts of the request that no error may contain. */
  readonly sensitive: readonly string[];
  /** A list may hold thousands of records; any other response has at most as many values as a webhook. */
  readonly isList?: boolean;
}

/** Most JSON values in one page of a list; bounds memory and time of parsing. */
const MAX_LIST_VALUES = 200_000;

/**
 * Returns the envelope of a response. An empty body is read as an envelope without content, because its HTTP status still
 * counts.
 *
 * @throws UnreadableAnswerError (content_encoding, not_json, html, undecryptable, shape) for any other body that is no envelope
 */
export function readEnvelope(exchange: Exchange, options: ReadingOptions): Envelope {
  const { httpStatus, isEncoded, body, retryAfterMs } = exchange;
  if (isEncoded)
    throw new UnreadableAnswerError(options.requestLine, httpStatus, 'content_encoding', 'it is compressed');
  const root = body.length === 0 ? {} : rootOf(decoded(json(exchange, options), options, httpStatus));
  if (root === null)
    throw new UnreadableAnswerError(options.requestLine, httpStatus, 'shape', 'it is neither object nor list');
  const fields = fieldMessages(root, options.sensitive);
  const texts = [member(root, 'message'), member(root, 'detail'), member(root, 'error')];
  const message = texts.find((each) => typeof each === 'string') ?? Object.values(fields).flat().join(' ');
  const stated = statedSuccess(root);
  const hasFields = Object.keys(fields).length > 0;
  return {
    httpStatus,
    complains:
      namesError(member(root, 'error')) || namesError(member(root, 'errors')) || (stated === null && hasFields),
    hasOddSuccess: typeof (member(root, 'success') ?? true) !== 'boolean',
    ok: stated ?? (httpStatus >= 200 && httpStatus < 300),
    message: scrub(String(message), options.sensitive),
    fields,
    data: member(root, 'data'),
    root,
    retryAfterMs,
  };
}

function json({ httpStatus, contentType, body }: Exchange, { requestLine, isList }: ReadingOptions): Json {
  const parsed = parseBody(body, mostValues(isList));
  if (parsed.ok) return parsed.value;
  const start = Buffer.from(body.subarray(0, 100)).toString('latin1').trimStart();
  const html = start.startsWith('<') || /\bhtml\b/i.test(contentType);
  throw new UnreadableAnswerError(
    requestLine,
    httpStatus,
    html ? 'html' : 'not_json',
    `${body.length} bytes that are ${html ? 'a web page' : `no JSON document (${parsed.fault})`}`,
  );
}

function mostValues(isList = false): number {
  return isList ? MAX_LIST_VALUES : MAX_VALUES;
}

/** A bare list stands for its records without an envelope. */
function rootOf(value: Json): JsonObject | null {
  if (Array.isArray(value)) return { data: value };
  return isObject(value) ? value : null;
}

/** Responses of GETs are encrypted as well (rule 4.4.8); a body of any other form is plain (decision 86). */
function decoded(value: Json, { requestLine, codec, isList }: ReadingOptions, httpStatus: number): Json {
  const payload = codec === null ? null : encryptedPayload(value);
  if (codec === null || payload === null) return value;
  const bytes = codec.decode(payload);
  const parsed = bytes === null ? null : parseBody(bytes, mostValues(isList));
  if (parsed?.ok) return parsed.value;
  throw new UnreadableAnswerError(requestLine, httpStatus, 'undecryptable', 'it was not made with the payload key');
}

const SUCCEEDED = ['true', '1', 'success', 'successful', 'ok'];
const FAILED = ['false', '0', 'error', 'fail', 'failure', 'failed', 'declined', 'rejected', 'denied', 'unsuccessful'];

/** Whether `error` or `errors` holds anything: `{ "code": null }`, `[]` and `0` do not. */
function namesError(error: Json | undefined): boolean {
  if (Array.isArray(error)) return error.some(namesError);
  if (isObject(error)) return Object.values(error).some(namesError);
  if (error instanceof NumberToken) return !/^-?0(\.0+)?$/.test(error.source);
  return error === true || (typeof error === 'string' && error !== '');
}

/** Decision 64. `status` is also a field of records: where the root is itself a record, only a boolean counts. */
function statedSuccess(root: JsonObject): boolean | null {
  const isRecord = ['reference', 'refund_reference'].some((name) => member(root, name) !== undefined);
  for (const name of ['success', 'status']) {
    const value = member(root, name);
    if (typeof value === 'boolean') return value;
    if (isRecord && name === 'status') continue;
    const word = value instanceof NumberToken ? value.source : typeof value === 'string' ? value.toLowerCase() : '';
    if (SUCCEEDED.includes(word)) return true;
    if (FAILED.includes(word)) return false;
    // Some services repeat the HTTP status here.
    if (/^[1-5]\d\d$/.test(word)) return word.startsWith('2');
  }
  return null;
}

/** Fields, and messages per field, kept of an error response: they bound the error's size. */
const MOST_FIELDS = 50;
const MOST_MESSAGES = 10;

/** Returns the messages per field: `errors` before `error`; the messages of a field are a list or one string. */
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
