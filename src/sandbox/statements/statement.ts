import type { Money } from '../world/money.ts';
import type { Currency, Environment } from '../world/records.ts';
import type { EntryType } from '../world/state.ts';

// A statement is what one account's holder gets: the movements of some days, in the order of the books, between an opening
// and a closing balance. Days are those of its zone.

export const STATEMENT_KINDS = ['wallet', 'settlement', 'bank'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

export interface Line {
  /** Day, `yyyy-MM-dd`, and time, `HH:mm:ss`, in the zone of the statement. */
  readonly date: string;
  readonly time: string;
  /** Settlement: the day on which the money moved at the service. Else the same as `date`. */
  readonly valueDate: string;
  readonly type: EntryType;
  readonly reference: string;
  /** The collection of a refund or chargeback; empty for all others. */
  readonly transactionReference: string;
  /** Of a payout; empty for all others. */
  readonly sessionId: string;
  /** Id of the settlement batch; empty outside of settlement statements. */
  readonly group: string;
  readonly counterparty: string;
  readonly text: string;
  /** What the line adds to the balance; negative when it takes. Settlement: the net. */
  readonly amount: Money;
  /** Settlement only, else zero: `gross` − `fee` − `tax` = `amount`. */
  readonly gross: Money;
  readonly fee: Money;
  readonly tax: Money;
}

/** The account, days and zone that a statement is of. */
export interface Span {
  readonly kind: StatementKind;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly currency: Currency;
  /** Code of a named wallet; null: the balance. */
  readonly wallet: string | null;
  /** First and last day, `yyyy-MM-dd`; both are included. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

export interface Statement extends Span {
  /** Balance before the first line; zero in a settlement statement, which has no balance. */
  readonly opening: Money;
  readonly lines: readonly Line[];
}

/** The name of a statement's account, such as `m1-wallet-ngn`. */
export function accountName({ kind, merchantId, currency, wallet }: Span): string {
  return [merchantId, kind, ...(wallet === null ? [] : [wallet]), currency.toLowerCase()].join('-');
}

export const sumOf = (lines: readonly Line[]): Money => lines.reduce((sum, { amount }) => sum + amount, 0n);

/** Balance after the last line. */
export const closingOf = ({ opening, lines }: Statement): Money => opening + sumOf(lines);
