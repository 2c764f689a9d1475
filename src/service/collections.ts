import { compareAmounts } from '../domain/amount.ts';
import { TallyhookError } from '../domain/error.ts';
import type { JsonObject } from '../domain/json.ts';
import type { CollectionVersion } from '../domain/request.ts';
import { type Caller, type Question, requireContent } from './caller.ts';
import { type EncryptedCard, encryptTestCard, type TestCard } from './card.ts';
import {
  type Collection,
  type CollectionStart,
  collectionOfAnswer,
  collectionStart,
  startOfKnown,
} from './collection-record.ts';
import {
  type BankTransferCollection,
  type CardCollection,
  type CollectionRequest,
  cardPayload,
  commonBody,
  type MobileMoneyCollection,
  type UssdCollection,
  type Wallet,
} from './collection-request.ts';
import { CardDeclinedError, DuplicateReferenceError, InvalidFieldsError } from './errors/field-errors.ts';
import type { Asked, RefusalFacts } from './errors/service-error.ts';
import { UnreadableAnswerError } from './errors/transport-errors.ts';
import { MixedVersionsError, RequestRefusedError } from './errors/usage-errors.ts';
import { memoryJournal } from './memory-journal.ts';
import type { CallContext } from './options.ts';
import { unanswered, withOutcome } from './outcome.ts';
import { isDuplicate } from './payouts.ts';
import { type BodyFields, requireTexts, wireOf } from './request-body.ts';
import { type BegunRequest, createRequestTracker } from './request-tracker.ts';
import type { Verification } from './verification.ts';

export interface StartOptions {
  /** Your decision after an unknown outcome: send the same reference again, which may charge the customer again. Default false. */
  readonly resend?: boolean;
}

/**
 * Server-to-server collections (interface 4.2). Each `…` starts a payment, once: a reference that was begun before, and
 * not refused, is asked about and not sent again (with a journal on disk also across a crash). `verify` says what became
 * of a payment. All of them throw CardDeclinedError, InvalidFieldsError, DuplicateReferenceError, AmbiguousOutcomeError,
 * AlreadyStartedError, and RequestRefusedError before anything is sent.
 */
export interface Collections {
  card(request: CardCollection, options?: StartOptions): Promise<CollectionStart>;
  bankTransfer(request: BankTransferCollection, options?: StartOptions): Promise<CollectionStart>;
  bankTransferToWallet(request: BankTransferCollection & Wallet, options?: StartOptions): Promise<CollectionStart>;
  ussd(request: UssdCollection, options?: StartOptions): Promise<CollectionStart>;
  ussdToWallet(request: UssdCollection & Wallet, options?: StartOptions): Promise<CollectionStart>;
  mobileMoney(request: MobileMoneyCollection, options?: StartOptions): Promise<CollectionStart>;
  /** Encrypts a test card for one reference, which the payment must reuse (interface 2.2). */
  encryptTestCard(request: {
    readonly card: TestCard;
    readonly reference: string;
    readonly version?: CollectionVersion | undefined;
  }): Promise<EncryptedCard>;
  /** The payment by its reference (rule 4.1.8). Throws RecordNotFoundError, EndpointUnprovenError, NotVerifiableError. */
  verify(reference: string): Promise<Collection>;
}

const PREFIX = { v1: '/api/s2s/v1', legacy: '/api/s2s' } as const satisfies Record<CollectionVersion, string>;
const PATHS = {
  card: '/transaction/initialize',
  bankTransfer: '/banktransfer/initialize',
  bankTransferToWallet: '/banktransfer/initialize/wallet',
  ussd: '/ussd/initialize',
  ussdToWallet: '/ussd/initialize/wallet',
  mobileMoney: '/momo/payment_request',
} as const;
type Channel = keyof typeof PATHS;

