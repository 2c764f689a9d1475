import { type ErrorKind, TallyhookError } from '../error.ts';

/** An act of a person that the state, the person or its own words forbid. */
export class RefusedActError extends TallyhookError {
  override readonly name = 'RefusedActError';
  /** Why, as one word for programs: `reason` of the error as JSON. */
  readonly reason: string;

  constructor(message: string, { kind, reason, hint }: { kind: ErrorKind; reason: string; hint: string | null }) {
    super(message, { kind, ...(hint !== null && { hint }) });
    this.reason = reason;
  }
}
