import { formatAmount } from '../domain/money/amount.ts';
import { type Fields, showValue } from '../domain/records/fields.ts';
import { isSettled, type RecordKind } from '../domain/records/lifecycle.ts';
import { countedAmount, countedMoney, FEE_FIELD, MONEY_FIELDS } from '../domain/records/witness-money.ts';
import { maskedValue } from '../domain/text/privacy.ts';
import type { RecordDetail, RecordSummary } from '../store/records.ts';
import { count, day, figure, id, type ListColumn, type Shown, status, text, time } from './column.ts';

// Refunds, payouts and collections.

/** The other party of a record, or what it belongs to. */
export const PARTY = {
  refund: { field: 'transactionReference', name: 'Transaction' },
  payout: { field: 'accountNumber', name: 'Account' },
  collection: { field: 'customerEmail', name: 'Customer' },
} as const satisfies Record<RecordKind, { field: string; name: string }>;

export function partyOf({ kind, facts, details }: RecordSummary, shown: Shown): string | null {
  const name = PARTY[kind].field;
  return fieldText(name, facts[name] ?? details[name] ?? null, shown);
}

/** Columns of a list of one kind; on a narrow terminal reference, statuses and amount stay longest. */
export function recordColumns(kind: RecordKind, shown: Shown): ListColumn<RecordSummary>[] {
  return [
    count('Id', (record) => record.id, { leaveOut: 5 }),
    text('Env', ({ environment }) => environment, { leaveOut: 3 }),
    id('Reference', ({ reference }) => reference),
    status('Reported', ({ reported }) => reported, { mark: (record) => statusMark(kind, record.reported) }),
    status('Confirmed', ({ confirmed }) => confirmed, { mark: (record) => statusMark(kind, record.confirmed) }),
    figure('Amount', amountText),
    figure('Fee', feeText, { leaveOut: 2 }),
    day('Date', ({ effectiveAtMs }) => effectiveAtMs, { leaveOut: 1 }),
    text(PARTY[kind].name, (record) => partyOf(record, shown), { leaveOut: 6 }),
    count('Findings', ({ openFindings }) => openFindings, {
      leaveOut: 4,
      mark: (record) => (record.openFindings > 0 ? 'warn' : undefined),
    }),
    time('Changed', ({ changedAtMs }) => changedAtMs, { leaveOut: 7, isBeside: true }),
  ];
}

/** What is good news, what is bad, what is on its way. */
export function statusMark(kind: RecordKind, status: string | null): 'good' | 'bad' | 'quiet' | undefined {
  if (status === null) return undefined;
  if (status === 'success' || status === 'completed') return 'good';
  return isSettled(kind, status) ? 'bad' : 'quiet';
}

/** `5.00 USD`, or `5.00* USD` where the service gave it and another observation differs. */
export function amountText(record: RecordSummary): string | null {
  const { amount, currency, disputed } = countedAmount(record);
  if (amount === null) return null;
  return `${formatAmount(amount)}${disputed ? '*' : ''}${currency === null ? '' : ` ${currency}`}`;
}

function feeText(record: RecordSummary): string | null {
  const fee = countedMoney(record, FEE_FIELD[record.kind]);
  return fee === null ? null : formatAmount(fee);
}

export function isDisputed(record: RecordSummary): boolean {
  return countedAmount(record).disputed;
}

/** What the mark of a disputed amount means. */
export const DISPUTED_NOTE = "* The service's own amount; another observation differs. See: tallyhook findings";

/** The value of a field, masked where it identifies a person. */
export function fieldText(name: string, value: Fields[string], { reveal }: Shown): string | null {
  const text = showValue(value ?? null);
  return text === null || reveal ? text : maskedValue(name, text);
}

/** What the witnesses say of one field of money. */
export interface WitnessedMoney {
  readonly field: string;
  readonly reported: string | null;
  readonly confirmed: string | null;
  /** By all observations, where the field never changes. */
  readonly agreed: string | null;
}

/** The fields of money that any witness gave. */
export function witnessedMoney({ kind, facts, details, money }: RecordDetail): WitnessedMoney[] {
  const all: Fields = { ...facts, ...details };
  return MONEY_FIELDS[kind].flatMap((field) => {
    const [reported = null, confirmed = null, agreed = null] = [
      money.reported[field],
      money.confirmed[field],
      field in facts ? all[field] : null,
    ].map((value) => showValue(value ?? null));
    const isGiven = reported !== null || confirmed !== null || agreed !== null;
    // What one witness gave is not agreed by the other.
    const isOneSided = (reported === null) !== (confirmed === null);
    return isGiven ? [{ field, reported, confirmed, agreed: isOneSided ? null : agreed }] : [];
  });
}

export function moneyColumns(): ListColumn<WitnessedMoney>[] {
  return [
    text('Field', ({ field }) => fieldLabel(field)),
    figure('By webhooks', ({ reported }) => reported),
    figure('By the service', ({ confirmed }) => confirmed),
    figure('Agreed by all', ({ agreed }) => agreed),
  ];
}

/** `stampDuty` as `stamp duty` */
export function fieldLabel(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
