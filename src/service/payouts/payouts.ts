import type { RequestedRecord } from '../../domain/checks/answer-fault.ts';
import { TallyhookError } from '../../domain/error.ts';
import { recordIn, referenceOf } from '../../domain/events/naming.ts';
import { knownCurrency, requireNoOtherRecord, type StatusOptions } from '../calls/answer-about.ts';
import { requireOptions } from '../calls/arguments.ts';
import { type Caller, requireContent, type ServiceRequest } from '../calls/caller.ts';
import { nothingKnown, showsRecord, unanswered, withOutcome } from '../calls/outcome.ts';
import { isMoneyReadable, UNREADABLE_MONEY } from '../calls/readable-money.ts';
import { type BodyFields, encodeBody, wireOf } from '../calls/request-body.ts';
import { singleFlight } from '../calls/single-flight.ts';
import type { Verification } from '../calls/verification.ts';
import { DuplicateReferenceError } from '../errors/field-errors.ts';
import { AmbiguousOutcomeError } from '../errors/outcome-errors.ts';
import type { RequestLine } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { type BegunRequest, createRequestTracker } from '../journal/tracker.ts';
import { type CallContext, journalOf } from '../options.ts';
import { statusOf } from '../refunds/record.ts';
import { type BankCalls, bankCalls } from './banks.ts';
import { type Payout, payoutOf } from './record.ts';
import { payoutRefusal } from './refusal.ts';
import { isSamePayout, type PayoutRequest, payoutBody, type WalletPayoutRequest } from './request.ts';

export interface PayoutAcceptance {
  readonly payout: Payout;
  /**
   * How the acceptance is known: from the response; from a status check, after a lost response or an earlier start
   * (`checked`, decision 74); or from a duplicate refusal, with the same amount and account under the reference (`existing`,
   * decision 75). In each case it was accepted once.
   */
  readonly known: 'answered' | 'checked' | 'existing';
}

export interface SendOptions {
  /**
   * An operator's decision after an unknown outcome (decision 74): send the same reference again, unless it was accepted
   * before or a status check finds it. Default false.
   */
  readonly resend?: boolean;
}

export interface Payouts extends BankCalls {
  /**
   * Sends a payout, once. After a lost response the status is checked by the reference and nothing is sent again; with a
   * journal on disk also after a crash.
   *
   * @throws RequestRefusedError, JournalRequiredError before anything is sent; InvalidFieldsError, RefusedError; DuplicateReferenceError when
   * another payout has the reference; when the status check failed, AmbiguousOutcomeError, or AlreadyStartedError for a
   * payout that was accepted before
   */
  send(request: PayoutRequest, options?: SendOptions): Promise<PayoutAcceptance>;
  /** As `send`, from a wallet of the merchant. */
  sendFromWallet(request: WalletPayoutRequest, options?: SendOptions): Promise<PayoutAcceptance>;
  /**
   * Returns the payout by its reference; `pending` also for a 202 without data (decision 72).
   *
   * @throws UnreadableAnswerError for an answer that does not name the payout, or names another one (decision 105)
   */
  status(reference: string, options?: StatusOptions): Promise<Payout>;
}

const OTHER_PAYOUT = 'it states another amount, currency, account or bank';

/** A checked payout, ready to begin. */
interface Start {
  readonly path: string;
  readonly request: WalletPayoutRequest;
  readonly body: BodyFields;
  readonly resend: boolean;
}

