import { type ErrorKind, TallyhookError } from '../../domain/error.ts';

/** What was asked of the service: facts for every error. The path carries references, never keys or card data. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/** Messages per field, as the service words them: `{ amount: ['…'] }` (interface 7). */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

export interface ServiceErrorFacts {
  readonly asked: Asked;
  /** Null when there was no answer. */
  readonly httpStatus: number | null;
  readonly kind: ErrorKind;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Every error of the typed client that comes from a call; the message starts with what was asked. */
export class ServiceError extends TallyhookError {
  override readonly name: string = 'ServiceError';
  readonly asked: Asked;
  readonly httpStatus: number | null;

  constructor(text: string, { asked, httpStatus, ...facts }: ServiceErrorFacts) {
    super(`${asked.method} ${asked.path}${httpStatus === null ? '' : ` (${httpStatus})`}: ${text}`, facts);
    // Copied: the caller's object may carry the request's body.
    this.asked = { method: asked.method, path: asked.path };
    this.httpStatus = httpStatus;
  }
}

/** What a refusal said. */
export interface RefusalFacts {
  readonly asked: Asked;
  readonly httpStatus: number;
  /** The service's own words, with every secret of the request taken out. */
  readonly message: string;
  readonly fields: FieldMessages;
  /** An earlier attempt of the same call was sent and not answered. Default false. */
  readonly earlierUnanswered?: boolean;
}

/** What a class of refusals says beyond the service's own words. */
export interface RefusalAdvice {
  /** Default `failed`. */
  readonly kind?: ErrorKind;
  /** What failed, as the sentence after the request. Default: the service's words. */
  readonly text?: (facts: RefusalFacts) => string;
  /** What to do next. */
  readonly hint?: string;
}

/** The service understood the request and refused it: nothing was done. The base of every row of interface 7. */
export class RefusedError extends ServiceError {
  override readonly name: string = 'RefusedError';
  /** The service's own words. */
  readonly said: string;
  /** Messages per field; empty unless the service gave some. */
  readonly fields: FieldMessages;
  /** An earlier attempt of the same call was sent and not answered: of that one, this refusal says nothing. */
  readonly earlierUnanswered: boolean;

  constructor(facts: RefusalFacts, { kind = 'failed', text = inItsWords, hint }: RefusalAdvice = {}) {
    const { asked, httpStatus, message, fields, earlierUnanswered = false } = facts;
    super(text(facts), { asked, httpStatus, kind, ...(hint !== undefined && { hint }) });
    this.said = message;
    this.fields = fields;
    this.earlierUnanswered = earlierUnanswered;
  }
}

/** A class of refusals that has nothing of its own but its name and advice: `class X extends refusedAs('X', …) {}`. */
export function refusedAs<const Name extends string>(name: Name, advice: RefusalAdvice) {
  return class extends RefusedError {
    override readonly name = name;
    constructor(facts: RefusalFacts) {
      super(facts, advice);
    }
  };
}

function inItsWords({ message }: RefusalFacts): string {
  return `refused: ${quoted(message)}.`;
}

export function quoted(text: string): string {
  return text === '' ? 'no message' : JSON.stringify(text);
}
