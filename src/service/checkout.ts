import type { AskedRecord } from '../domain/checks/answer-fault.ts';
import { isObject, member } from '../domain/events/json.ts';
import { namesOf } from '../domain/misuse.ts';
import type { Amount } from '../domain/money/amount.ts';
import { readFields, text } from '../domain/records/fields.ts';
import type { RequestJournal } from '../domain/requests/request.ts';
import { systemClock } from '../time/clock.ts';
import { requireNoOtherRecord } from './calls/answer-about.ts';
import { kindOf, optionalTexts, requireRequest } from './calls/arguments.ts';
import { type Caller, createCaller, type ServiceRequest } from './calls/caller.ts';
import { withOutcome } from './calls/outcome.ts';
import { requireNewReference } from './calls/references.ts';
import { amountText, type BodyFields, requireTexts, wireOf } from './calls/request-body.ts';
import { createTransport } from './calls/transport.ts';
import { requireBaseUrl, requirePublicKey } from './client-keys.ts';
import { requireClientOptions } from './client-options.ts';
import {
  DuplicateReferenceError,
  InvalidCallbackUrlError,
  InvalidFieldsError,
  UnknownPublicKeyError,
  UnsupportedCurrencyError,
} from './errors/field-errors.ts';
import type { RefusalFacts } from './errors/service-error.ts';
import { UnreadableAnswerError } from './errors/transport-errors.ts';
import { RequestRefusedError } from './errors/usage-errors.ts';
import { createRequestTracker } from './journal/tracker.ts';
import { type CallLimits, callLimits } from './options.ts';
import { requireCurrency } from './payouts/request.ts';
import { textOf } from './refunds/record.ts';

/** A public key, `pk_…`; a secret key does not compile (interface 5, rule 2). */
export type PublicKey = `pk_${string}`;

export interface CheckoutOptions extends Partial<CallLimits> {
  readonly baseUrl: string;
  readonly publicKey: PublicKey;
  /** Header `x-pub-key` or body field `public_key` (interface 2.6): one of them, never both. Default: header. */
  readonly sendKeyIn?: 'header' | 'body';
  /** Keeps and tracks each session before it is opened, so that its status can be checked after a crash. Default: none. */
  readonly journal?: RequestJournal | null;
  readonly nowMs?: () => number;
  /** Called for payment options that the document does not name (decision 68). Default: a process warning. */
  readonly onWarning?: (text: string) => void;
}

const OPTIONS = namesOf<CheckoutOptions>({
  baseUrl: true,
  publicKey: true,
  sendKeyIn: true,
  timeoutMs: true,
  idleTimeoutMs: true,
  retries: true,
  retryDelayMs: true,
  maxRetryAfterMs: true,
  responseLimitBytes: true,
  journal: true,
  nowMs: true,
  onWarning: true,
});

export const PAYMENT_OPTIONS = ['card', 'bank_transfer', 'momo'] as const;
export type PaymentOption = (typeof PAYMENT_OPTIONS)[number] | (string & {});

/** A checkout session to open (interface 2.6). */
export interface CheckoutRequest {
  /** Your own, new: 1 to 255 of `A-Z a-z 0-9 _ . -`, better 16 or more. */
  readonly reference: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly email: string;
  readonly name: string;
  /** Full http or https address to which the customer returns. Its parameters prove nothing (6.5). */
  readonly callbackUrl: string;
  readonly phone?: string | undefined;
  readonly paymentOptions?: readonly PaymentOption[] | undefined;
}

const REQUEST_FIELDS = namesOf<CheckoutRequest>({
  reference: true,
  amount: true,
  currency: true,
  email: true,
  name: true,
  callbackUrl: true,
  phone: true,
  paymentOptions: true,
});

export interface CheckoutSession {
  /** Send the customer here. */
  readonly authorizationUrl: string;
  readonly accessCode: string | null;
  readonly reference: string;
  readonly paymentOptions: readonly string[];
  readonly message: string;
}

export interface Checkout {
  /**
   * Opens a session (interface 4.3).
   *
   * @throws RequestRefusedError before anything is sent; the errors of interface 7.3; AmbiguousOutcomeError
   */
  start(request: CheckoutRequest): Promise<CheckoutSession>;
}

const PATH = '/api/inline/public/transaction/initialize';

