import { type ErrorFacts, TallyhookError } from '../../domain/error.ts';

/** The client refuses a request before anything is sent: what the document forbids, or what would be unsafe. */
export class RequestRefusedError extends TallyhookError {
  override readonly name: string = 'RequestRefusedError';
  /** The field at fault, as the type names it. */
  readonly field: string;

  constructor(field: string, rule: string, facts: Partial<ErrorFacts> = {}) {
    super(`${field} ${rule}. Nothing was sent.`, { kind: 'usage', ...facts });
    this.field = field;
  }
}

/** A reference that must not be put into a path: `.`, `..`, control characters, lone surrogates (decision 47). */
export class UnaskableReferenceError extends RequestRefusedError {
  override readonly name = 'UnaskableReferenceError';
  readonly reference: string;
  constructor(reference: string) {
    super('reference', `${JSON.stringify(reference.slice(0, 80).toWellFormed())} cannot be put into a path`, {
      hint: 'The service must be asked about it by other means.',
    });
    this.reference = reference;
  }
}

/** The idempotency key, or a payout's reference, belongs to another request (decision 32). */
export class IdempotencyKeyReusedError extends RequestRefusedError {
  override readonly name = 'IdempotencyKeyReusedError';
  readonly idempotencyKey: string;
  constructor(idempotencyKey: string, field: 'idempotencyKey' | 'reference' = 'idempotencyKey') {
    super(field, `${JSON.stringify(idempotencyKey)} is bound to a request with other content`, {
      hint: 'Repeat that request unchanged, or take a new one.',
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

/** The path template of this verification is null: the installation says there is no such endpoint (decision 72). */
export class NotVerifiableError extends TallyhookError {
  override readonly name = 'NotVerifiableError';
  constructor(what: 'collection' | 'payout') {
    super(`A ${what} cannot be verified: its path is null in the configuration.`, {
      kind: 'configuration',
      hint: `Set service.${what}Path to the path that answers by reference.`,
    });
  }
}

/** A verification endpoint that never gave a usable answer failed again: that says nothing about the record (decision 47). */
export class EndpointUnprovenError extends TallyhookError {
  override readonly name = 'EndpointUnprovenError';
  readonly path: string;
  constructor(path: string, cause: TallyhookError) {
    super(`Not confirmed: the endpoint ${path} is unproven. ${cause.message}`, {
      kind: 'unavailable',
      hint: 'It has never answered usably. Check the path with a reference that is known to exist.',
      cause,
    });
    this.path = path;
  }
}

/** A request for a refund needs a place that keeps its idempotency key first. */
export class JournalRequiredError extends TallyhookError {
  override readonly name = 'JournalRequiredError';
  constructor() {
    super('A refund needs a journal for its idempotency key, and this client has none.', {
      kind: 'configuration',
      hint: 'Give createClient a journal: openRequestJournal(path) of tallyhook keeps it on disk, memoryJournal() does not outlive the process.',
    });
  }
}

/** Every request that the journal in memory holds is a refund or payout of unknown outcome, which must not be forgotten. */
export class JournalFullError extends TallyhookError {
  override readonly name = 'JournalFullError';
  constructor(mostKept: number) {
    super(
      `The journal in memory holds ${mostKept} refunds and payouts whose outcomes are unknown, and takes no more.`,
      {
        kind: 'unavailable',
        hint: 'Make those requests again, or keep them on disk: openRequestJournal({ path }) of tallyhook.',
      },
    );
  }
}

/** A payment that was begun before and accepted is not sent again, and the service could not be asked about it. */
export class AlreadyStartedError extends RequestRefusedError {
  override readonly name = 'AlreadyStartedError';
  readonly reference: string;
  constructor(reference: string, cause: TallyhookError) {
    super(
      'reference',
      `${JSON.stringify(reference)} was started before, and asking about it failed: ${cause.message}`,
      {
        hint: 'Verify it later. A new payment takes a new reference.',
        cause,
      },
    );
    this.reference = reference;
  }
}
