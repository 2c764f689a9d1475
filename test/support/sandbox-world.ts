import fc from 'fast-check';
import { balancesOf, setBalance } from '../../src/sandbox/business/balances.ts';
import { checkBooks } from '../../src/sandbox/business/books-check.ts';
import { sealCard } from '../../src/sandbox/business/cards.ts';
import { chargeBack, reverseChargeback } from '../../src/sandbox/business/chargebacks.ts';
import { completeCheckout, findCheckout, startCheckout } from '../../src/sandbox/business/checkout.ts';
import { moveCollection } from '../../src/sandbox/business/collection-moves.ts';
import { readCollectionRequest } from '../../src/sandbox/business/collection-request.ts';
import { startCollection } from '../../src/sandbox/business/collections.ts';
import { JOBS } from '../../src/sandbox/business/jobs.ts';
import { addMerchant } from '../../src/sandbox/business/merchants.ts';
import { readPayoutRequest } from '../../src/sandbox/business/payout-request.ts';
import { movePayout, sendPayout } from '../../src/sandbox/business/payouts.ts';
import { readRefundRequest } from '../../src/sandbox/business/refund-request.ts';
import { moveRefund, requestRefund } from '../../src/sandbox/business/refunds.ts';
import { settle } from '../../src/sandbox/business/settlement.ts';
import { topUp } from '../../src/sandbox/business/top-ups.ts';
import { WebhookQueue } from '../../src/sandbox/webhooks/queue.ts';
import { decodeJson } from '../../src/sandbox/wire/json.ts';
import { Refusal } from '../../src/sandbox/wire/refusal.ts';
import { formatMoney, type Money, money } from '../../src/sandbox/world/money.ts';
import {
  COLLECTION_STATUSES,
  CURRENCIES,
  type Currency,
  PAYOUT_STATUSES,
  REFUND_STATUSES,
  recordKey,
  type Scope,
} from '../../src/sandbox/world/records.ts';
import { type SettingsInput, settingsSchema } from '../../src/sandbox/world/settings.ts';
import { restoreSnapshot, takeSnapshot } from '../../src/sandbox/world/snapshot.ts';
import { World } from '../../src/sandbox/world/world.ts';

/** One step on a sandbox. Small numbers pick among existing records, so that steps often meet the same one. */
const pick = fc.nat(30);
const cents = fc.integer({ min: 1, max: 30_000 }).map((units) => formatMoney(BigInt(units) * 1_000_000n));
/** From 10,000.00 NGN on a payout bears stamp duty. */
const dutiable = fc.integer({ min: 999_999, max: 1_500_000 }).map((units) => formatMoney(BigInt(units) * 1_000_000n));
const currency = fc.constantFrom(...CURRENCIES);
const usd = fc.constant('USD' as const);
/** Whole refunds, parts of them, and settlement in small amounts: what a partly funded refund needs to happen often. */
const refund = fc.record({
  do: fc.constant('refund'),
  pick,
  amount: fc.option(cents),
  key: fc.option(fc.nat(4), { freq: 1 }),
} as const);
const settleUsd = fc.record({ do: fc.constant('settle'), currency: usd, amount: fc.option(cents) } as const);
export const step = fc.oneof(
  refund,
  refund,
  refund,
  settleUsd,
  settleUsd,
  fc.record({
    do: fc.constant('card'),
    pick,
    amount: cents,
    currency: fc.constantFrom('USD', 'USD', 'NGN'),
    card: fc.nat(2),
  } as const),
  fc.record({
    do: fc.constant('bank'),
    pick,
    amount: cents,
    status: fc.constantFrom(undefined, 'success', 'failed', 'pending'),
    wallet: fc.boolean(),
  } as const),
  fc.record({
    do: fc.constant('checkout'),
    pick,
    amount: cents,
    action: fc.constantFrom('pay', 'fail', 'cancel'),
  } as const),
  fc.record({ do: fc.constant('moveRefund'), pick, status: fc.constantFrom(...REFUND_STATUSES) } as const),
  fc.record({
    do: fc.constant('payout'),
    pick,
    amount: fc.oneof(cents, dutiable),
    ending: fc.integer({ min: 1, max: 4 }),
    wallet: fc.boolean(),
  } as const),
  fc.record({ do: fc.constant('movePayout'), pick, status: fc.constantFrom(...PAYOUT_STATUSES) } as const),
  fc.record({ do: fc.constant('moveCollection'), pick, status: fc.constantFrom(...COLLECTION_STATUSES) } as const),
  fc.record({ do: fc.constant('settle'), currency, amount: fc.option(cents) } as const),
  fc.record({
    do: fc.constant('balance'),
    currency,
    available: fc.option(cents),
    pending: fc.option(cents),
    wallet: fc.boolean(),
  } as const),
  fc.record({ do: fc.constant('advance'), minutes: fc.nat(2_000) } as const),
  fc.record({ do: fc.constant('snapshot') } as const),
  fc.record({ do: fc.constant('topUp'), currency, amount: cents, wallet: fc.boolean() } as const),
  fc.record({ do: fc.constant('chargeback'), pick, amount: fc.option(cents) } as const),
  fc.record({ do: fc.constant('reverseChargeback'), pick } as const),
  fc.record({ do: fc.constant('tax'), percent: fc.constantFrom('0', '7.5', '16') } as const),
  fc.record({ do: fc.constant('bearer'), who: fc.constantFrom('customer', 'merchant') } as const),
);
type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export type Step = Of<typeof step>;

