import { chargeBack, reverseChargeback } from '../business/chargebacks.ts';
import { topUp } from '../business/top-ups.ts';
import { readControl } from '../wire/control-input.ts';
import { formatMoney } from '../world/money.ts';
import { type Currency, scopeKey } from '../world/records.ts';
import type { Batch, Chargeback, Member } from '../world/state.ts';
import { chargebackSchema, topUpSchema, whoseSchema } from './input.ts';
import { noSuch, RecordControls, readAmount, type Whose } from './records.ts';

export interface ChargebackView {
  readonly reference: string;
  readonly transaction_reference: string;
  readonly currency: Currency;
  readonly amount: string;
  readonly status: Chargeback['status'];
}

/** One payment to the bank; the nets of its members add up to its amount. */
export interface BatchView {
  readonly id: string;
  readonly currency: Currency;
  readonly at: string;
  readonly amount: string;
  readonly members: readonly {
    readonly type: Member['type'];
    readonly reference: string;
    readonly transaction_reference: string;
    readonly at: string;
    readonly gross: string;
    readonly fee: string;
    readonly tax: string;
    readonly net: string;
  }[];
}

/** The controls over money that moves between the service, the merchant's bank and the payers' banks. */
export class BankControls extends RecordControls {
  /** Moves money from the merchant's bank to its balance, or to a wallet. */
  topUp(what: Whose & { currency: Currency; amount: string; wallet?: string | undefined }): {
    reference: string;
    currency: Currency;
    amount: string;
  } {
    const { merchant, environment, currency, wallet, ...wanted } = readControl(topUpSchema, what);
    const amount = readAmount(wanted.amount);
    const reference = topUp(this.world, this.scope({ merchant, environment }), { currency, amount, wallet });
    return { reference, currency, amount: formatMoney(amount) };
  }

  chargebacks(whose: Whose = {}): ChargebackView[] {
    return this.mine(this.world.state.books.chargebacks.values(), whose).map(chargebackView);
  }

  /** Charges back a successful collection: `amount`, or all that is neither refunded nor charged back. */
  chargeBack(what: Whose & { collection: string; amount?: string | undefined }): ChargebackView {
    const { collection, amount, ...whose } = readControl(chargebackSchema, what);
    return chargebackView(chargeBack(this.world, this.collection(collection, whose), readAmount(amount) ?? null));
  }

  /** Returns the money of a chargeback to the merchant. */
  reverseChargeback(reference: string, whose: Whose = {}): ChargebackView {
    readControl(whoseSchema, whose);
    const chargeback = this.mine(this.world.state.books.chargebacks.values(), whose).find(
      (one) => one.reference === reference,
    );
    if (!chargeback) throw noSuch('chargeback', reference, 'chargebacks');
    reverseChargeback(this.world, this.collection(chargeback.transactionReference, whose), chargeback);
    return chargebackView(chargeback);
  }

  /** The settlement batches, oldest first, with their members. */
  batches(whose: Whose = {}): BatchView[] {
    const { merchant, environment } = this.scope(whose);
    const scope = scopeKey({ merchantId: merchant.id, environment });
    return [...this.world.state.books.batches.values()].filter((batch) => batch.scope === scope).map(batchView);
  }
}

function chargebackView({ reference, transactionReference, currency, amount, status }: Chargeback): ChargebackView {
  return { reference, transaction_reference: transactionReference, currency, amount: formatMoney(amount), status };
}

function batchView({ id, currency, at, amount, members }: Batch): BatchView {
  return {
    id,
    currency,
    at,
    amount: formatMoney(amount),
    members: members.map((member) => ({
      type: member.type,
      reference: member.reference,
      transaction_reference: member.transactionReference,
      at: member.at,
      gross: formatMoney(member.gross),
      fee: formatMoney(member.fee),
      tax: formatMoney(member.tax),
      net: formatMoney(member.net),
    })),
  };
}
