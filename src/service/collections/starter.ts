import { TallyhookError } from '../../domain/error.ts';
import type { JsonObject } from '../../domain/events/json.ts';
import { compareAmounts } from '../../domain/money/amount.ts';
import type { CollectionVersion } from '../../domain/requests/request.ts';
import { requireNoOtherRecord, type StatusOptions } from '../calls/answer-about.ts';
import { type Caller, type RefusalReader, requireContent, type ServiceRequest } from '../calls/caller.ts';
import { nothingKnown, showsRecord, unanswered, withOutcome } from '../calls/outcome.ts';
import { isMoneyReadable, UNREADABLE_MONEY } from '../calls/readable-money.ts';
import { type BodyFields, encodeBody, wireOf } from '../calls/request-body.ts';
import { singleFlight } from '../calls/single-flight.ts';
import { CardDeclinedError, DuplicateReferenceError } from '../errors/field-errors.ts';
import type { RequestLine } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { MixedVersionsError } from '../errors/usage-errors.ts';
import { memoryJournal } from '../journal/memory.ts';
import { type BegunRequest, createRequestTracker } from '../journal/tracker.ts';
import type { CallContext } from '../options.ts';
import { type Collection, type CollectionStart, collectionStart, startMoney, startOfKnown } from './record.ts';
import type { CollectionRequest } from './request.ts';

const OTHER_MONEY = 'it states another amount or currency';

/** A checked payment, ready to begin. */
export interface Start {
  readonly request: CollectionRequest;
  readonly version: CollectionVersion;
  readonly path: string;
  readonly body: BodyFields;
  readonly refusal: RefusalReader;
  /** Texts of the request that no error may contain. */
  readonly sensitive: readonly string[];
  /** Send a reference again that was begun before, unless it was accepted or a status check finds it. */
  readonly resend: boolean;
}

/**
 * Returns the function that begins payments, each reference once: of a payment that was begun before, and not refused, only
 * the status is checked. Concurrent equal requests are one.
 */
export function createCollectionStarter(
  caller: Caller,
  context: CallContext,
  verify: (reference: string, options: StatusOptions) => Promise<Collection>,
): (start: Start) => Promise<CollectionStart> {
  // Without a journal of the merchant, a second call is noticed within this process only.
  const journal = context.journal ?? memoryJournal();
  const tracker = createRequestTracker({ ...context, journal });
  const flights = singleFlight<CollectionStart>();

  /** A payment keeps its version, also across clients that share a journal (decision 59). */
  async function pin({ request: { reference }, version }: Start): Promise<void> {
    const began = await journal.pinVersion(context.environment, reference, version);
    if (began !== version) throw new MixedVersionsError(reference, began, version);
  }

  async function begin(start: Start, content: BodyFields): Promise<CollectionStart> {
    const { path, resend } = start;
    const { reference } = start.request;
    await pin(start);
    const what = { kind: 'collection', operation: 'collection' } as const;
    const begun = await tracker.begin({ ...what, path, reference, content, wire: trackedWire(content) });
    const byDecision = resend && !begun.accepted;
    const again = () => (byDecision ? sendUnlessKnown(start, begun) : checkInstead(start, begun));
    const run = begun.again ? again : () => send(start);
    return tracker.settled(begun, run, { leavesRecord: (error) => error instanceof CardDeclinedError });
  }

  function send({ request, version, path, body, refusal, sensitive }: Start): Promise<CollectionStart> {
    const { reference, currency } = request;
    // Sent once, because it has no idempotency key.
    const makes = { kind: 'collection', environment: context.environment, reference, currency } as const;
    const once = { encrypted: true, repeat: 'never' } as const;
    const post: ServiceRequest = { method: 'POST', path, body, ...once, sensitive, refusal, makes };
    return withOutcome({ operation: 'collection', reference }, async () => {
      const envelope = requireContent(post, await caller.call(post));
      requireNoOtherRecord(makes, post, envelope);
      const money = startMoney(envelope);
      const isReadable = isMoneyReadable('collection', money.wire);
      if (isReadable && isSameMoney(money, request)) return collectionStart(envelope, reference, version);
      const detail = isReadable ? OTHER_MONEY : UNREADABLE_MONEY;
      throw new UnreadableAnswerError(post, envelope.httpStatus, 'contradiction', detail);
    });
  }

  function verifyRequest({ request: { reference, currency } }: Start): Promise<Collection> {
    return verify(reference, { currency });
  }

  /** Sends the payment again after the merchant's decision, unless a status check finds it. */
  async function sendUnlessKnown(start: Start, begun: BegunRequest): Promise<CollectionStart> {
    let found: Collection | null;
    try {
      found = await verifyRequest(start);
    } catch (error) {
      // There is a record under this reference, and it may be what the first attempt made.
      if (showsRecord(error)) throw unanswered(begun, postOf(start), error);
      found = nothingKnown(error);
    }
    if (found !== null) return requireSame(found, start, begun);
    try {
      return await send(start);
    } catch (error) {
      if (error instanceof DuplicateReferenceError) return checkInstead(start, begun); // the first one arrived
      throw error;
    }
  }

  async function checkInstead(start: Start, begun: BegunRequest): Promise<CollectionStart> {
    let found: Collection;
    try {
      found = await verifyRequest(start);
    } catch (error) {
      if (!(error instanceof TallyhookError)) throw error;
      throw unanswered(begun, postOf(start), error);
    }
    return requireSame(found, start, begun);
  }

  return (start) => {
    const content = { ...start.body, card: undefined }; // each encryption makes another payload
    return flights(`${start.resend} ${start.path} ${encodeBody(content)}`, () => begin(start, content));
  };
}

/** Returns the facts to track, without card and customer. */
function trackedWire({ reference, amount, currency, wallet_code }: BodyFields): JsonObject {
  return wireOf({ reference, requested_amount: amount, currency, wallet_code });
}

/**
 * Returns the start of a payment that was begun before, from the answer about its reference. Other money there is no proof of
 * another payment: the answer may be wrong, so the outcome stays unknown.
 */
function requireSame(found: Collection, start: Start, begun: BegunRequest): CollectionStart {
  const post = postOf(start);
  if (!begun.accepted && !isMoneyReadable('collection', found.wire)) {
    throw unanswered(begun, post, new UnreadableAnswerError(post, 200, 'shape', UNREADABLE_MONEY));
  }
  if (isSameMoney(found, start.request)) return startOfKnown(found, start.version);
  throw unanswered(begun, post, new UnreadableAnswerError(post, 200, 'contradiction', OTHER_MONEY));
}

function postOf({ path }: Start): RequestLine {
  return { method: 'POST', path };
}

/** Whether the payment under our reference can be the requested one; a missing field counts as equal. */
function isSameMoney(
  { requestedAmount, currency }: Pick<Collection, 'requestedAmount' | 'currency'>,
  request: CollectionRequest,
): boolean {
  const sameAmount = requestedAmount === null || compareAmounts(requestedAmount, request.amount) === 0;
  return sameAmount && (currency === null || currency === request.currency);
}
