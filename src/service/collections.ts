import type { CollectionVersion } from '../domain/request.ts';
import { type Caller, type Question, requireContent, withOutcome } from './caller.ts';
import { type EncryptedCard, encryptTestCard, type TestCard } from './card.ts';
import { type Collection, type CollectionStart, collectionOfAnswer, collectionStart } from './collection-record.ts';
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
import { AmbiguousOutcomeError } from './errors/outcome-errors.ts';
import type { RefusalFacts } from './errors/service-error.ts';
import { MixedVersionsError } from './errors/usage-errors.ts';
import type { CallContext } from './options.ts';
import { isDuplicate } from './payouts.ts';
import { type BodyFields, requireTexts, wireOf } from './request-body.ts';
import type { Verification } from './verification.ts';

/** Server-to-server collections (interface 4.2). Each `…` starts a payment; `verify` says what became of it. */
export interface Collections {
  /** Throws CardDeclinedError, InvalidFieldsError, DuplicateReferenceError, AmbiguousOutcomeError, as all of them do. */
  card(request: CardCollection): Promise<CollectionStart>;
  bankTransfer(request: BankTransferCollection): Promise<CollectionStart>;
  bankTransferToWallet(request: BankTransferCollection & Wallet): Promise<CollectionStart>;
  ussd(request: UssdCollection): Promise<CollectionStart>;
  ussdToWallet(request: UssdCollection & Wallet): Promise<CollectionStart>;
  mobileMoney(request: MobileMoneyCollection): Promise<CollectionStart>;
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
const MOST_PINNED = 10_000;

export function createCollections(caller: Caller, context: CallContext, verification: Verification): Collections {
  const pinned = new Map<string, CollectionVersion>();

  /** One payment stays with its version, also across clients that share a journal (decision 59). */
  async function pin(reference: string, version: CollectionVersion): Promise<void> {
    const here = pinned.get(reference) ?? version;
    const began = (await context.journal?.pinVersion(context.environment, reference, here)) ?? here;
    pinned.set(reference, began);
    if (pinned.size > MOST_PINNED) pinned.delete(pinned.keys().next().value ?? '');
    if (began !== version) throw new MixedVersionsError(reference, began, version);
  }

  async function start(
    channel: Channel,
    request: CollectionRequest,
    extra: (version: CollectionVersion) => BodyFields,
    sensitive: readonly string[] = [],
  ): Promise<CollectionStart> {
    const { reference, version = context.collectionVersion } = request;
    const body = { ...commonBody(request), ...extra(version) };
    await pin(reference, version);
    const question: Question = {
      method: 'POST',
      path: PREFIX[version] + PATHS[channel],
      body,
      encrypted: true,
      repeat: 'never', // no idempotency key
      sensitive,
      refusal: (facts) => collectionRefusal(channel, reference, facts),
    };
    const track = () => trackStart(context, reference, body);
    try {
      const envelope = await withOutcome('collection', reference, null, async () =>
        requireContent(question, await caller.ask(question)),
      );
      await track();
      return collectionStart(envelope, reference, version);
    } catch (error) {
      if (error instanceof AmbiguousOutcomeError) await track();
      throw error;
    }
  }

  const withEmail = (channel: Channel) => (request: BankTransferCollection & Wallet) =>
    start(channel, request, () => {
      requireTexts({ email: request.email });
      return { email: request.email, wallet_code: request.walletCode };
    });
  const byUssd = (channel: Channel) => (request: UssdCollection & Wallet) =>
    start(channel, request, () => {
      requireTexts({ email: request.email, bankCode: request.bankCode });
      return { email: request.email, bankCode: request.bankCode, wallet_code: request.walletCode };
    });

  return {
    card(request) {
      const sensitive = typeof request.card === 'string' ? [request.card] : [];
      const extra = (version: CollectionVersion) => {
        requireTexts({ email: request.email });
        return { email: request.email, card: cardPayload(request.card, request.reference, version) };
      };
      return start('card', request, extra, sensitive);
    },
    bankTransfer: withEmail('bankTransfer'),
    bankTransferToWallet: withEmail('bankTransferToWallet'),
    ussd: byUssd('ussd'),
    ussdToWallet: byUssd('ussdToWallet'),
    mobileMoney(request) {
      const { phone, bankName, email } = request;
      const extra = () => {
        requireTexts({ phone, bankName });
        return { phone, bankName, email };
      };
      return start('mobileMoney', request, extra, [phone]);
    },
    async encryptTestCard({ card, reference, version = context.collectionVersion }) {
      return encryptTestCard(caller, context, card, reference, version);
    },
    verify: (reference) =>
      verification.ask('collection', reference, (envelope) => collectionOfAnswer(envelope, reference)),
  };
}

/** The start and the lost start alike make a record, whose status is then asked for (decision 92). Card and customer stay out. */
async function trackStart(context: CallContext, reference: string, { amount, currency }: BodyFields): Promise<void> {
  const wire = wireOf({ reference, requested_amount: amount, currency });
  const { environment, journal, nowMs } = context;
  await journal?.track({ kind: 'collection', environment, reference, wire, nowMs: nowMs() });
}

/** Interface 7.1 and 2.3, decision 58. */
function collectionRefusal(channel: Channel, reference: string, facts: RefusalFacts) {
  if (isDuplicate(facts)) return new DuplicateReferenceError(facts, reference);
  if (Object.keys(facts.fields).length > 0) return new InvalidFieldsError(facts);
  // A decline is told in the body, under whatever HTTP status (decision 54).
  const declined = facts.httpStatus < 300 || facts.httpStatus === 402 || /declin/i.test(facts.message);
  return channel === 'card' && declined ? new CardDeclinedError(facts) : null;
}
