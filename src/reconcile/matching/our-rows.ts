import { type Amount, isAmount, magnitude, toMinorOrNull } from '../../domain/amount.ts';
import { OUTCOME_TIME } from '../../domain/effective-time.ts';
import type { FieldValue } from '../../domain/fields.ts';
import { countedMoney } from '../../domain/witness-money.ts';
import type { KnownRecord } from '../../store/reconciliation.ts';
import type { KeyedRow, Scratch } from '../../store/scratch/scratch.ts';
import type { Sides } from './sides.ts';

/** Puts batches and top-ups of statements on our side, for the legs that hold them against other statements. */
export function keepStatementRows(scratch: Scratch, sides: readonly Sides[]): void {
  const accounts = (kind: 'batch' | 'top_up') => [
    ...new Set(sides.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ ourAccounts }) => ourAccounts)),
  ];
  for (const { name, day, amount, ...batch } of scratch.batches.batches(accounts('batch'))) {
    if (name !== null)
      scratch.keep({
        ...STATEMENT_ROW,
        ...batch,
        kind: 'batch',
        reference: name,
        amount: magnitude(amount),
        ...on(day),
      });
  }
  const seen = new Map<string, number>();
  for (const { date, amount, reference, sessionId, group, ...topUp } of scratch.batches.topUps(accounts('top_up'))) {
    const name = reference ?? sessionId ?? group;
    const key = JSON.stringify([topUp.environment, topUp.currency, name ?? date, name === null]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    // Without a name, or under one that another top-up has, nothing but amount and date can find it. Its place among those
    // alike names it: a number of the store would differ from import to import.
    const isNamed = name !== null && count === 1;
    const own = {
      reference: isNamed ? name : `${name ?? `top-up of ${date}`} (${count})`,
      sessionId: isNamed ? sessionId : null,
    };
    scratch.keep({ ...STATEMENT_ROW, ...topUp, ...own, kind: 'top_up', amount: magnitude(amount), ...on(date) });
  }
}

const STATEMENT_ROW = {
  status: 'success',
  recordId: null,
  requested: null,
  fees: null,
  duty: null,
  reserved: null,
  channel: null,
  isDayLearnt: false,
  sessionId: null,
  transactionReference: null,
};

function on(day: string) {
  return { startDay: day, day };
}

/** A record as it was known at an earlier time, in the place of what is known now. */
export function knownRow(record: KnownRecord, dayOf: (ms: number) => string): KeyedRow | null {
  const { kind, environment, reference, facts, details, money, reported, confirmed } = record;
  const currency = textOf(money.confirmed.currency) ?? textOf(facts.currency);
  if (currency === null) return null;
  const amountOf = (name: string) => minorOf(countedMoney(record, name));
  const requested = kind === 'collection' ? amountOf('requestedAmount') : null;
  const stated = details[OUTCOME_TIME[kind]] ?? details.updatedAt ?? null;
  return {
    kind,
    environment,
    currency,
    reference,
    status: confirmed ?? reported,
    recordId: record.id,
    amount: amountOf('amount') ?? requested,
    requested,
    fees: amountOf(kind === 'collection' ? 'fees' : 'fee'),
    duty: kind === 'payout' ? amountOf('stampDuty') : null,
    reserved: kind === 'refund' ? minorOf(isAmount(details.totalReserved) ? details.totalReserved : null) : null,
    channel: textOf(details.channel),
    startDay: dayOf(record.startedAtMs),
    day: dayOf(record.effectiveAtMs),
    isDayLearnt: stated === null,
    sessionId: textOf(details.sessionId),
    transactionReference: textOf(facts.transactionReference),
  };
}

function textOf(value: FieldValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function minorOf(amount: Amount | null): bigint | null {
  return amount === null ? null : toMinorOrNull(amount);
}
