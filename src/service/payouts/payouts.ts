import { TallyhookError } from '../../domain/error.ts';
import { isObject, type Json, member, NumberToken } from '../../domain/json.ts';
import { type Caller, type Question, requireContent } from '../calls/caller.ts';
import { nothingKnown, unanswered, withOutcome } from '../calls/outcome.ts';
import { type BodyFields, encodeBody, requireTexts, wireOf } from '../calls/request-body.ts';
import { singleFlight } from '../calls/single-flight.ts';
import type { Verification } from '../calls/verification.ts';
import { AccountNotVerifiedError, DuplicateReferenceError, InvalidFieldsError } from '../errors/field-errors.ts';
import { AmbiguousOutcomeError } from '../errors/outcome-errors.ts';
import type { Asked, RefusalFacts } from '../errors/service-error.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';
import { memoryJournal } from '../journal/memory.ts';
import { type BegunRequest, createRequestTracker } from '../journal/tracker.ts';
import type { CallContext } from '../options.ts';
import { statusOf } from '../refunds/record.ts';
import { type Payout, payoutOfAnswer } from './record.ts';
import {
  type AccountQuestion,
  isSamePayout,
  namesOtherMoney,
  type PayoutRequest,
  payoutBody,
  requireCurrency,
  type WalletPayoutRequest,
} from './request.ts';

export interface Bank {
  readonly bankName: string;
  readonly bankCode: string;
  /** Address of a picture; null when there is none. */
  readonly logo: string | null;
}

export interface BankList {
  /** Which currency's banks these are; without one asked for, the service decides. */
  readonly currency: string | null;
  readonly banks: readonly Bank[];
}

export interface PayoutAcceptance {
  readonly payout: Payout;
  /**
   * How we know: the service answered; it was asked after its answer was lost (decision 74); or it knew the reference
   * already, with the same amount and account (decision 75). In none of them was it sent twice.
   */
  readonly known: 'answered' | 'asked' | 'existing';
}

export interface SendOptions {
  /**
   * An operator's decision after an unknown outcome (decision 74): send the same reference again, unless it was accepted
   * before or the service, asked first, knows it. Default false.
   */
  readonly resend?: boolean;
}

export interface Payouts {
  /** Banks and operators of a currency (interface 2.7, 4.5). */
  banks(currency?: string): Promise<BankList>;
  /** The name on an account. Throws AccountNotVerifiedError when there is none (decision 81). */
  verifyAccount(question: AccountQuestion): Promise<{ readonly accountName: string }>;
  /**
   * Sends a payout, once. A lost answer is resolved by asking for the reference, never by sending again; with a journal
   * on disk that holds also across a crash.
   *
   * @throws RequestRefusedError before anything is sent; InvalidFieldsError, RefusedError; DuplicateReferenceError when
   * another payout has the reference; AmbiguousOutcomeError when asking did not help, AlreadyStartedError when the payout
   * was accepted before
   */
  send(request: PayoutRequest, options?: SendOptions): Promise<PayoutAcceptance>;
  /** As `send`, from a wallet of the merchant. */
  sendFromWallet(request: WalletPayoutRequest, options?: SendOptions): Promise<PayoutAcceptance>;
  /** The payout by its reference; `pending` also when the service answers 202 without data (decision 72). */
  status(reference: string): Promise<Payout>;
}