/** Returns a client for inline checkout, with a public key only. Throws TallyhookError for an invalid key. */
export function createCheckout(options: CheckoutOptions): Checkout {
  requireClientOptions(options, OPTIONS, "createCheckout({ baseUrl: 'https://…', publicKey: 'pk_test_…' })");
  const { publicKey, sendKeyIn = 'header', onWarning = (warning) => process.emitWarning(warning) } = options;
  const { journal = null, nowMs = systemClock.nowMs } = options;
  const environment = requirePublicKey(publicKey);
  const baseUrl = requireBaseUrl(options.baseUrl);
  const transport = createTransport({ ...callLimits(options), baseUrl, secretKey: null, random: Math.random, nowMs });
  const caller = createCaller({ transport, codec: null, secretKey: null });
  const tracker = createRequestTracker({ journal, environment, nowMs });
  return {
    async start(request) {
      const content = checkoutBody(request, onWarning);
      const { reference } = request;
      const wire = wireOf({ reference, requested_amount: content.amount, currency: content.currency });
      const tracked = { kind: 'collection', operation: 'checkout', path: PATH, reference, content, wire } as const;
      const begun = await tracker.begin(tracked);
      const makes = { kind: 'collection', environment, reference, currency: request.currency } as const;
      const post: ServiceRequest = {
        method: 'POST',
        path: PATH,
        ...(sendKeyIn === 'header' && { headers: { 'x-pub-key': publicKey } }),
        body: sendKeyIn === 'body' ? { public_key: publicKey, ...content } : content,
        repeat: 'never',
        refusal: (facts) => checkoutRefusal(reference, facts),
        makes,
        ownsAuthentication: true,
      };
      return tracker.settled(begun, () =>
        withOutcome({ operation: 'checkout', reference }, () => openSession(caller, post, makes)),
      );
    },
  };
}

const SESSION = { url: text('authorization_url'), accessCode: text('access_code'), reference: text('reference') };

async function openSession(caller: Caller, post: ServiceRequest, makes: AskedRecord): Promise<CheckoutSession> {
  const envelope = await caller.call(post);
  requireNoOtherRecord(makes, post, envelope);
  const { data, message, httpStatus } = envelope;
  const source = isObject(data) ? data : {};
  const { fields } = readFields(source, SESSION);
  // The document shows the reference in every session: without it the address may be that of another customer's payment.
  if (textOf(fields.reference) !== makes.reference) {
    throw new UnreadableAnswerError(post, httpStatus, 'no_reference', 'it names no reference');
  }
  const authorizationUrl = textOf(fields.url) ?? '';
  // The customer's browser opens it, so only http and https are accepted.
  if (!isWebAddress(authorizationUrl)) {
    throw new UnreadableAnswerError(post, httpStatus, 'shape', 'it holds no address for the customer');
  }
  const options = member(source, 'payment_options');
  const paymentOptions = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
  return {
    authorizationUrl,
    accessCode: textOf(fields.accessCode),
    reference: makes.reference,
    paymentOptions,
    message,
  };
}

/**
 * Returns the checked body of a session; `onWarning` gets the warnings about it.
 *
 * @throws RequestRefusedError; nothing has been sent
 */
export function checkoutBody(request: CheckoutRequest, onWarning: (warning: string) => void = () => {}): BodyFields {
  requireRequest(request, REQUEST_FIELDS, 'checkout.start({ reference, amount: parseAmount("5.00"), currency, … })');
  const { reference, amount, currency, email, name, callbackUrl, phone, paymentOptions } = request;
  optionalTexts({ phone });
  if (paymentOptions !== undefined && !isTexts(paymentOptions)) {
    throw new RequestRefusedError('paymentOptions', `is ${kindOf(paymentOptions)}, and must be a list of texts`);
  }
  requireNewReference(reference);
  requireTexts({ currency, email, name, callbackUrl }, 2_000);
  requireCurrency(currency);
  if (!isWebAddress(callbackUrl)) throw new RequestRefusedError('callbackUrl', 'must be a full http or https address');
  const unknown = (paymentOptions ?? []).filter((option) => !(PAYMENT_OPTIONS as readonly string[]).includes(option));
  if (unknown.length > 0) {
    onWarning(
      `Payment options the document does not name: ${unknown.join(', ')}. Named: ${PAYMENT_OPTIONS.join(', ')}.`,
    );
  }
  const text = amountText(amount); // a number is rejected (2.6)
  return {
    reference,
    amount: text,
    currency,
    email,
    name,
    callback_url: callbackUrl,
    phone,
    payment_options: paymentOptions,
  };
}

/** Returns the error of a refusal (interface 7.3). The document shows no HTTP statuses, so the body decides (decision 63). */
function checkoutRefusal(reference: string, facts: RefusalFacts) {
  const { message, fields, httpStatus } = facts;
  if (/public key/i.test(message) || httpStatus === 401 || httpStatus === 403) return new UnknownPublicKeyError(facts);
  if (/reference.*(already|exists|taken|used)|duplicate/i.test(message))
    return new DuplicateReferenceError(facts, reference);
  if (/callback/i.test(message)) return new InvalidCallbackUrlError(facts);
  if (Object.keys(fields).length > 0 || /incomplete request/i.test(message)) return new InvalidFieldsError(facts);
  return /currenc/i.test(message) ? new UnsupportedCurrencyError(facts) : null;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '');
}
