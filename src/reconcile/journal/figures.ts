import type { Environment } from '../../domain/environment.ts';
import type { ClearingAccount } from '../../domain/journal/words.ts';
import type { BookedDay, MovedAccount } from '../../domain/matching/book.ts';
import { money, parseAmount, toMinor } from '../../domain/money/amount.ts';
import type { Rules } from '../../domain/reconciling/rules.ts';
import { PROOF_ROWS, type ProofRow } from '../../domain/statements/lines.ts';
import { itemId } from '../recon-break.ts';
import type { Reconciliation } from '../reconcile.ts';

/*
 * What a journal needs of a run, as the store keeps it: amounts are decimal text.
 */

/** What moved an account on a day, in a row of the proof, by us and by the statement. The sums of a row are those of the proof. */
export interface DayFigure {
  readonly date: string;
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly row: ProofRow;
  /** Of `reversals`. */
  readonly reverses: 'collection' | 'payout' | null;
  readonly ours: string;
  readonly theirs: string;
}

/** What explains a difference and is no break of the run: not due yet, to be confirmed, or open from before. */
export interface OpenFigure {
  readonly list: 'timing' | 'suggested' | 'carried';
  readonly code: string;
  /** Of one that is open from before; null: a sum of `count`. */
  readonly id: string | null;
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly clearing: ClearingAccount;
  readonly reference: string | null;
  readonly count: number;
  readonly effect: string;
}

/** The figures by day, in a stable order. */
export function dayFigures(books: readonly MovedAccount[], { from, to }: { from: string; to: string }): DayFigure[] {
  return books.flatMap(({ environment, account, currency, days }) => {
    const moved = new Map<string, BookedDay>();
    for (const day of days) {
      const date = day.day < from ? from : day.day > to ? to : day.day;
      const key = `${date} ${String(PROOF_ROWS.indexOf(day.row)).padStart(2, '0')} ${day.reverses ?? ''}`;
      const before = moved.get(key);
      const ours = (before?.ours ?? 0n) + day.ours;
      moved.set(key, { ...day, day: date, ours, theirs: (before?.theirs ?? 0n) + day.theirs });
    }
    return [...moved]
      .filter(([, { ours, theirs }]) => ours !== 0n || theirs !== 0n)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { day, row, reverses, ours, theirs }]) => ({
        ...{ date: day, environment, account, currency, row, reverses },
        ours: money(ours),
        theirs: money(theirs),
      }));
  });
}

/** Legs between accounts of the merchant: their items are posted out of the clearing account of settlements. */
export function settlementLegs({ legs }: Pick<Rules, 'legs'>): string[] {
  return legs.filter(({ ours }) => !('records' in ours)).map(({ name }) => name);
}

export function clearingOf(leg: string | null, settlementLegs: readonly string[]): ClearingAccount {
  return leg !== null && settlementLegs.includes(leg) ? 'settlement_clearing' : 'sales_clearing';
}

/** What waits as sums, what is open from before one by one; only what moves a balance. */
export function openFigures(result: Pick<Reconciliation, 'timing' | 'suggested' | 'carried' | 'span'>): OpenFigure[] {
  const legs = settlementLegs(result.span.order.rules);
  const sums = new Map<string, OpenFigure & { readonly minor: bigint }>();
  for (const list of ['timing', 'suggested', 'carried'] as const) {
    for (const item of result[list]) {
      const { place, environment, currency, facts, reference } = item;
      if (place === null || currency === null || place.effect === 0n) continue;
      const { account } = place;
      const id = list === 'carried' ? itemId(item) : null;
      const clearing = clearingOf(place.leg, legs);
      const key = JSON.stringify([list, environment, account, currency, facts.code, clearing, id]);
      const before = sums.get(key);
      const minor = (before?.minor ?? 0n) + place.effect;
      sums.set(key, {
        ...{ list, code: facts.code, id, environment, account, currency, clearing },
        reference: id === null ? null : reference,
        count: (before?.count ?? 0) + 1,
        effect: money(minor),
        minor,
      });
    }
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, { minor: _minor, ...figure }]) => figure);
}

export function minorOf(text: string): bigint {
  return toMinor(parseAmount(text));
}
