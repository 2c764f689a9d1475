import { TallyhookError } from '../../domain/error.ts';
import { environmentFault, namesOtherEnvironment } from '../../domain/events/naming.ts';
import type { KeptRequest, SettledRequest } from '../../domain/requests/request.ts';
import { DAY_MS } from '../../time/clock.ts';
import { localToInstant, readTimestamp } from '../../time/timestamp.ts';
import {
  knownCurrency,
  requireAnswerAbout,
  requireNoOtherRecord,
  requireOwnEnvironment,
  type StatusOptions,
} from '../calls/answer-about.ts';
import type { Caller, ServiceRequest } from '../calls/caller.ts';
import { afterUnanswered, provesNothingDone, refusalOf, type Undertaking, withOutcome } from '../calls/outcome.ts';
import { type Page, readPage } from '../calls/page.ts';
import { type ListOptions, requireListOptions, walkPages, withoutJson } from '../calls/paging.ts';
import { pathWith } from '../calls/references.ts';
import { singleFlight } from '../calls/single-flight.ts';
import { AmbiguousOutcomeError } from '../errors/outcome-errors.ts';
import { RefundNotFoundError } from '../errors/refund-errors.ts';
import { RefusedError } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { type CallContext, journalOf } from '../options.ts';
import { acceptanceFault, differenceFrom, matches, moneyFault, REFUND_CURRENCY } from './difference.ts';
import { type Refund, refundOf, refundOfAnswer } from './record.ts';
import { refundRefusal } from './refusal.ts';
import {
  checkedRefundRequest,
  newIdempotencyKey,
  type RefundRequest,
  type RefundRequestContent,
  requireSameContent,
} from './request.ts';

/** The service accepted the request: it reserved the money, and completes the refund later (rule 4.4.6). */
export interface RefundAcceptance {
  readonly refund: Refund;
  /** True when an earlier request under the same idempotency key was accepted: nothing was reserved again. */
  readonly repeated: boolean;
  readonly idempotencyKey: string;
}

export interface Refunds {
  /**
   * Requests a full or partial refund (interface 4.4). The idempotency key is kept before anything is sent. After an
   * AmbiguousOutcomeError, or a crash, make the same request again: it is sent under the same key, and of an accepted one only
   * the status is checked (`repeated`). Several equal refunds of one transaction need keys of your own.
   *
   * @throws RequestRefusedError before anything is sent; the errors of interface 7.2; AmbiguousOutcomeError
   */
  request(request: RefundRequest): Promise<RefundAcceptance>;
  /**
   * Returns one refund by its reference.
   *
   * @throws RefundNotFoundError; UnreadableAnswerError for an answer that does not name the refund, or names another one
   * (decision 105). Its currency is USD unless `options` says otherwise (interface 4.4, rule 1).
   */
  status(refundReference: string, options?: StatusOptions): Promise<Refund>;
  /**
   * Yields all refunds of this environment, in the service's order, each once. It ends without an error only after all of
   * them; refunds given before an error are sound. Throws ListIncompleteError, or ListLimitError at a limit of ours. It is no list:
   * for JSON collect it with `Array.fromAsync`.
   */
  list(options?: ListOptions): AsyncGenerator<Refund, void, undefined>;
}

const PATH = '/api/v1/refund';
const STATUS_PATH = '/api/v1/refund/status/{reference}';
/** Lifetime of a key at the service, 24 h. After it the list is searched before a request is repeated (decision 33). */
const KEY_LIFETIME_MS = DAY_MS;
/** Largest difference expected between our clock and the service's, 5 min. */
const CLOCK_SKEW_MS = 5 * 60_000;

