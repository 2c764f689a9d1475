import { compareAmounts } from '../domain/amount.ts';
import type { BreakFacts } from '../domain/break.ts';
import { compareTexts } from '../domain/observation.ts';
import { countedAmount } from '../domain/witness-money.ts';
import { type KnownRecord, type ReconciliationArchive, walkAll } from '../store/reconciliation.ts';
import type { Item } from './item.ts';
import { ItemMaker, moneyOf } from './item-maker.ts';
import { isWithin, type Span } from './order.ts';

/** A payout that repeats another one. */
export interface CopiedPayout {
  readonly item: Item;
  /** Whether it belongs to the period. */
  readonly isNow: boolean;
}

/**
 * Payouts that repeat another one: one session id, amount and destination. The first by effective date and reference stands
 * for them; each other one is a break in the period of its own date. A run of other kinds or days has to know them, too: a copy must
 * take no line from its payout.
 */
export async function duplicatePayouts(archive: ReconciliationArchive, span: Span): Promise<CopiedPayout[]> {
  const { asAtMs, environment } = span.period;
  const items = new ItemMaker(span);
  const found: CopiedPayout[] = [];
  for await (const sessions of walkAll((after) => archive.sharedSessions(after))) {
    for (const { sessionId, payoutIds } of sessions) {
      const known = await archive.knownRecords({ kind: 'payout', ids: payoutIds, asAtMs });
      const ours = known.filter((one) => one.seen && one.details.sessionId === sessionId);
      const wanted = ours.filter((one) => environment === undefined || one.environment === environment);
      for (const [first, ...copies] of groupsOf(wanted)) {
        for (const copy of copies) {
          if (first === undefined) continue;
          const item = items.make({ ...copy, ...moneyOf(copy) }, duplicateOf(copy, first), null);
          found.push({ item, isNow: isWithin(span, copy.effectiveAtMs) });
        }
      }
    }
  }
  return found;
}

function duplicateOf(copy: KnownRecord, first: KnownRecord): BreakFacts {
  const { reference: ours } = copy;
  return {
    code: 'duplicate_internal',
    sub: null,
    side: 'ours',
    field: 'sessionId',
    ours,
    theirs: first.reference,
    detail: null,
  };
}

/** Payouts that repeat another one of these. */
export function copiesAmong(payouts: readonly KnownRecord[]): KnownRecord[] {
  return groupsOf(payouts).flatMap(([, ...copies]) => copies);
}

/** Payouts of one environment, amount, currency and destination, the first of each group first. */
function groupsOf(payouts: readonly KnownRecord[]): KnownRecord[][] {
  const groups: KnownRecord[][] = [];
  const inOrder = payouts.toSorted(
    (one, other) => one.effectiveAtMs - other.effectiveAtMs || compareTexts(one.reference, other.reference),
  );
  for (const payout of inOrder) {
    const group = groups.find(([first]) => first !== undefined && isCopy(payout, first));
    if (group === undefined) groups.push([payout]);
    else group.push(payout);
  }
  return groups;
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
