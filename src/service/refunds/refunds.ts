import { compareAmounts } from '../../domain/amount.ts';
import { TallyhookError } from '../../domain/error.ts';
import type { KeptRequest, RequestJournal, RequestState, StartedRecord } from '../../domain/request.ts';
import { localToInstant, readTimestamp } from '../../time/timestamp.ts';
import type { Caller, Question } from '../calls/caller.ts';
import { afterUnanswered, provesNothingDone, type Undertaking, withOutcome } from '../calls/outcome.ts';
import { type ListOptions, type Page, readPage, walkPages } from '../calls/paging.ts';
import { pathWith } from '../calls/references.ts';
import { singleFlight } from '../calls/single-flight.ts';
import { AmbiguousOutcomeError } from '../errors/outcome-errors.ts';
import { RefundNotFoundError } from '../errors/refund-errors.ts';
import { RefusedError } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { JournalRequiredError } from '../errors/usage-errors.ts';
import type { CallContext } from '../options.ts';
import { type Refund, refundOf, refundOfAnswer } from './record.ts';
import { refundRefusal } from './refusal.ts';
import {
  checkedRefundRequest,
  newIdempotencyKey,
  type RefundRequest,
  type RefundRequestContent,
  requireSameContent,
} from './request.ts';

/** The service took the request: it reserved the money, and completes the refund later (rule 4.4.6). */
export interface RefundAcceptance {
  readonly refund: Refund;
  /** True when this answers an earlier request under the same idempotency key: nothing was reserved again. */
  readonly repeated: boolean;
  readonly idempotencyKey: string;
}

export interface Refunds {
  /**
   * Asks for a full or partial refund (interface 4.4). The idempotency key is kept before anything is sent. After an
   * AmbiguousOutcomeError, or a crash, make the same request again: it goes out under the same key, and what was accepted
   * by then is only asked about (`repeated`). Several equal refunds of one transaction take keys of your own.
   *
   * @throws RequestRefusedError before anything is sent; the errors of interface 7.2; AmbiguousOutcomeError
   */
  request(request: RefundRequest): Promise<RefundAcceptance>;
  /** One refund by its reference. Throws RefundNotFoundError. */
  status(refundReference: string): Promise<Refund>;
  /**
   * All refunds of this environment, in the service's order, each once. Ends without an error only when it saw all of
   * them; what was given before an error is sound. Throws ListIncompleteError, or ListLimitError at a limit of ours.
   */
  list(options?: ListOptions): AsyncGenerator<Refund, void, undefined>;
}

const PATH = '/api/v1/refund';
const STATUS_PATH = '/api/v1/refund/status/{reference}';
/** After this long the service may have forgotten the key, so we look first (decision 33). */
const KEY_LIFETIME_MS = 24 * 3_600_000;
/** Clocks differ. */
const CLOCK_SKEW_MS = 5 * 60_000;

