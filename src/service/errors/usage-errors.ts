import { type ErrorFacts, TallyhookError } from '../../domain/error.ts';

interface RefusalContext extends Partial<ErrorFacts> {
  /** An earlier request may have been sent. Default false. */
  readonly sentBefore?: boolean;
}

/** The client refused a request before anything was sent: the document forbids it, or it would be unsafe. */
export class RequestRefusedError extends TallyhookError {
  override readonly name: string = 'RequestRefusedError';
  /** The wrong field, by its name in the request type. */
  readonly field: string;

  constructor(field: string, rule: string, { sentBefore = false, ...facts }: RefusalContext = {}) {
    super(`${field} ${rule}. Nothing was sent${sentBefore ? ' again' : ''}.`, { kind: 'usage', ...facts });
    this.field = field;
  }
}

/** A reference that must not be put into a path: `.`, `..`, control characters, lone surrogates (decision 47). */
export class UnaskableReferenceError extends RequestRefusedError {
  override readonly name = 'UnaskableReferenceError';
  readonly reference: string;
  constructor(reference: string) {
    const isText = typeof reference === 'string' && reference !== '';
    const rule = isText
      ? `${JSON.stringify(reference.slice(0, 80).toWellFormed())} cannot be put into a path`
      : 'is missing or no text, and must be the reference as a text';
    super('reference', rule, isText ? { hint: 'Check it at the service by other means.' } : {});
    this.reference = isText ? reference : '';
  }
}

/** The idempotency key, or a payout's reference, belongs to another request (decision 32). */
export class IdempotencyKeyReusedError extends RequestRefusedError {
  override readonly name = 'IdempotencyKeyReusedError';
  readonly idempotencyKey: string;
  constructor(idempotencyKey: string, field: 'idempotencyKey' | 'reference' = 'idempotencyKey') {
    super(field, `${JSON.stringify(idempotencyKey)} is bound to a request with other content`, {
      sentBefore: true,
      hint:
        field === 'reference'
          ? 'Repeat that request unchanged to learn its outcome. It may have been accepted: only another payment gets another reference.'
          : 'Repeat that request unchanged to learn its outcome. It may have been accepted: only another refund gets another key.',
    });
    this.idempotencyKey = idempotencyKey;
  }
}

/** One payment stays with the endpoint version it began with (interface 4.2, 9.1; decision 59). */
export class MixedVersionsError extends RequestRefusedError {
  override readonly name = 'MixedVersionsError';
  constructor(reference: string, began: string, wanted: string) {
    super('version', `of ${JSON.stringify(reference)} is ${began}, and cannot become ${wanted}`, {
      hint: 'Use one version for one payment.',
    });
  }
}

/** The card payload was made for another reference (interface 2.1, 4.2). */
export class CardReferenceError extends RequestRefusedError {
  override readonly name = 'CardReferenceError';
  constructor(made: string, wanted: string) {
    super('card', `was encrypted for ${JSON.stringify(made)}, the request is ${JSON.stringify(wanted)}`, {
      hint: 'Encrypt the card with the reference of the payment.',
    });
  }
}

/** The path template of this verification endpoint is null: the configuration declares that there is none (decision 72). */
export class NotVerifiableError extends TallyhookError {
  override readonly name = 'NotVerifiableError';
  constructor(what: 'collection' | 'payout') {
    super(`A ${what} cannot be verified: its path is null in the configuration.`, {
      kind: 'configuration',
      hint: `Set service.${what}Path to the path of its status by reference.`,
    });
  }
}

/** A verification endpoint without a usable answer so far failed again: that proves nothing about the record (decision 47). */
export class EndpointUnprovenError extends TallyhookError {
  override readonly name = 'EndpointUnprovenError';
  readonly path: string;
  constructor(path: string, cause: TallyhookError) {
    super(`Not confirmed: the endpoint ${path} is unproven. ${cause.message}`, {
      kind: 'unavailable',
      hint: 'It has never given a usable answer. Check the path with a reference that is known to exist.',
      cause,
    });
    this.path = path;
  }
}

/** A refund was requested without a journal to keep its idempotency key. */
export class JournalRequiredError extends TallyhookError {
  override readonly name = 'JournalRequiredError';
  constructor(operation: 'refund' | 'payout') {
    const kept = operation === 'refund' ? 'idempotency key' : 'reference';
    super(`A ${operation} needs a journal for its ${kept}, and this client has none.`, {
      kind: 'configuration',
      hint: 'Give createClient a journal: openStore(path).requestJournal() of tallyhook keeps it on disk, memoryJournal() does not outlive the process.',
    });
  }
}

/** The journal in memory is full of refunds and payouts of unknown outcome, which must not be dropped. */
export class JournalFullError extends TallyhookError {
  override readonly name = 'JournalFullError';
  constructor(mostKept: number) {
    super(`The journal in memory holds ${mostKept} refunds and payouts whose outcomes are unknown, and is full.`, {
      kind: 'unavailable',
      hint: 'Repeat those requests, or keep them on disk: openStore(path).requestJournal() of tallyhook.',
    });
  }
}

/** A payment that was begun before and accepted is not sent again, and its status check failed. */
export class AlreadyStartedError extends RequestRefusedError {
  override readonly name = 'AlreadyStartedError';
  readonly reference: string;
  constructor(reference: string, cause: TallyhookError) {
    super(
      'reference',
      `${JSON.stringify(reference)} was accepted before, and its status check failed: ${cause.message}`,
      {
        sentBefore: true,
        hint: 'Check it later. Do not start it again under another reference: that would be a second one.',
        cause,
      },
    );
    this.reference = reference;
  }
}
