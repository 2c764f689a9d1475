/** A refused request: the HTTP status and the body of its answer, in the shape of the resource. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly httpStatus: number;
  readonly body: Readonly<Record<string, unknown>>;
  constructor(httpStatus: number, body: Readonly<Record<string, unknown>>) {
    super([body.message, body.hint].filter(Boolean).join('. '));
    this.httpStatus = httpStatus;
    this.body = body;
  }
}

export type FieldErrors = Record<string, string[]>;

/** `{success:false, message, …more}`: refunds, payouts, authentication, and every answer without a shape of its own. */
export function refuse(httpStatus: number, message: string, more: Record<string, unknown> = {}): Refusal {
  return new Refusal(httpStatus, { success: false, message, ...more });
}

/** `{success:false, message, errors}` with 422: refunds (interface 7.2) and payouts. */
export function refuseFields(errors: FieldErrors): Refusal {
  return refuse(422, allMessages(errors), { errors });
}

/** `{status:false, message, error}` with 400: collections (interface 7.1). */
export function refuseCollection(error: FieldErrors): Refusal {
  return new Refusal(400, { status: false, message: allMessages(error), error });
}

/** `Incomplete request` with `error`: inline checkout (interface 7.3); 422 by decision 63. */
export function refuseCheckout(error: FieldErrors): Refusal {
  return refuse(422, 'Incomplete request', { error });
}

/** The refusal of a control; `hint` says what to do instead. */
export function refuseControl(httpStatus: number, message: string, hint: string): Refusal {
  return refuse(httpStatus, message, { hint });
}

/** 503: the number of records has reached the setting `recordLimit`. */
export function refuseFull(): Refusal {
  return refuse(503, 'This sandbox is full. Reset it, or raise recordLimit.');
}

function allMessages(errors: FieldErrors): string {
  return Object.values(errors).flat().join(' ');
}