export function createRefunds(caller: Caller, context: CallContext): Refunds {
  const byContent = singleFlight<RefundAcceptance>();
  const byKey = singleFlight<RefundAcceptance>();

  async function begin(content: RefundRequestContent): Promise<KeptRequest> {
    const kept = await journalOf(context).begin({
      kind: 'refund',
      environment: context.environment,
      reference: content.transactionReference,
      contentDigest: content.digest,
      key: content.idempotencyKey,
      proposedKey: newIdempotencyKey(),
      record: null, // its reference is the service's to give
      nowMs: context.nowMs(),
    });
    requireSameContent(kept, content.digest);
    return kept;
  }

  async function carryOut(content: RefundRequestContent, kept: KeptRequest): Promise<RefundAcceptance> {
    const { key: idempotencyKey } = kept;
    const undertaking: Undertaking = { operation: 'refund', reference: content.transactionReference, idempotencyKey };
    const earlier = await answeredEarlier(content, kept, undertaking);
    if (earlier !== null) return accept(earlier, true, kept);
    try {
      const { refund, httpStatus } = await withOutcome(undertaking, () => post(content, kept));
      return accept(refund, httpStatus === 200, kept);
    } catch (error) {
      throw await judged(error, kept, undertaking);
    }
  }

  /** Settles what an error proves, and gives the error to throw. */
  async function judged(error: unknown, kept: KeptRequest, undertaking: Undertaking): Promise<unknown> {
    const begunBefore = kept.attempts > 1;
    const unanswered = begunBefore || (error instanceof RefusedError && error.earlierUnanswered);
    if (unanswered) return kept.state === 'accepted' ? error : afterUnanswered(undertaking, error);
    if (provesNothingDone(error)) await settle(kept, 'refused', null);
    return error;
  }

  async function post(content: RefundRequestContent, kept: KeptRequest) {
    const question: Question = {
      method: 'POST',
      path: PATH,
      headers: { 'idempotency-key': kept.key },
      body: content.body,
      encrypted: true,
      repeat: 'safe',
      refusal: refundRefusal(content),
    };
    const envelope = await caller.ask(question);
    const { httpStatus } = envelope;
    const refund = refundOfAnswer(envelope) ?? (await findAccepted(content, kept));
    if (refund === null) {
      throw new UnreadableAnswerError(question, httpStatus, 'shape', 'it was accepted without a refund record');
    }
    const difference = differenceFrom(refund, content);
    if (difference !== null) throw new UnreadableAnswerError(question, httpStatus, 'contradiction', difference);
    return { refund, httpStatus };
  }

  /**
   * Of a request that was accepted before, the refund we know of: nothing is sent again, whether or not the service still
   * knows the key. Of one without an answer whose key it may have forgotten, a refund in the list that only this can be.
   */
  async function answeredEarlier(
    content: RefundRequestContent,
    kept: KeptRequest,
    undertaking: Undertaking,
  ): Promise<Refund | null> {
    const { attempts, recordReference, createdAtMs } = kept;
    const isForgotten = context.nowMs() - createdAtMs >= KEY_LIFETIME_MS;
    if (attempts < 2 || (content.idempotencyKey !== null && !isForgotten)) return null;
    if (recordReference !== null) return status(recordReference);
    if (!isForgotten) return null;
    try {
      return await findInList(content, kept);
    } catch (error) {
      if (!(error instanceof TallyhookError)) throw error;
      // Whether it is there is not known, so it must not be asked for again.
      throw new AmbiguousOutcomeError({ ...undertaking, asked: { method: 'GET', path: PATH }, cause: error });
    }
  }

  /** The request was accepted: a list that fails must not pass for a refusal of it. */
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
      // Not `>=` the other way round: a time that cannot be read must not hide the refund.
      if (requestedAtMs < kept.createdAtMs - CLOCK_SKEW_MS || !matches(refund, content)) continue;
      if (!(await journalOf(context).knowsRefund(context.environment, refund.refundReference))) return refund;
    }
    return null;
  }

  async function accept(refund: Refund, repeated: boolean, kept: KeptRequest): Promise<RefundAcceptance> {
    const { refundReference: reference, wire } = refund;
    const { environment, nowMs } = context;
    await settle(kept, 'accepted', { kind: 'refund', environment, reference, wire, nowMs: nowMs() });
    return { refund, repeated, idempotencyKey: kept.key };
  }

  function settle({ key, attempts }: KeptRequest, state: RequestState, record: StartedRecord | null): Promise<void> {
    const { environment, nowMs } = context;
    return journalOf(context).settle({ kind: 'refund', environment, key, state, attempts, record, nowMs: nowMs() });
  }

  async function status(refundReference: string): Promise<Refund> {
    const question: Question = {
      method: 'GET',
      path: pathWith(STATUS_PATH, refundReference),
      repeat: 'safe',
      refusal: (facts) => (facts.httpStatus === 404 ? new RefundNotFoundError(facts) : null),
    };
    const envelope = await caller.ask(question);
    const refund = refundOfAnswer(envelope);
    if (refund !== null && refund.refundReference === refundReference) return refund;
    const detail = refund === null ? 'it holds no refund record' : 'it is about another refund';
    throw new UnreadableAnswerError(question, envelope.httpStatus, 'shape', detail);
  }

  async function fetchPage(query: string, guessed: boolean): Promise<Page | null> {
    const question: Question = { method: 'GET', path: PATH, query, repeat: 'safe', isList: true };
    try {
      const { root, httpStatus } = await caller.ask(question);
      const page = readPage(root);
      if (page === null) throw new UnreadableAnswerError(question, httpStatus, 'shape', 'it holds no list');
      return page;
    } catch (error) {
      if (guessed && error instanceof RefusedError && error.httpStatus === 404) return null;
      throw error;
    }
  }

  async function* list(options: ListOptions = {}): AsyncGenerator<Refund, void, undefined> {
    yield* walkPages(
      fetchPage,
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
    list,
  };
}

function journalOf({ journal }: CallContext): RequestJournal {
  if (journal === null) throw new JournalRequiredError();
  return journal;
}

/** Zone-less times are in the service's zone, whatever this machine's is (decision 87). NaN for what cannot be read. */
function instantMs(text: string | null, zone: string): number {
  const read = readTimestamp(text ?? '');
  if (read.kind === 'unreadable') return Number.NaN;
  return Date.parse(read.kind === 'local' ? localToInstant(read.text, zone) : read.text);
}

/** Whether a listed refund can be the one that was asked for. */
function matches(refund: Refund, content: RefundRequestContent): boolean {
  const named = refund.transactionReference !== null && (content.amount === null || refund.amount !== null);
  return named && differenceFrom(refund, content) === null;
}

/** What a refund contradicts of the request; null when it contradicts nothing that both of them name. */
function differenceFrom({ transactionReference, amount }: Refund, content: RefundRequestContent): string | null {
  if (transactionReference !== null && transactionReference !== content.transactionReference) {
    return 'it is about another transaction';
  }
  const otherAmount = content.amount !== null && amount !== null && compareAmounts(amount, content.amount) !== 0;
  return otherAmount ? 'it names another amount' : null;
}
