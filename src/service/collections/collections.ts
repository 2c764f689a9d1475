import type { CollectionVersion } from '../../domain/request.ts';
import type { Caller, RefusalReader } from '../calls/caller.ts';
import { type BodyFields, requireTexts } from '../calls/request-body.ts';
import type { Verification } from '../calls/verification.ts';
import { CardDeclinedError, DuplicateReferenceError, InvalidFieldsError } from '../errors/field-errors.ts';
import type { RefusalFacts } from '../errors/service-error.ts';
import type { CallContext } from '../options.ts';
import { isDuplicate } from '../payouts/payouts.ts';
import { type EncryptedCard, encryptTestCard, type TestCard } from './card.ts';
import { type Collection, type CollectionStart, collectionOfAnswer } from './record.ts';
import {
  type BankTransferCollection,
  type CardCollection,
  type CollectionRequest,
  cardPayload,
  commonBody,
  type MobileMoneyCollection,
  type UssdCollection,
  type Wallet,
} from './request.ts';
import { createCollectionStarter } from './starter.ts';

export interface StartOptions {
  /**
   * Your decision after an unknown outcome: send the same reference again, unless it was accepted before or the service,
   * asked first, knows it. It may charge the customer again. Default false.
   */
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
  const begin = createCollectionStarter(caller, context, verify);

  async function start(
    channel: Channel,
    request: CollectionRequest,
    { resend = false }: StartOptions,
    extra: (version: CollectionVersion) => BodyFields,
    sensitive: readonly string[] = [],
  ): Promise<CollectionStart> {
    const { reference, version = context.collectionVersion } = request;
    const body = { ...commonBody(request), ...extra(version) };
    const path = PREFIX[version] + PATHS[channel];
    const refusal: RefusalReader = (facts) => collectionRefusal(channel, reference, facts);
    return begin({ request, version, path, body, refusal, sensitive, resend });
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

/** Interface 7.1 and 2.3, decision 58. */
function collectionRefusal(channel: Channel, reference: string, facts: RefusalFacts) {
  if (isDuplicate(facts)) return new DuplicateReferenceError(facts, reference);
  if (Object.keys(facts.fields).length > 0) return new InvalidFieldsError(facts);
  // A decline is told in the body, under whatever HTTP status (decision 54).
  const declined = facts.httpStatus < 300 || facts.httpStatus === 402 || /declin/i.test(facts.message);
  return channel === 'card' && declined ? new CardDeclinedError(facts) : null;
}