export function createCollections(caller: Caller, context: CallContext, verification: Verification): Collections {
  // Without one of the merchant's, a second call of this process at least is noticed.
  const journal = context.journal ?? memoryJournal();
  const tracker = createRequestTracker({ ...context, journal });

  /** One payment stays with its version, also across clients that share a journal (decision 59). */
  async function pin(reference: string, version: CollectionVersion): Promise<void> {
    const began = await journal.pinVersion(context.environment, reference, version);
    if (began !== version) throw new MixedVersionsError(reference, began, version);
  }

  async function start(
    channel: Channel,
    request: CollectionRequest,
    { resend = false }: StartOptions,
    extra: (version: CollectionVersion) => BodyFields,
    sensitive: readonly string[] = [],
  ): Promise<CollectionStart> {
    const { reference, version = context.collectionVersion } = request;
    const body = { ...commonBody(request), ...extra(version) };
    await pin(reference, version);
    const path = PREFIX[version] + PATHS[channel];
    const begun = await tracker.begin({
      kind: 'collection',
      operation: 'collection',
      path,
      reference,
      content: { ...body, card: undefined }, // a payload is another one each time it is made
      wire: trackedWire(body),
    });
    const question: Question = {
      method: 'POST',
      path,
      body,
      encrypted: true,
      repeat: 'never', // no idempotency key
      sensitive,
      refusal: (facts) => collectionRefusal(channel, reference, facts),
    };
    const ask = () => askInstead(question, request, version, begun);
    const send = () =>
      withOutcome({ operation: 'collection', reference }, async () => {
        const envelope = requireContent(question, await caller.ask(question));
        const started = collectionStart(envelope, reference, version);
        if (started !== null) return started;
        throw new UnreadableAnswerError(
          question,
          envelope.httpStatus,
          'contradiction',
          'it is about another reference',
        );
      });
    const sendAgain = () =>
      send().catch((error) => {
        if (error instanceof DuplicateReferenceError) return ask(); // the first one did arrive
        throw error;
      });
    const run = begun.again ? (resend ? sendAgain : ask) : send;
    return tracker.settled(begun, run, { leavesRecord: (error) => error instanceof CardDeclinedError });
  }

  async function askInstead(
    asked: Asked,
    request: CollectionRequest,
    version: CollectionVersion,
    begun: BegunRequest,
  ): Promise<CollectionStart> {
    const { reference } = request;
    try {
      const found = await verify(reference);
      if (isSameCollection(found, request)) return startOfKnown(found, version);
    } catch (error) {
      if (!(error instanceof TallyhookError)) throw error;
      throw unanswered(begun, asked, error);
    }
    throw new RequestRefusedError('reference', `${JSON.stringify(reference)} is another payment at the service`);
  }

  function verify(reference: string): Promise<Collection> {
    return verification.ask('collection', reference, (envelope) => collectionOfAnswer(envelope, reference));
  }

  const withEmail =
    (channel: Channel) =>
    (request: BankTransferCollection & Wallet, options: StartOptions = {}) =>
      start(channel, request, options, () => {
        requireTexts({ email: request.email });
        return { email: request.email, wallet_code: request.walletCode };
      });
  const byUssd =
    (channel: Channel) =>
    (request: UssdCollection & Wallet, options: StartOptions = {}) =>
      start(channel, request, options, () => {
        requireTexts({ email: request.email, bankCode: request.bankCode });
        return { email: request.email, bankCode: request.bankCode, wallet_code: request.walletCode };
      });

  return {
    card(request, options = {}) {
      const sensitive = typeof request.card === 'string' ? [request.card] : [];
      const extra = (version: CollectionVersion) => {
        requireTexts({ email: request.email });
        return { email: request.email, card: cardPayload(request.card, request.reference, version) };
      };
      return start('card', request, options, extra, sensitive);
    },
    bankTransfer: withEmail('bankTransfer'),
    bankTransferToWallet: withEmail('bankTransferToWallet'),
    ussd: byUssd('ussd'),
    ussdToWallet: byUssd('ussdToWallet'),
    mobileMoney(request, options = {}) {
      const { phone, bankName, email } = request;
      const extra = () => {
        requireTexts({ phone, bankName });
        return { phone, bankName, email };
      };
      return start('mobileMoney', request, options, extra, [phone]);
    },
    async encryptTestCard({ card, reference, version = context.collectionVersion }) {
      return encryptTestCard(caller, context, card, reference, version);
    },
    verify,
  };
}

/** Card and customer stay out of the record. */
function trackedWire({ reference, amount, currency }: BodyFields): JsonObject {
  return wireOf({ reference, requested_amount: amount, currency });
}

/** Whether the payment under our reference can be the one we meant; what the service does not say counts as the same. */
function isSameCollection({ requestedAmount, currency }: Collection, request: CollectionRequest): boolean {
  const sameAmount = requestedAmount === null || compareAmounts(requestedAmount, request.amount) === 0;
  return sameAmount && (currency === null || currency === request.currency);
}

/** Interface 7.1 and 2.3, decision 58. */
function collectionRefusal(channel: Channel, reference: string, facts: RefusalFacts) {
  if (isDuplicate(facts)) return new DuplicateReferenceError(facts, reference);
  if (Object.keys(facts.fields).length > 0) return new InvalidFieldsError(facts);
  // A decline is told in the body, under whatever HTTP status (decision 54).
  const declined = facts.httpStatus < 300 || facts.httpStatus === 402 || /declin/i.test(facts.message);
  return channel === 'card' && declined ? new CardDeclinedError(facts) : null;
}