export function createRefunds(caller: Caller, context: CallContext): Refunds {
  const byContent = singleFlight<RefundAcceptance>();
  const byKey = singleFlight<RefundAcceptance>();

  async function begin(content: RefundRequestContent): Promise<KeptRequest> {
    const kept = await journalOf(context, 'refund').begin({
      kind: 'refund',
      environment: context.environment,
      reference: content.transactionReference,
      contentDigest: content.digest,
      key: content.idempotencyKey,
      proposedKey: newIdempotencyKey(),
      record: null, // the service assigns its reference
      nowMs: context.nowMs(),
    });
    requireSameContent(kept, content.digest);
    return kept;
  }

  async function carryOut(content: RefundRequestContent, kept: KeptRequest): Promise<RefundAcceptance> {
    const { key: idempotencyKey } = kept;
    const undertaking: Undertaking = { operation: 'refund', reference: content.transactionReference, idempotencyKey };
    const earlier = await answeredEarlier(content, kept, undertaking);
    if (earlier !== null) return accept(earlier, true, content, kept);
    try {
      const { refund, httpStatus } = await withOutcome(undertaking, () => post(content, kept));
      return accept(refund, httpStatus === 200, content, kept);
    } catch (error) {
      throw await settledError(error, kept, undertaking);
    }
  }

  /** Keeps what an error proves about the request, and returns the error to throw. */
  async function settledError(error: unknown, kept: KeptRequest, undertaking: Undertaking): Promise<unknown> {
    const begunBefore = kept.attempts > 1;
    const unanswered = begunBefore || (error instanceof RefusedError && error.earlierUnanswered);
    if (unanswered) return kept.state === 'accepted' ? error : afterUnanswered(undertaking, error);
    if (provesNothingDone(error)) await settle(kept, { state: 'refused', refusal: refusalOf(error), record: null });
    return error;
  }

  async function post(content: RefundRequestContent, kept: KeptRequest) {
    const makes = {
      kind: 'refund',
      environment: context.environment,
      reference: null,
      currency: REFUND_CURRENCY,
    } as const;
    const request: ServiceRequest = {
      method: 'POST',
      path: PATH,
      headers: { 'idempotency-key': kept.key },
      body: content.body,
      encrypted: true,
      repeat: 'safe',
      refusal: refundRefusal(content),
      makes,
    };
    const envelope = await caller.call(request);
    const { httpStatus } = envelope;
    // The service assigns the reference: all that name one, also the list, must name the same.
    const requireOnly = (reference: string | null) => requireNoOtherRecord({ ...makes, reference }, request, envelope);
    requireOnly(null);
    const refund = refundOfAnswer(envelope) ?? (await findAccepted(content, kept));
    if (refund === null) {
      throw new UnreadableAnswerError(request, httpStatus, 'shape', 'it was accepted without a refund record');
    }
    requireOnly(refund.refundReference);
    const difference = acceptanceFault(envelope, refund, content);
    if (difference !== null) throw new UnreadableAnswerError(request, httpStatus, 'contradiction', difference);
    return { refund, httpStatus };
  }

  /**
   * Returns the refund of a request that was accepted before: nothing is sent again, even if the service has dropped the key.
   * For one whose outcome is unknown and whose key may be dropped, the matching refund of the list that is not yet in the
   * journal. Else null.
   */
  async function answeredEarlier(
    content: RefundRequestContent,
    kept: KeptRequest,
    undertaking: Undertaking,
  ): Promise<Refund | null> {
    const { attempts, recordReference, createdAtMs } = kept;
    const isForgotten = context.nowMs() - createdAtMs >= KEY_LIFETIME_MS;
    if (attempts < 2 || (content.idempotencyKey !== null && !isForgotten)) return null;
    if (recordReference !== null) return acceptedRefund(recordReference, content);
    if (!isForgotten) return null;
    try {
      return await findInList(content, kept);
    } catch (error) {
      if (!(error instanceof TallyhookError)) throw error;
      // The refund may exist, so the request must not be repeated.
      throw new AmbiguousOutcomeError({ ...undertaking, requestLine: { method: 'GET', path: PATH }, cause: error });
    }
  }

  /** Returns the refund that an earlier request was accepted as. Throws UnreadableAnswerError (contradiction) for another one. */
  async function acceptedRefund(reference: string, content: RefundRequestContent): Promise<Refund> {
    const refund = await status(reference);
    const difference = differenceFrom(refund, content);
    if (difference === null) return refund;
    const requestLine = { method: 'GET', path: pathWith(STATUS_PATH, reference) } as const;
    throw new UnreadableAnswerError(requestLine, 200, 'contradiction', difference);
  }

  /** Returns the refund of an accepted request from the list, null when there is none or the list fails. */
  async function findAccepted(content: RefundRequestContent, kept: KeptRequest): Promise<Refund | null> {
    try {
      return await findInList(content, kept);
    } catch (error) {
      if (error instanceof TallyhookError) return null;
      throw error;
    }
  }

  async function findInList(content: RefundRequestContent, kept: KeptRequest): Promise<Refund | null> {
    for await (const refund of list()) {
      const requestedAtMs = instantMs(refund.requestedAt, context.timeZone);
      // `<` is false for NaN, so an unreadable time does not exclude the refund.
      if (requestedAtMs < kept.createdAtMs - CLOCK_SKEW_MS || !matches(refund, content)) continue;
      if (namesOtherEnvironment([refund.wire], context.environment)) continue;
      if (await journalOf(context, 'refund').knowsRefund(context.environment, refund.refundReference)) continue;
      const fault = environmentFault([refund.wire], context.environment) ?? moneyFault(refund);
      if (fault === null) return refund;
      // It may be the requested one: to leave it out would allow a second refund.
      throw new UnreadableAnswerError({ method: 'GET', path: PATH }, 200, 'contradiction', fault);
    }
    return null;
  }

  async function accept(
    refund: Refund,
    repeated: boolean,
    content: RefundRequestContent,
    kept: KeptRequest,
  ): Promise<RefundAcceptance> {
    const { refundReference: reference } = refund;
    const wire = { ...refund.wire, ...content.facts };
    const { environment } = context;
    const record = { kind: 'refund', environment, reference, wire } as const;
    await settle(kept, { state: 'accepted', refusal: null, record });
    return { refund, repeated, idempotencyKey: kept.key };
  }

  function settle(
    { key, attempts }: KeptRequest,
    outcome: Pick<SettledRequest, 'state' | 'refusal' | 'record'>,
  ): Promise<void> {
    const { environment, nowMs } = context;
    return journalOf(context, 'refund').settle({
      kind: 'refund',
      environment,
      key,
      attempts,
      ...outcome,
      nowMs: nowMs(),
    });
  }

  async function status(reference: string, options?: StatusOptions): Promise<Refund> {
    const currency = knownCurrency(options) ?? REFUND_CURRENCY;
    const request: ServiceRequest = {
      method: 'GET',
      path: pathWith(STATUS_PATH, reference),
      repeat: 'safe',
      refusal: (facts) => (facts.httpStatus === 404 ? new RefundNotFoundError(facts) : null),
    };
    const envelope = await caller.call(request);
    const refund = refundOfAnswer(envelope);
    const { environment } = context;
    const asked = { kind: 'refund', environment, reference, currency } as const;
    requireAnswerAbout(asked, request, envelope, refund?.wire ?? null);
    return refund as Refund;
  }

  async function fetchPage(query: string, repeat: ServiceRequest['repeat']): Promise<Page> {
    const request: ServiceRequest = { method: 'GET', path: PATH, query, repeat, isList: true };
    const envelope = await caller.call(request);
    requireOwnEnvironment({ kind: 'refund', environment: context.environment }, request, envelope);
    const { root, httpStatus } = envelope;
    const page = readPage(root);
    if (page === null) throw new UnreadableAnswerError(request, httpStatus, 'shape', 'it holds no list');
    return page;
  }

  async function* list(options: ListOptions = {}): AsyncGenerator<Refund, void, undefined> {
    requireListOptions(options);
    // A page has one retry policy: that of the caller, or else that of the client.
    const repeat = options.retry === undefined ? 'safe' : 'never';
    yield* walkPages(
      (query) => fetchPage(query, repeat),
      (value) => {
        const item = refundOf(value);
        if (item === null && options.onUnreadable === undefined) {
          context.onWarning('A row of the refund list has no reference or status; it was left out.');
        }
        return item === null ? null : { id: item.refundReference, item };
      },
      options,
    );
  }

  return {
    async request(request) {
      const content = checkedRefundRequest(request);
      const { idempotencyKey, digest } = content;
      return byContent(`${idempotencyKey ?? ''} ${digest}`, async () => {
        const kept = await begin(content);
        return byKey(kept.key, () => carryOut(content, kept));
      });
    },
    status,
    list: (options) => withoutJson(list(options), 'refunds.list()'),
  };
}

/** Returns the instant of a time of the service, whose zone-less times are in `zone` (decision 87); NaN for an unreadable one. */
function instantMs(text: string | null, zone: string): number {
  const read = readTimestamp(text ?? '');
  if (read.kind === 'unreadable') return Number.NaN;
  return Date.parse(read.kind === 'local' ? localToInstant(read.text, zone) : read.text);
}