/** A sandbox without a network, for sequences by the thousand. */
export class TriedWorld {
  readonly world: World;
  /** What controls put in and took out, by currency; the test's own account of it. */
  readonly adjusted = new Map<Currency, Money>();
  refusals = 0;
  done = 0;

  constructor(settings: SettingsInput = {}) {
    const webhooks = (world: World) => new WebhookQueue(world);
    const clock = { mode: 'manual', startMs: Date.UTC(2026, 0, 1), speed: 1 } as const;
    this.world = new World({ seed: 1, settings: settingsSchema.parse(settings), clock, jobs: JOBS, webhooks });
    addMerchant(this.world, { agreement: { refundFee: { percent: '1.9836', flat: '0.10' } } });
    addMerchant(this.world);
  }

  get scope(): Scope {
    const [merchant] = this.world.state.merchants;
    if (!merchant) throw new Error('no merchant');
    return { merchant, environment: 'test' };
  }

  /** Does one step. A refusal must leave the money as it was; anything else thrown is a defect. */
  async take(one: Step): Promise<void> {
    const before = JSON.stringify(balancesOf(this.world, this.scope));
    try {
      await this.act(one);
      this.done++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refusals++;
      if (JSON.stringify(balancesOf(this.world, this.scope)) !== before)
        throw new Error(`refused, yet money moved: ${JSON.stringify(one)}`);
    }
  }

  /** Everything that does not hold: the sandbox's own check, and what the merchant has, recomputed from the records alone. */
  problems(): string[] {
    const problems = checkBooks(this.world);
    for (const view of balancesOf(this.world, this.scope)) {
      const wallets = Object.values(view.wallets).reduce((sum, text) => sum + money(text), 0n);
      const has =
        money(view.available) +
        money(view.pending) +
        money(view.reserved_available) +
        money(view.reserved_pending) +
        wallets;
      const should = this.expected(view.currency);
      if (has !== should)
        problems.push(`${view.currency}: has ${formatMoney(has)}, the records say ${formatMoney(should)}`);
      for (const [name, wanted] of Object.entries(this.expectedOutside(view.currency))) {
        const seen = this.world.state.books.accounts.get(`outside/${view.currency}/${name}`) ?? 0n;
        if (seen !== wanted)
          problems.push(`${view.currency} ${name}: ${formatMoney(seen)}, the records say ${formatMoney(wanted)}`);
      }
    }
    return problems;
  }