export function createPayouts(caller: Caller, context: CallContext, verification: Verification): Payouts {
  // Without one of the merchant's, a second call of this process at least is noticed.
  const tracker = createRequestTracker({ ...context, journal: context.journal ?? memoryJournal() });
  const flights = singleFlight<PayoutAcceptance>();

  async function send(path: string, request: WalletPayoutRequest, { resend = false }: SendOptions) {
    const body = payoutBody(request, context.payoutAmount);
    return flights(`${resend} ${path} ${encodeBody(body)}`, () => begin(path, request, body, resend));
  }

  async function begin(
    path: string,
    request: WalletPayoutRequest,
    body: BodyFields,
    resend: boolean,
  ): Promise<PayoutAcceptance> {
    const { reference } = request;
    const wire = wireOf(body);
    const begun = await tracker.begin({ kind: 'payout', operation: 'payout', path, reference, content: body, wire });
    const question: Question = {
      method: 'POST',
      path,
      body,
      repeat: 'never', // no idempotency key: a second POST could be a second payout
      sensitive: [request.accountNumber],
      refusal: payoutRefusal(reference),
    };
    // Begun before, by us or by a process that died: ask, and do not send again (decision 74).
    const byDecision = resend && !begun.accepted;
    const again = () => (byDecision ? sendUnlessKnown(question, request) : askInstead(question, request, begun));
    const run = begun.again ? again : () => sendOnce(question, request);
    return tracker.settled(begun, run, { wireOf: ({ payout }) => payout.wire });
  }

  async function sendOnce(question: Question, request: PayoutRequest): Promise<PayoutAcceptance> {
    const { reference } = request;
    try {
      const payout = await withOutcome({ operation: 'payout', reference }, async () => {
        const envelope = requireContent(question, await caller.ask(question));
        const read = payoutOfAnswer(envelope, reference);
        if (read !== null && !namesOtherMoney(read, request)) return read;
        const detail = 'it is about another payout';
        throw new UnreadableAnswerError(question, envelope.httpStatus, 'contradiction', detail);
      });
      return { payout, known: 'answered' };
    } catch (error) {
      if (error instanceof AmbiguousOutcomeError) return resolve(request, error);
      if (error instanceof DuplicateReferenceError) return compareExisting(question, request, error);
      throw error;
    }
  }

  async function askInstead(asked: Asked, request: PayoutRequest, begun: BegunRequest): Promise<PayoutAcceptance> {
    const { reference } = request;
    let payout: Payout;
    try {
      payout = await status(reference);
    } catch (error) {
      if (!(error instanceof TallyhookError)) throw error;
      throw unanswered(begun, asked, error);
    }
    return requireSame(payout, request);
  }

  /** An operator decided to send it again: only what the service does not know of by now is. */
  async function sendUnlessKnown(question: Question, request: PayoutRequest): Promise<PayoutAcceptance> {
    const payout = await status(request.reference).catch(nothingKnown);
    return payout === null ? sendOnce(question, request) : requireSame(payout, request);
  }

  /** Decision 74. */
  async function resolve(request: PayoutRequest, ambiguous: AmbiguousOutcomeError): Promise<PayoutAcceptance> {
    const payout = await status(request.reference).catch(nothingKnown);
    if (payout === null || isSamePayout(payout, request) === false) throw ambiguous;
    return { payout, known: 'asked' };
  }

  /** Decision 75. */
  async function compareExisting(
    asked: Asked,
    request: PayoutRequest,
    duplicate: DuplicateReferenceError,
  ): Promise<PayoutAcceptance> {
    const { reference } = request;
    const payout = await status(reference).catch(nothingKnown);
    const same = payout === null ? null : isSamePayout(payout, request);
    if (payout === null || same === null) {
      throw new AmbiguousOutcomeError({ operation: 'payout', reference, asked, cause: duplicate });
    }
    if (same) return { payout, known: 'existing' };
    throw duplicate.comparedWith({ amount: payout.amount, status: payout.status });
  }

  function status(reference: string): Promise<Payout> {
    return verification.ask('payout', reference, (envelope) => {
      const payout = payoutOfAnswer(envelope, reference);
      // 202 without data says "still pending"; anything else must name a status.
      const usable = envelope.httpStatus === 202 || (payout !== null && statusOf(payout.wire) !== null);
      return usable ? payout : null;
    });
  }

  return {
    async banks(currency) {
      if (currency !== undefined) requireCurrency(currency);
      const path = currency === undefined ? '/api/v1/bank_list' : `/api/v1/bank_list/${currency}`;
      const question: Question = { method: 'GET', path, repeat: 'safe', isList: true, refusal: payoutRefusal('') };
      const { data, root, httpStatus } = await caller.ask(question);
      if (!Array.isArray(data))
        throw new UnreadableAnswerError(question, httpStatus, 'shape', 'it holds no list of banks');
      return { currency: textOf(member(root, 'currency')), banks: data.flatMap(bankOf) };
    },
    async verifyAccount({ currency, bankCode, accountNumber }) {
      requireTexts({ currency, bankCode, accountNumber });
      requireCurrency(currency);
      const question: Question = {
        method: 'POST',
        path: '/api/v1/account_name_verify',
        body: { currency, bank_code: bankCode, account_number: accountNumber },
        repeat: 'never',
        sensitive: [accountNumber],
        refusal: (facts) => new AccountNotVerifiedError(facts),
      };
      const { data, httpStatus } = await caller.ask(question);
      const accountName = textOf(isObject(data) ? member(data, 'account_name') : data);
      if (accountName !== null && accountName !== '') return { accountName };
      throw new UnreadableAnswerError(question, httpStatus, 'shape', 'it holds no account name');
    },
    send: (request, options = {}) => send('/api/v1/bank_transfer', request, options),
    sendFromWallet: (request, options = {}) => send('/api/v1/bank_transfer/wallet', request, options),
    status,
  };
}

function requireSame(payout: Payout, request: PayoutRequest): PayoutAcceptance {
  if (isSamePayout(payout, request) !== false) return { payout, known: 'asked' };
  throw new RequestRefusedError('reference', `${JSON.stringify(request.reference)} is another payout at the service`);
}

function payoutRefusal(reference: string) {
  return (facts: RefusalFacts) => {
    if (isDuplicate(facts)) return new DuplicateReferenceError(facts, reference);
    return Object.keys(facts.fields).length > 0 ? new InvalidFieldsError(facts) : null;
  };
}

/** The document shows no error of the payout endpoints (7.4), so a conflict, words and fields decide. */
export function isDuplicate({ httpStatus, message, fields }: RefusalFacts): boolean {
  const words = `${message} ${Object.values(fields).flat().join(' ')}`;
  const said = /\balready\b|duplicate|(?<!\bnot )\bexists?\b|\bunique\b|\bbeen (used|taken)\b|\bin use\b/i.test(words);
  return httpStatus === 409 || (said && (/reference/i.test(words) || Object.hasOwn(fields, 'reference')));
}

function bankOf(value: Json): Bank[] {
  if (!isObject(value)) return [];
  const bankName = textOf(member(value, 'bankName'));
  const bankCode = textOf(member(value, 'bankCode'));
  return bankName === null || bankCode === null ? [] : [{ bankName, bankCode, logo: textOf(member(value, 'logo')) }];
}

/** A bank code may arrive as a number. */
function textOf(value: Json | undefined): string | null {
  if (value instanceof NumberToken) return value.source;
  return typeof value === 'string' ? value : null;
}
