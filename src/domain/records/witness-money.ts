import { AMOUNT_FACT } from '../expectations/expectation.ts';
import { type Amount, compareAmounts } from '../money/amount.ts';
import { type Fields, type FieldValue, showValue } from './fields.ts';
import type { RecordKind } from './lifecycle.ts';
import type { Observation } from './observation.ts';

/** The fields of a record that hold money, or say in which currency it is. */
export const MONEY_FIELDS = {
  refund: ['amount', 'currency', 'fee'],
  payout: ['amount', 'currency', 'fee', 'stampDuty'],
  collection: ['requestedAmount', 'amount', 'currency', 'fees'],
} as const satisfies Record<RecordKind, readonly string[]>;

/** The money of a record by each witness, beside the facts on which all observations agree (decision 102). */
export interface WitnessMoney {
  /** By the webhooks with the reported status; without a reported status, by all webhooks. */
  readonly reported: Fields;
  /** By the answer of the status endpoint that confirmed the present status. */
  readonly confirmed: Fields;
}

/** Returns the money in `contents` of one witness. A field with several values is null: no content takes precedence. */
export function moneyIn(kind: RecordKind, contents: readonly Observation[]): Fields {
  const money: Record<string, FieldValue> = {};
  for (const name of MONEY_FIELDS[kind]) money[name] = agreedValue(contents, name);
  return money;
}

function agreedValue([first, ...others]: readonly Observation[], name: string): FieldValue {
  let agreed = first === undefined ? null : valueIn(first, name);
  for (const other of others) {
    const value = valueIn(other, name);
    if (value === null) continue;
    if (agreed !== null && showValue(agreed) !== showValue(value)) return null;
    agreed = value;
  }
  return agreed;
}

function valueIn({ stated }: Observation, name: string): FieldValue {
  return stated.facts[name] ?? stated.details[name] ?? null;
}

/** The amount of a record that lists show and sums count. */
export interface CountedAmount {
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** `service`: the status endpoint gave it. `agreed`: every observation that gives an amount gives this one. Null without an amount. */
  readonly by: 'service' | 'agreed' | null;
  /** The service gave it, and another observation differs in the amount or the currency. */
  readonly disputed: boolean;
}

/**
 * Returns facts and details with the values that the status endpoint gave in place of those by all observations (decision 102): where it
 * has answered, its word is compared with an expectation, also while another observation differs. Pure.
 */
export function wordOfService({ facts, details, money }: Omit<RecordMoney, 'kind'>): {
  facts: Fields;
  details: Fields;
} {
  const answered = (fields: Fields): Fields => {
    const names = Object.keys(fields).filter((name) => (money.confirmed[name] ?? null) !== null);
    return { ...fields, ...Object.fromEntries(names.map((name) => [name, money.confirmed[name] ?? null])) };
  };
  return { facts: answered(facts), details: answered(details) };
}

/** The field that holds the service's fee. */
export const FEE_FIELD = { refund: 'fee', payout: 'fee', collection: 'fees' } as const satisfies Record<
  RecordKind,
  string
>;

/**
 * Returns another amount of a record, such as its fee: of the service's own answer, else the agreed one, else that of the
 * webhooks with the same status, because an answer may leave it out. Pure.
 */
export function countedMoney(record: RecordMoney & MoneyStatuses, name: string): Amount | null {
  const { facts, details, money } = record;
  const known = amountOf(money.confirmed[name]) ?? amountOf(facts[name]) ?? amountOf(details[name]);
  const isAlike = record.confirmed === null || record.confirmed === record.reported;
  return known ?? (isAlike ? amountOf(money.reported[name]) : null);
}

interface MoneyStatuses {
  readonly reported: string | null;
  readonly confirmed: string | null;
}

interface RecordMoney {
  readonly kind: RecordKind;
  readonly facts: Fields;
  readonly details: Fields;
  readonly money: WitnessMoney;
}

/**
 * Returns the amount of the service's own answer, else the agreed one (decision 102). Of a collection the requested amount
 * comes first, because the other may be gross or net (decision 48). An agreed amount never takes the currency of the
 * answer alone: amount and currency come from the same observations. Pure.
 */
export function countedAmount({ kind, facts, details, money: { confirmed } }: RecordMoney): CountedAmount {
  const fact = AMOUNT_FACT[kind];
  const answered = amountOf(confirmed[fact]) ?? (amountOf(facts[fact]) === null ? amountOf(confirmed.amount) : null);
  if (answered === null) {
    const amount = amountOf(facts[fact]) ?? amountOf(details.amount);
    return { amount, currency: textOf(facts.currency), by: amount === null ? null : 'agreed', disputed: false };
  }
  const disputed = differs(confirmed[fact], facts[fact]) || differs(confirmed.currency, facts.currency);
  return { amount: answered, currency: textOf(confirmed.currency) ?? textOf(facts.currency), by: 'service', disputed };
}

/** A fact that the service gave is agreed unless another observation differs. */
function differs(answered: FieldValue | undefined, agreed: FieldValue | undefined): boolean {
  if (answered === null || answered === undefined) return false;
  const [one, other] = [amountOf(answered), amountOf(agreed)];
  return one !== null && other !== null ? compareAmounts(one, other) !== 0 : (agreed ?? null) === null;
}

function amountOf(value: FieldValue | undefined): Amount | null {
  return typeof value === 'object' ? value : null;
}

function textOf(value: FieldValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