  /** The money of all others: payers, payees and the service, recomputed from the records with the rates of docs/sandbox.md. */
  private expectedOutside(currency: Currency): Record<'customers' | 'beneficiaries' | 'fees' | 'tax', Money> {
    const outside = { customers: 0n, beneficiaries: 0n, fees: 0n, tax: 0n };
    const { collections, refunds, payouts, books } = this.world.state;
    for (const one of books.chargebacks.values())
      if (one.currency === currency && one.status === 'open') outside.customers += one.amount;
    for (const one of collections.values()) {
      if (one.currency !== currency || (one.status !== 'success' && one.status !== 'reversed')) continue;
      const net = one.charged > one.fee ? one.charged - one.fee : 0n;
      outside.customers -= one.status === 'success' ? one.charged : one.charged - net;
      const tax = one.tax < one.charged - net ? one.tax : one.charged - net;
      outside.fees += one.charged - net - tax;
      outside.tax += tax;
    }
    for (const one of refunds.values()) {
      if (one.currency !== currency || one.status !== 'success') continue;
      outside.customers += one.amount;
      outside.fees += one.fee - one.tax;
      outside.tax += one.tax;
    }
    for (const one of payouts.values()) {
      if (one.currency !== currency || (one.status !== 'pending' && one.status !== 'success')) continue;
      outside.beneficiaries += one.amount;
      outside.fees += money('10.00') + (one.amount >= money('10000.00') ? money('50.00') : 0n);
      outside.tax += one.tax;
    }
    return outside;
  }

  private expected(currency: Currency): Money {
    const opening = { NGN: '1000000.00', KES: '1000000.00', GHS: '100000.00', USD: '10.00' }[currency];
    let total = money(opening) + (this.adjusted.get(currency) ?? 0n);
    const { collections, refunds, payouts, books } = this.world.state;
    for (const one of books.batches.values()) if (one.currency === currency) total -= one.amount;
    for (const one of books.chargebacks.values())
      if (one.currency === currency && one.status === 'open') total -= one.amount;
    for (const one of collections.values()) {
      if (one.currency === currency && one.status === 'success') total += one.charged - one.fee;
    }
    for (const one of refunds.values())
      if (one.currency === currency && one.status === 'success') total -= one.amount + one.fee;
    for (const one of payouts.values()) {
      if (one.currency === currency && (one.status === 'pending' || one.status === 'success'))
        total -= one.amount + one.fee + one.stampDuty;
    }
    return total;
  }