export function createPayouts(caller: Caller, context: CallContext, verification: Verification): Payouts {
  const tracker = createRequestTracker(context);
  const flights = singleFlight<PayoutAcceptance>();

  async function send(path: string, request: WalletPayoutRequest, options: SendOptions) {
    const body = payoutBody(request, context.payoutAmount);
    requireOptions(options, ['resend'], ['resend']);
    const { resend = false } = options;
    journalOf(context, 'payout');
    return flights(`${resend} ${path} ${encodeBody(body)}`, () => begin({ path, request, body, resend }));
  }

  async function begin({ path, request, body, resend }: Start): Promise<PayoutAcceptance> {
    const { reference } = request;
    const wire = wireOf(body);
    const begun = await tracker.begin({ kind: 'payout', operation: 'payout', path, reference, content: body, wire });
    const post: ServiceRequest = {
      method: 'POST',
      path,
      body,
      repeat: 'never', // no idempotency key: a second POST could be a second payout
      sensitive: [request.accountNumber],
      refusal: payoutRefusal(reference),
      makes: madeBy(request),
    };
    // Begun before, by us or by a process that died: check its status, and do not send it again (decision 74).
    const byDecision = resend && !begun.accepted;
    const again = () => (byDecision ? sendUnlessKnown(post, request, begun) : checkInstead(post, request, begun));
    const run = begun.again ? again : () => sendOnce(post, request, begun);
    return tracker.settled(begun, run, { wireOf: ({ payout }) => payout.wire });
  }

  function madeBy({ reference, currency }: PayoutRequest): RequestedRecord {
    return { kind: 'payout', environment: context.environment, reference, currency };
  }

  async function sendOnce(
    post: ServiceRequest,
    request: PayoutRequest,
    begun: BegunRequest,
  ): Promise<PayoutAcceptance> {
    const { reference } = request;
    try {
      const payout = await withOutcome({ operation: 'payout', reference }, async () => {
        const envelope = requireContent(post, await caller.call(post));
        requireNoOtherRecord(madeBy(request), post, envelope);
        const wire = recordIn(envelope.root, 'payout') ?? {};
        const read = payoutOf(wire, reference);
        const isOther = isSamePayout(read, request) === false;
        if (isOther || !isMoneyReadable('payout', wire)) {
          const detail = isOther ? OTHER_PAYOUT : UNREADABLE_MONEY;
          throw new UnreadableAnswerError(post, envelope.httpStatus, 'contradiction', detail);
        }
        // Without its reference the response is an acceptance and nothing more: none of its fields are used (decision 105).
        return isNamed(read) ? read : payoutOf({}, reference);
      });
      return { payout, known: 'answered' };
    } catch (error) {
      if (error instanceof AmbiguousOutcomeError) return resolve(request, error);
      if (error instanceof DuplicateReferenceError) return compareExisting(post, request, begun, error);
      throw error;
    }
  }

  async function checkInstead(
    post: RequestLine,
    request: PayoutRequest,
    begun: BegunRequest,
  ): Promise<PayoutAcceptance> {
    let payout: Payout;
    try {
      payout = await statusOfRequest(request);
      if (!begun.accepted) requireComparable(payout);
      requireSame(payout, request);
    } catch (error) {
      if (!(error instanceof TallyhookError)) throw error;
      throw unanswered(begun, post, error);
    }
    return { payout, known: 'checked' };
  }

  /** Sends the payout again after an operator's decision, unless a status check finds it. */
  async function sendUnlessKnown(
    post: ServiceRequest,
    request: PayoutRequest,
    begun: BegunRequest,
  ): Promise<PayoutAcceptance> {
    let payout: Payout | null;
    try {
      payout = await statusOfRequest(request);
    } catch (error) {
      // There is a record under this reference, and it may be what the first attempt made.
      if (showsRecord(error)) throw unanswered(begun, post, error);
      payout = nothingKnown(error);
    }
    if (payout === null) return sendOnce(post, request, begun);
    try {
      // "Still pending" without a name is no proof that the first attempt arrived, and no reason for a second one.
      requireComparable(payout);
      requireSame(payout, request);
    } catch (error) {
      if (!(error instanceof TallyhookError)) throw error;
      throw unanswered(begun, post, error);
    }
    return { payout, known: 'checked' };
  }

  /** Checks the status after a lost response (decision 74). */
  async function resolve(request: PayoutRequest, ambiguous: AmbiguousOutcomeError): Promise<PayoutAcceptance> {
    const payout = await statusOfRequest(request).catch(nothingKnown);
    if (payout === null || !isComparable(payout) || isSamePayout(payout, request) === false) throw ambiguous;
    return { payout, known: 'checked' };
  }

  /** Throws UnreadableAnswerError for a status that cannot be compared with the request: it proves no attempt. */
  function requireComparable(payout: Payout): void {
    if (isComparable(payout)) return;
    const requestLine = { method: 'GET', path: context.paths.payout ?? '' } as const;
    throw isNamed(payout)
      ? new UnreadableAnswerError(requestLine, 200, 'shape', UNREADABLE_MONEY)
      : new UnreadableAnswerError(requestLine, 202, 'no_reference', 'it names no payout');
  }

  /**
   * Compares the payout with the one under the same reference (decision 75). It can only be another payout where nothing was
   * sent under the reference before: else the answer about it may be wrong, and the payout may be the one that was sent.
   */
  async function compareExisting(
    requestLine: RequestLine,
    request: PayoutRequest,
    begun: BegunRequest,
    duplicate: DuplicateReferenceError,
  ): Promise<PayoutAcceptance> {
    const { reference } = request;
    const payout = await status(reference).catch(nothingKnown);
    const same = payout === null ? null : isSamePayout(payout, request);
    if (payout === null || same === null || (!same && begun.again)) {
      throw new AmbiguousOutcomeError({ operation: 'payout', reference, requestLine, cause: duplicate });
    }
    if (same) return { payout, known: 'existing' };
    throw duplicate.comparedWith({ amount: payout.amount, status: payout.status });
  }

  /** Throws UnreadableAnswerError (contradiction) for another payout under the reference that was sent. */
  function requireSame(payout: Payout, request: PayoutRequest): void {
    if (isSamePayout(payout, request) !== false) return;
    const requestLine = { method: 'GET', path: context.paths.payout ?? '' } as const;
    throw new UnreadableAnswerError(requestLine, 200, 'contradiction', OTHER_PAYOUT);
  }

  function statusOfRequest({ reference, currency }: PayoutRequest): Promise<Payout> {
    return status(reference, { currency });
  }

  async function status(reference: string, options?: StatusOptions): Promise<Payout> {
    return verification.check(
      'payout',
      { reference, currency: knownCurrency(options) },
      {
        find: ({ root }) => recordIn(root, 'payout'),
        // A 202 means "still pending", with or without data; any other response must name a status.
        read: (wire, { httpStatus }) =>
          httpStatus === 202 || statusOf(wire) !== null ? payoutOf(wire, reference) : null,
        withoutRecord: ({ httpStatus }) => (httpStatus === 202 ? payoutOf({}, reference) : null),
      },
    );
  }

  return {
    ...bankCalls(caller),
    send: (request, options = {}) => send('/api/v1/bank_transfer', request, options),
    sendFromWallet: (request, options = {}) => send('/api/v1/bank_transfer/wallet', request, options),
    status,
  };
}

/** Whether the response named the payout; of a 202 "still pending" it may not. */
function isNamed({ wire }: Payout): boolean {
  return referenceOf(wire, 'payout') !== null;
}

function isComparable(payout: Payout): boolean {
  return isNamed(payout) && isMoneyReadable('payout', payout.wire);
}
