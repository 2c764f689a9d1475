import { type Amount, amountOfMinor, formatAmount, isAmount, subtractAmounts } from '../domain/money/amount.ts';
import { type Break, type BreakFacts, type BreakValue, breakId, type Item } from '../domain/reconciling/break.ts';
import { daysBetween } from '../domain/reconciling/business-day.ts';
import { wordsOf } from '../domain/reconciling/codes.ts';
import type { RecordEvidence } from '../store/reconciliation.ts';
import type { KeptBreak } from '../store/runs.ts';

/** A break as a run reports it. */
export interface ReconBreak extends Break, Pick<BreakFacts, 'detail'> {
  /** Of the record. */
  readonly amount: Amount | null;
  readonly ageDays: number;
  readonly evidence: RecordEvidence | null;
}

/** The id under which every run lists it. */
export function itemId({ facts, kind, environment, reference, currency, place, frozen }: Item): string {
  const { account = null, leg = null, names = null } = place ?? {};
  return (
    frozen?.id ?? breakId({ environment, account, leg, kind, currency, ...facts, names: names ?? reference ?? '' })
  );
}

/** Why it is a break, and what to do about it. */
export function itemWords({ facts, kind, reference, firstSeen, place }: Item): ReturnType<typeof wordsOf> {
  const { account = null, line = null, candidates = [] } = place ?? {};
  return wordsOf({ ...facts, kind, reference, firstSeen, account, line, candidates });
}

export function breakOf(item: Item, judgedDay: string, evidence: RecordEvidence | null): ReconBreak {
  const { facts, kind, environment, reference, currency, minor, firstSeen, place, date = firstSeen } = item;
  const { ours, theirs } = facts;
  const { account = null, leg = null, effect = 0n, line = null, candidates = [] } = place ?? {};
  return {
    ...facts,
    ...{ environment, account, leg, kind, currency, reference, line, candidates },
    amount: minor === null ? null : amountOfMinor(minor),
    variance: isAmount(ours) && isAmount(theirs) ? subtractAmounts(theirs, ours) : null,
    effect: amountOfMinor(effect),
    date,
    firstSeen,
    ageDays: daysBetween(firstSeen, judgedDay),
    ...(item.frozen ?? itemWords(item)),
    id: itemId(item),
    evidence,
  };
}

/** A break as the store keeps it. */
export function keptBreak(
  { detail: _, amount: _amount, ageDays: _age, evidence: _evidence, ...one }: ReconBreak,
  recordId: number | null,
): KeptBreak {
  return {
    ...one,
    recordId,
    ours: valueText(one.ours),
    theirs: valueText(one.theirs),
    variance: one.variance === null ? null : formatAmount(one.variance),
    effect: formatAmount(one.effect),
  };
}

function valueText(value: BreakValue): string | null {
  return isAmount(value) ? formatAmount(value) : value;
}
