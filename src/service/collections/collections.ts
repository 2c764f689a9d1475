import type { JsonObject } from '../../domain/events/json.ts';
import type { CollectionVersion } from '../../domain/requests/request.ts';
import { knownCurrency, type StatusOptions } from '../calls/answer-about.ts';
import { optionalTexts, requireOptions } from '../calls/arguments.ts';
import type { Caller, RefusalReader } from '../calls/caller.ts';
import { type BodyFields, requireTexts } from '../calls/request-body.ts';
import type { Verification } from '../calls/verification.ts';
import { CardDeclinedError, DuplicateReferenceError, InvalidFieldsError } from '../errors/field-errors.ts';
import type { RefusalFacts } from '../errors/service-error.ts';
import type { CallContext } from '../options.ts';
import { isDuplicate } from '../payouts/refusal.ts';
import { type CardToEncrypt, type EncryptedCard, encryptTestCard } from './card.ts';
import { type Collection, type CollectionStart, collectionIn, collectionOf } from './record.ts';
import {
  type BankTransferCollection,
  type CardCollection,
  type CollectionRequest,
  cardPayload,
  commonBody,
  type MobileMoneyCollection,
  type UssdCollection,
  type Wallet,
  withFurtherFields,
} from './request.ts';
import { createCollectionStarter } from './starter.ts';

export interface StartOptions {
  /**
   * Your decision after an unknown outcome: send the same reference again, unless it was accepted before or a status check
   * finds it. It may charge the customer again. Default false.
   */
  readonly resend?: boolean;
}

/**
 * Server-to-server collections (interface 4.2). Each channel starts a payment, once: of a reference that was begun before,
 * and not refused, only the status is checked (with a journal on disk also after a crash). They throw CardDeclinedError,
 * InvalidFieldsError, DuplicateReferenceError, AmbiguousOutcomeError, AlreadyStartedError, and RequestRefusedError before
 * anything is sent.
 */
export interface Collections {
  card(request: CardCollection, options?: StartOptions): Promise<CollectionStart>;
  bankTransfer(request: BankTransferCollection, options?: StartOptions): Promise<CollectionStart>;
  bankTransferToWallet(request: BankTransferCollection & Wallet, options?: StartOptions): Promise<CollectionStart>;
  ussd(request: UssdCollection, options?: StartOptions): Promise<CollectionStart>;
  ussdToWallet(request: UssdCollection & Wallet, options?: StartOptions): Promise<CollectionStart>;
  mobileMoney(request: MobileMoneyCollection, options?: StartOptions): Promise<CollectionStart>;
  /** Encrypts a test card for one reference, which the payment must reuse (interface 2.2). */
  encryptTestCard(request: CardToEncrypt): Promise<EncryptedCard>;
  /**
   * Returns the payment by its reference (rule 4.1.8).
   *
   * @throws RecordNotFoundError, EndpointUnprovenError, NotVerifiableError; UnreadableAnswerError for an answer that does not
   * name the payment, or names another one (decision 105)
   */
  verify(reference: string, options?: StatusOptions): Promise<Collection>;
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
  const begin = createCollectionStarter(caller, context, verify);

  async function start<Request extends CollectionRequest>(
    channel: Channel,
    request: Request,
    options: StartOptions,
    extra: (request: Request, version: CollectionVersion) => BodyFields,
    sensitive: (request: Request) => readonly string[] = () => [],
  ): Promise<CollectionStart> {
    const common = commonBody(request);
    requireOptions(options, ['resend'], ['resend']);
    const { reference, version = context.collectionVersion } = request;
    const { resend = false } = options;
    const body = withFurtherFields({ ...common, ...extra(request, version) }, request.fields);
    const path = PREFIX[version] + PATHS[channel];
    const refusal: RefusalReader = (facts) => collectionRefusal(channel, reference, facts);
    return begin({ request, version, path, body, refusal, sensitive: sensitive(request), resend });
  }

  async function verify(reference: string, options?: StatusOptions): Promise<Collection> {
    const currency = knownCurrency(options);
    const read = (wire: JsonObject) => collectionOf(wire, reference);
    return verification.check('collection', { reference, currency }, { find: collectionIn, read });
  }

  const withEmail =
    (channel: Channel) =>
    (request: BankTransferCollection & Wallet, options: StartOptions = {}) =>
      start(channel, request, options, ({ email, walletCode }) => {
        requireTexts({ email });
        optionalTexts({ walletCode });
        return { email, wallet_code: walletCode };
      });
  const byUssd =
    (channel: Channel) =>
    (request: UssdCollection & Wallet, options: StartOptions = {}) =>
      start(channel, request, options, ({ email, bankCode, walletCode }) => {
        requireTexts({ email });
        optionalTexts({ bankCode, walletCode });
        return { email, bankCode, wallet_code: walletCode };
      });

  return {
    card(request, options = {}) {
      const extra = ({ email, card, reference }: CardCollection, version: CollectionVersion) => {
        requireTexts({ email });
        return { email, card: cardPayload(card, reference, version) };
      };
      return start('card', request, options, extra, ({ card }) => (typeof card === 'string' ? [card] : []));
    },
    bankTransfer: withEmail('bankTransfer'),
    bankTransferToWallet: withEmail('bankTransferToWallet'),
    ussd: byUssd('ussd'),
    ussdToWallet: byUssd('ussdToWallet'),
    mobileMoney(request, options = {}) {
      const extra = ({ phone, bankName, email }: MobileMoneyCollection) => {
        requireTexts({ phone, bankName });
        optionalTexts({ email });
        return { phone, bankName, email };
      };
      return start('mobileMoney', request, options, extra, ({ phone }) => [phone]);
    },
    encryptTestCard: (request) => encryptTestCard(caller, context, request),
    verify,
  };
}

/** Returns the error of a refused start (interface 7.1 and 2.3, decision 58). */
function collectionRefusal(channel: Channel, reference: string, facts: RefusalFacts) {
  if (isDuplicate(facts)) return new DuplicateReferenceError(facts, reference);
  if (Object.keys(facts.fields).length > 0) return new InvalidFieldsError(facts);
  // The body names a decline, under any HTTP status (decision 54).
  const declined = facts.httpStatus < 300 || facts.httpStatus === 402 || /declin/i.test(facts.message);
  return channel === 'card' && declined ? new CardDeclinedError(facts) : null;
}
