import { compareAmounts } from '../../domain/money/amount.ts';
import type { BreakFacts, Item } from '../../domain/reconciling/break.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import { countedAmount } from '../../domain/records/witness-money.ts';
import { type KnownRecord, type ReconciliationArchive, walkAll } from '../../store/reconciliation.ts';
import { isWithin, type Span } from '../load/order.ts';
import { closedRecordsOf } from './closed-records.ts';
import { ItemMaker, moneyOf } from './item-maker.ts';

/**
 * Payouts of one session id, amount and destination. The one with a line in a wallet stands for them; where no such line tells, or
 * several have one, the first by effective date and reference, as they are ordered here.
 */
export type Twins = readonly KnownRecord[];

/** A payout that repeats another one. */
export interface CopiedPayout {
  readonly item: Item;
  /** Whether it belongs to the period; `closed`: to a closed one before it. */
  readonly when: 'now' | 'closed' | 'else';
}

/**
 * Returns the payouts that are the same. A run of other kinds or days has to know them, too: a copy must take no line from its
 * payout.
 */
export async function payoutTwins(archive: ReconciliationArchive, { period, days }: Span): Promise<Twins[]> {
  const { asAtMs, environment } = period;
  const found: Twins[] = [];
  for await (const sessions of walkAll((after) => archive.sharedSessions(after))) {
    for (const { sessionId, payoutIds } of sessions) {
      const known = await archive.knownRecords({ kind: 'payout', ids: payoutIds, asAtMs });
      const ours = known.filter((one) => one.seen && one.details.sessionId === sessionId);
      const wanted = ours.filter((one) => environment === undefined || one.environment === environment);
      found.push(...twinsAmong(wanted, days.dayOf));
    }
  }
  return found;
}

/** Returns each payout that repeats another one as a break in the period of its own date. */
export function copiesOf(
  twins: readonly Twins[],
  span: Span,
  hasLine: (payout: KnownRecord) => boolean = () => false,
): CopiedPayout[] {
  const copied = copying(span);
  return twins.flatMap((group) => {
    const stands = originalAmong(group, hasLine);
    return group.flatMap((copy) => (copy === stands || stands === undefined ? [] : [copied(copy, stands)]));
  });
}

/** Returns every one of these payouts as a copy of another one, whichever of them stands. */
export function eachAsCopy(twins: readonly Twins[], span: Span): CopiedPayout[] {
  const copied = copying(span);
  return twins.flatMap((group) =>
    group.flatMap((copy) => {
      const other = group.find((one) => one !== copy);
      return other === undefined ? [] : [copied(copy, other)];
    }),
  );
}

/** Returns the payout that stands for its copies: the first with a line, else the first. */
export function originalAmong(twins: Twins, hasLine: (payout: KnownRecord) => boolean): KnownRecord | undefined {
  return twins.find(hasLine) ?? twins[0];
}

/** Returns the function that makes the item of a copy. */
function copying(span: Span): (copy: KnownRecord, stands: KnownRecord) => CopiedPayout {
  const items = new ItemMaker(span);
  const closed = closedRecordsOf(span);
  const whenOf = ({ environment, effectiveAtMs }: KnownRecord) => {
    if (isWithin(span, effectiveAtMs)) return 'now';
    return effectiveAtMs < span.period.fromMs && closed.has(environment, effectiveAtMs) ? 'closed' : 'else';
  };
  return (copy, stands) => ({
    item: items.make({ ...copy, ...moneyOf(copy) }, copyFacts(copy, stands), null),
    when: whenOf(copy),
  });
}

/** What is said of a copy. It has no other side, so the payout that it repeats is named in words. */
export function copyFacts(copy: KnownRecord, stands: KnownRecord): BreakFacts {
  return {
    code: 'duplicate_internal',
    sub: null,
    side: 'ours',
    field: 'sessionId',
    ours: countedAmount(copy).amount,
    theirs: null,
    detail: stands.reference,
  };
}

/** Returns those of payouts with one session id that are the same, by effective date and reference: never by time or arrival. */
export function twinsAmong(payouts: readonly KnownRecord[], dayOf: (ms: number) => string): Twins[] {
  const groups: KnownRecord[][] = [];
  const inOrder = payouts.toSorted(
    (one, other) =>
      compareTexts(dayOf(one.effectiveAtMs), dayOf(other.effectiveAtMs)) ||
      compareTexts(one.reference, other.reference),
  );
  for (const payout of inOrder) {
    const group = groups.find(([first]) => first !== undefined && isCopy(payout, first));
    if (group === undefined) groups.push([payout]);
    else group.push(payout);
  }
  return groups.filter(({ length }) => length > 1);
}

function isCopy(one: KnownRecord, other: KnownRecord): boolean {
  const [mine, theirs] = [countedAmount(one), countedAmount(other)];
  return (
    one.environment === other.environment &&
    mine.amount !== null &&
    theirs.amount !== null &&
    compareAmounts(mine.amount, theirs.amount) === 0 &&
    mine.currency === theirs.currency &&
    one.facts.bankCode === other.facts.bankCode &&
    one.facts.accountNumber === other.facts.accountNumber
  );
}
