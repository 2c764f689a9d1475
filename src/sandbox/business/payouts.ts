import { announcePayout } from '../webhooks/events.ts';
import { refuse, refuseControl, refuseFields, refuseFull } from '../wire/refusal.ts';
import { findAccount, findBank } from '../world/banks.ts';
import { formatMoney, type Money, money } from '../world/money.ts';
import { type Payout, type PayoutStatus, recordKey, type Scope } from '../world/records.ts';
import type { AccountName } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { amountOutcome } from './collections.ts';
import { balance, charge, type Holder, post, postFee } from './ledger.ts';
import type { PayoutRequest } from './payout-request.ts';
import { namedWallet } from './wallets.ts';

/** Stamp duty of NGN payouts from this amount on: our choice, so that all three parts of a debit occur. */
const STAMP_DUTY = { from: money('10000.00'), amount: money('50.00') };

export const PAYOUT_MOVES: Record<PayoutStatus, readonly PayoutStatus[]> = {
  pending: ['success', 'failed'],
  success: ['reversed'],
  failed: [],
  reversed: [],
};

export function findPayout(world: World, { merchant, environment }: Scope, reference: string): Payout | undefined {
  return world.state.payouts.get(recordKey({ merchantId: merchant.id, environment }, reference));
}

/** A new payout (interface 4.5): debits amount, fee and duty, and schedules the job that decides its outcome. */
export function sendPayout(world: World, scope: Scope, request: PayoutRequest, fromWallet: boolean): Payout {
  const { merchant, environment } = scope;
  const { reference, currency, amount } = request;
  if (findPayout(world, scope, reference)) throw refuse(409, 'Payout reference already exists');
  const walletCode = fromWallet ? namedWallet(scope, request, refuseFields) : null;
  const holder: Holder = { merchantId: merchant.id, environment, currency };
  const { fee, tax } = charge(world, money(merchant.agreement.payoutFees[currency]));
  const stampDuty = currency === 'NGN' && amount >= STAMP_DUTY.from ? STAMP_DUTY.amount : 0n;
  const payer = payerAccount(walletCode);
  checkBalance(balance(world, holder, payer), amount + fee + stampDuty, currency);
  if (world.isFull()) throw refuseFull();

  const createdAt = world.stamp();
  const payout: Payout = {
    id: world.nextNumber(),
    merchantId: merchant.id,
    environment,
    reference,
    currency,
    amount,
    fee,
    tax,
    stampDuty,
    bankCode: request.bank.bankCode,
    bankName: request.bankName,
    accountNumber: request.accountNumber,
    accountName: request.account.name,
    narration: request.narration,
    walletCode,
    sessionId: world.nextId('sess').slice(5),
    status: 'pending',
    gatewayResponse: 'Pending',
    createdAt,
    updatedAt: createdAt,
    history: [],
  };
  const paid = { from: payer, reference };
  post(world, holder, { ...paid, to: 'beneficiaries', amount, type: 'payout', reason: 'payout' });
  postFee(world, holder, { ...paid, fee, tax, reason: 'payout fee' });
  post(world, holder, { ...paid, to: 'fees', amount: stampDuty, type: 'duty', reason: 'stamp duty' });
  world.state.payouts.set(recordKey(payout, reference), payout);
  remember(world, payout);
  world.clock.schedule(0, 'finish_payout', { key: recordKey(payout, reference) });
  return payout;
}

/** Runs a `finish_payout` job: outcome by account, then by amount (decision 76). `pending` stays until a control moves it. */
export function finishPayout(world: World, key: string): void {
  const payout = world.state.payouts.get(key);
  if (payout?.status !== 'pending') return;
  const outcome = outcomeOf(payout);
  if (outcome === 'pending') return;
  step(world, payout, outcome === 'reversed' ? 'success' : outcome);
  if (outcome === 'reversed') world.clock.schedule(world.settings.payoutReversalDelayMs, 'reverse_payout', { key });
}

/** Runs a `reverse_payout` job: a successful payout is reversed (decision 73). */
export function reversePayout(world: World, key: string): void {
  const payout = world.state.payouts.get(key);
  if (payout?.status === 'success') step(world, payout, 'reversed');
}

/** Moves a payout: pending → success or failed, success → reversed. Throws 409 for any other move. */
export function movePayout(world: World, payout: Payout, status: PayoutStatus): void {
  if (!PAYOUT_MOVES[payout.status].includes(status)) {
    const next = PAYOUT_MOVES[payout.status].join(' or ');
    throw refuseControl(
      409,
      `Payout ${payout.reference} cannot go from ${payout.status} to ${status}`,
      next ? `It can go to: ${next}.` : 'This status is final.',
    );
  }
  step(world, payout, status);
}

function outcomeOf(payout: Payout): PayoutStatus {
  const bank = findBank(payout.currency, payout.bankCode);
  const account = bank && findAccount(payout.currency, bank, payout.accountNumber);
  if (account && account.outcome !== 'success') return account.outcome;
  const byAmount = amountOutcome(payout.amount);
  return byAmount === 'delayed' ? 'pending' : byAmount;
}

function step(world: World, payout: Payout, status: PayoutStatus): void {
  const previousUpdatedAt = payout.updatedAt;
  if (status === 'failed' || status === 'reversed') creditBack(world, payout);
  payout.status = status;
  payout.gatewayResponse = { pending: 'Pending', success: 'Approved', failed: 'Failed', reversed: 'Reversed' }[status];
  payout.updatedAt = world.stamp();
  remember(world, payout);
  announcePayout(world, payout, previousUpdatedAt);
}

/** Returns amount, fee, tax and duty to the payer, as separate entries (decision 77). */
function creditBack(world: World, payout: Payout): void {
  const { reference, amount, fee, tax, stampDuty } = payout;
  const back = { to: payerAccount(payout.walletCode), type: 'payout_reversal', reference } as const;
  post(world, payout, { ...back, from: 'beneficiaries', amount, reason: 'payout returned' });
  post(world, payout, { ...back, from: 'fees', amount: fee - tax, reason: 'payout fee returned' });
  post(world, payout, { ...back, from: 'tax', amount: tax, reason: 'tax on payout fee returned' });
  post(world, payout, { ...back, from: 'fees', amount: stampDuty, reason: 'stamp duty returned' });
}

const payerAccount = (walletCode: string | null): AccountName =>
  walletCode === null ? 'available' : `wallet:${walletCode}`;

function checkBalance(available: Money, required: Money, currency: string): void {
  if (required <= available) return;
  throw refuse(422, 'Insufficient balance', {
    required: formatMoney(required),
    available_balance: formatMoney(available),
    shortfall: formatMoney(required - available),
    currency,
  });
}

function remember(world: World, payout: Payout): void {
  const { status, updatedAt } = payout;
  payout.history.push({ atMs: world.clock.now(), status, updatedAt });
}
