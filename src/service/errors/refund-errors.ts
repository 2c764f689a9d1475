import { type Amount, formatAmount } from '../../domain/money/amount.ts';
import { quoted, type RefusalFacts, RefusedError, refusedAs } from './service-error.ts';

// One class per row of interface 7.2, and two for what it leaves open: a conflict of keys and a refund not found.

/** 404: no such transaction in the environment of this key. */
export class TransactionNotFoundError extends refusedAs('TransactionNotFoundError', {
  kind: 'not_found',
  text: ({ message }) => `there is no such transaction: ${quoted(message)}.`,
  hint: 'Check the reference, and that the key is of the environment in which the transaction was made.',
}) {}

/** 422: only a successful transaction can be refunded. */
export class TransactionNotSuccessfulError extends refusedAs('TransactionNotSuccessfulError', {
  hint: 'Verify the transaction; refund it once it is successful.',
}) {}

/** 422: only card transactions can be refunded. */
export class NotCardTransactionError extends refusedAs('NotCardTransactionError', {
  hint: 'Return the money by a payout instead.',
}) {}

/** 422: only USD transactions can be refunded (interface 8). */
export class UnsupportedRefundCurrencyError extends refusedAs('UnsupportedRefundCurrencyError', {
  hint: 'Only USD card transactions can be refunded. Return the money by a payout instead.',
}) {}

/** 422: the amount exceeds what is left to refund. */
export class RefundExceedsRemainingError extends refusedAs('RefundExceedsRemainingError', {
  hint: 'Request a smaller amount, or leave the amount out to refund all that remains.',
}) {}

/** 409: nothing is left to refund. */
export class AlreadyRefundedError extends refusedAs('AlreadyRefundedError', {
  hint: 'See its refunds: tallyhook refunds list --remote',
}) {}

/** 409: the service received this idempotency key with another request (decision 32), or is still processing this one. */
export class IdempotencyConflictError extends refusedAs('IdempotencyConflictError', {
  hint: 'Repeating the same request under its key is safe; another request needs its own key.',
}) {}

/** GET of a refund that the service does not know in this environment (decision 44). */
export class RefundNotFoundError extends refusedAs('RefundNotFoundError', {
  kind: 'not_found',
  text: () => 'there is no such refund in this environment.',
  hint: 'Check the reference and the key.',
}) {}

/** The exact figures of the refusal; null where the service sent none. */
export interface FundsFacts {
  readonly required: Amount | null;
  readonly availableBalance: Amount | null;
  /** What is eligible after existing refund holds. */
  readonly pendingBalance: Amount | null;
  readonly shortfall: Amount | null;
  readonly currency: string | null;
}

/**
 * 422: the balance does not cover a refund or a payout with its fee; of a refund, what is available plus what is pending and
 * eligible (rule 4.4.5). Nothing was deducted or reserved.
 */
export class InsufficientFundsError extends RefusedError implements FundsFacts {
  override readonly name = 'InsufficientFundsError';
  readonly required: Amount | null;
  readonly availableBalance: Amount | null;
  readonly pendingBalance: Amount | null;
  readonly shortfall: Amount | null;
  readonly currency: string | null;

  constructor(facts: RefusalFacts, funds: FundsFacts) {
    super(facts, {
      text: (refusal) => fundsText(funds, refusal),
      hint: 'Request a smaller amount, or wait until more has settled. Nothing was reserved.',
    });
    const { required, availableBalance, pendingBalance, shortfall, currency } = funds;
    this.required = required;
    this.availableBalance = availableBalance;
    this.pendingBalance = pendingBalance;
    this.shortfall = shortfall;
    this.currency = currency;
  }
}

function fundsText(
  { required, availableBalance, pendingBalance, shortfall, currency }: FundsFacts,
  facts: RefusalFacts,
) {
  if (required === null && shortfall === null) return `refused: ${quoted(facts.message)}.`;
  const money = (amount: Amount | null) => (amount === null ? '?' : formatAmount(amount));
  const pending = pendingBalance === null ? '' : ` and ${money(pendingBalance)} pending`;
  const has = `has ${money(availableBalance)} available${pending}`;
  return `${`needs ${money(required)}, ${has}, lacks ${money(shortfall)} ${currency ?? ''}`.trimEnd()}.`;
}
