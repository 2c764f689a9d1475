/** The kinds of errors; each has one HTTP status and one exit code. */
export const ERROR_KINDS = [
  'usage', // the command line is wrong
  'configuration', // tallyhook.yaml, the environment or a file it names is wrong
  'unauthorized', // a signature, key or token does not verify
  'not_found', // no such event, record or file
  'unavailable', // not possible now; a retry may succeed
  'unusable', // nothing was done, since what the configuration names is not as it must be; a retry may succeed once it is
  'corrupt', // stored data is damaged
  'failed', // every other failure
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** Exit codes of the CLI (docs/cli.md). 0: done, 3: done and differences were found. */
export const EXIT_CODE = {
  usage: 2,
  configuration: 2,
  unauthorized: 1,
  not_found: 1,
  unavailable: 1,
  unusable: 2,
  corrupt: 1,
  failed: 1,
} as const satisfies Record<ErrorKind, number>;

/** HTTP statuses of our own listeners. */
export const HTTP_STATUS = {
  usage: 400,
  configuration: 500,
  unauthorized: 401,
  not_found: 404,
  unavailable: 503,
  unusable: 503,
  corrupt: 500,
  failed: 500,
} as const satisfies Record<ErrorKind, number>;

/** Whether the same may succeed later. */
export function mayPass(kind: ErrorKind): boolean {
  return kind === 'unavailable' || kind === 'unusable';
}

export interface ErrorFacts {
  kind: ErrorKind;
  /** What to do next, as one sentence or command. */
  hint?: string;
  cause?: unknown;
}

/** Base of Tallyhook's own errors: the message has what failed and the value seen, the hint what to do next. */
export class TallyhookError extends Error {
  override readonly name: string = 'TallyhookError';
  readonly kind: ErrorKind;
  readonly hint: string | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.kind = facts.kind;
    this.hint = facts.hint;
  }
}
