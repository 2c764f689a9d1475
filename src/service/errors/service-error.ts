import { type ErrorKind, TallyhookError } from '../../domain/error.ts';

/** Method and path of a request, as every error names them. The path has references, never keys or card data. */
export interface RequestLine {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/** Messages of the service per field: `{ amount: ['…'] }` (interface 7). */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

export interface ServiceErrorFacts {
  readonly requestLine: RequestLine;
  /** Null when no response came. */
  readonly httpStatus: number | null;
  readonly kind: ErrorKind;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Base of the errors of a call to the service; the message starts with method, path and HTTP status. */
export class ServiceError extends TallyhookError {
  override readonly name: string = 'ServiceError';
  readonly requestLine: RequestLine;
  readonly httpStatus: number | null;

  constructor(text: string, { requestLine, httpStatus, ...facts }: ServiceErrorFacts) {
    super(`${requestLine.method} ${requestLine.path}${httpStatus === null ? '' : ` (${httpStatus})`}: ${text}`, facts);
    // Copied, because the given object may also hold the body of the request.
    this.requestLine = { method: requestLine.method, path: requestLine.path };
    this.httpStatus = httpStatus;
  }
}

/** What a refusal contains. */
export interface RefusalFacts {
  readonly requestLine: RequestLine;
  readonly httpStatus: number;
  /** The message of the service, without the secrets of the request. */
  readonly message: string;
  readonly fields: FieldMessages;
  /** An earlier attempt of the same call was sent and got no response. Default false. */
  readonly earlierUnanswered?: boolean;
}

/** What a class of refusals adds to the message of the service. */
export interface RefusalAdvice {
  /** Default `failed`. */
  readonly kind?: ErrorKind;
  /** What failed, as the sentence after the request line. Default: the message of the service. */
  readonly text?: (facts: RefusalFacts) => string;
  /** What to do next. */
  readonly hint?: string;
}

/** The service understood the request and refused it: nothing was done. Base of the errors of interface 7. */
export class RefusedError extends ServiceError {
  override readonly name: string = 'RefusedError';
  /** The message of the service, without the secrets of the request. */
  readonly serviceMessage: string;
  /** Messages per field; empty when the service sent none. */
  readonly fields: FieldMessages;
  /** An earlier attempt of the same call was sent and got no response: this refusal proves nothing about that attempt. */
  readonly earlierUnanswered: boolean;

  constructor(facts: RefusalFacts, { kind = 'failed', text = refusalText, hint }: RefusalAdvice = {}) {
    const { requestLine, httpStatus, message, fields, earlierUnanswered = false } = facts;
    super(text(facts), { requestLine, httpStatus, kind, ...(hint !== undefined && { hint }) });
    this.serviceMessage = message;
    this.fields = fields;
    this.earlierUnanswered = earlierUnanswered;
  }
}

/** Has a name, because the published declaration of a class without one imports its types from another room. */
type RefusalClass<Name extends string> = new (facts: RefusalFacts) => RefusedError & { readonly name: Name };

/** Returns the base of a refusal class that adds only a name and advice: `class X extends refusedAs('X', …) {}`. */
export function refusedAs<const Name extends string>(name: Name, advice: RefusalAdvice): RefusalClass<Name> {
  return class extends RefusedError {
    override readonly name = name;
    constructor(facts: RefusalFacts) {
      super(facts, advice);
    }
  };
}

function refusalText({ message }: RefusalFacts): string {
  return `refused: ${quoted(message)}.`;
}

/** Returns a message of the service in quotes, or the words `no message`. */
export function quoted(text: string): string {
  return text === '' ? 'no message' : JSON.stringify(text);
}