  private async act(one: Step): Promise<void> {
    const { world, scope } = this;
    switch (one.do) {
      case 'card': {
        const reference = `T${one.pick}`;
        const number = ['4000000000000002', '4000000000000010', '4000000000000028'][one.card] ?? '';
        const card = sealCard(scope.merchant, reference, 'v1', {
          number,
          expiryMonth: '12',
          expiryYear: '30',
          cvv: '123',
        });
        const body = { email: 'a@b.co', amount: one.amount, currency: one.currency, reference, card };
        startCollection(
          world,
          scope,
          readCollectionRequest(scope, world.settings, { channel: 'card', version: 'v1', toWallet: false, body }),
        );
        return;
      }
      case 'bank': {
        const wallet = one.wallet ? { wallet_code: 'W' } : {};
        const body = {
          email: 'a@b.co',
          amount: one.amount,
          currency: 'NGN',
          reference: `T${one.pick}`,
          status: one.status,
          ...wallet,
        };
        startCollection(
          world,
          scope,
          readCollectionRequest(scope, world.settings, {
            channel: 'bank_transfer',
            version: 'v1',
            toWallet: one.wallet,
            body,
          }),
        );
        return;
      }
      case 'checkout': {
        const reference = `T${one.pick}`;
        const key = scope.merchant.keys.test.current.publicKey;
        const body = {
          reference,
          amount: one.amount,
          currency: 'USD',
          email: 'a@b.co',
          name: 'A',
          callback_url: 'http://localhost/',
        };
        startCheckout(world, body, key);
        const session = findCheckout(world, reference);
        if (session)
          completeCheckout(world, session, {
            option: 'card',
            action: one.action,
            cardNumber: '4000000000000002',
            phone: '',
          });
        return;
      }
      case 'refund': {
        const amount = one.amount === null ? {} : { amount: one.amount };
        const key = one.key === null ? undefined : `k${one.key}`;
        // Any reference may be asked for; usually it is a payment that can be refunded.
        const usd = [...world.state.collections.values()].filter(
          ({ channel, currency }) => channel === 'card' && currency === 'USD',
        );
        const reference = (one.pick % 5 === 0 ? undefined : at(usd, one.pick)?.reference) ?? `T${one.pick}`;
        requestRefund(world, scope, readRefundRequest({ reference, ...amount }, key));
        return;
      }
      case 'moveRefund': {
        const refund = at([...world.state.refunds.values()], one.pick);
        if (refund) moveRefund(world, refund, one.status);
        return;
      }
      case 'payout': {
        const text = `{"currency":"NGN","amount":${one.amount},"bank_code":"990001","bank_name":"B","account_number":"000000000${one.ending}",
          "reference":"P${one.pick}"${one.wallet ? ',"wallet_code":"W"' : ''}}`;
        sendPayout(world, scope, readPayoutRequest(decodeJson(text)), one.wallet);
        return;
      }
      case 'movePayout': {
        const payout = at([...world.state.payouts.values()], one.pick);
        if (payout) movePayout(world, payout, one.status);
        return;
      }
      case 'moveCollection': {
        const collection = at([...world.state.collections.values()], one.pick);
        if (collection) moveCollection(world, collection, one.status);
        return;
      }
      case 'settle': {
        const holder = { merchantId: scope.merchant.id, environment: 'test', currency: one.currency } as const;
        settle(world, holder, one.amount === null ? null : money(one.amount));
        return;
      }
      case 'balance':
        this.adjust(one);
        return;
      case 'advance':
        await world.clock.advance(one.minutes * 60_000);
        return;
      case 'snapshot':
        restoreSnapshot(world, takeSnapshot(world));
        return;
      case 'topUp': {
        const { currency, wallet } = one;
        const amount = money(one.amount);
        topUp(world, scope, { currency, amount, wallet: wallet ? 'W' : undefined });
        this.adjusted.set(currency, (this.adjusted.get(currency) ?? 0n) + amount);
        return;
      }
      case 'chargeback': {
        const collection = at([...world.state.collections.values()], one.pick);
        if (collection) chargeBack(world, collection, one.amount === null ? null : money(one.amount));
        return;
      }
      case 'reverseChargeback': {
        const chargeback = at([...world.state.books.chargebacks.values()], one.pick);
        const collection =
          chargeback && world.state.collections.get(recordKey(chargeback, chargeback.transactionReference));
        if (collection) reverseChargeback(world, collection, chargeback);
        return;
      }
      case 'tax':
        world.settings = settingsSchema.parse({ ...world.settings, feeTaxPercent: one.percent });
        return;
      case 'bearer':
        world.settings = settingsSchema.parse({ ...world.settings, feeBearer: one.who });
    }
  }

  private adjust({ currency, available, pending, wallet }: Extract<Step, { do: 'balance' }>): void {
    const total = () => {
      const view = balancesOf(this.world, this.scope).find((one) => one.currency === currency);
      const wallets = Object.values(view?.wallets ?? {}).reduce((sum, text) => sum + money(text), 0n);
      return money(view?.available ?? '0') + money(view?.pending ?? '0') + wallets;
    };
    const before = total();
    setBalance(this.world, this.scope, {
      currency,
      ...(available === null ? {} : { available: money(available) }),
      ...(pending === null || wallet ? {} : { pending: money(pending) }),
      ...(wallet && currency === 'NGN' ? { wallet: 'W' } : {}),
    });
    this.adjusted.set(currency, (this.adjusted.get(currency) ?? 0n) + total() - before);
  }
}

function at<Value>(values: Value[], position: number): Value | undefined {
  return values[position % Math.max(1, values.length)];
}
