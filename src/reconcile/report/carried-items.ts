import { owedOf } from '../../domain/exceptions/owed.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import type { DayRange } from '../../domain/periods/period.ts';
import { isBreakCode } from '../../domain/reconciling/break.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import type { CarriedRow } from './carried-rows.ts';
import type { CarriedTotal } from './control-totals.ts';
import { claimsOf, isOpen, Sums, sharedSums } from './exception-sums.ts';
import { type CarriedItem, MOST_CARRIED, type ReportCarried } from './model-carried.ts';
import type { MovesBalance } from './proven.ts';

/** A period of the set that was closed. */
export type ClosedDays = DayRange & { readonly period: string };

interface CarriedOrder {
  readonly movesBalance: MovesBalance;
  readonly periods: readonly ClosedDays[];
}

/** Gathers what is open from before one by one. Memory grows with what is listed, not with all that there is. */
export function carriedItems({ movesBalance, periods }: CarriedOrder) {
  const isInProof = (row: CarriedRow) => row.isOfRun && movesBalance(row);
  const shared = sharedSums(isInProof);
  const claims = new Sums<object, CarriedRow>(isInProof);
  const totals = new Sums<object, CarriedRow>(isInProof);
  const items: CarriedItem[] = [];
  let more = 0;

  return {
    add(row: CarriedRow): void {
      if (items.length < MOST_CARRIED) items.push(itemOf(row, isInProof(row), sinceOf(row.date, periods)));
      else more++;
      totals.add(row, [], {});
      if (!isBreakCode(row.code) || !shared.add(row)) return;
      if (row.resolution === 'claim' && !isOpen(row))
        claims.add({ ...row, variance: formatAmount(owedOf(row)) }, [], {});
    },

    all(): ReportCarried {
      return { ...shared.all(), claims: claimsOf(claims), items: items.sort(compareItems), more };
    },

    /** Of everything, also what is no exception. */
    totals: (): CarriedTotal[] => totals.all(),
  };
}

function itemOf(row: CarriedRow, isInProof: boolean, since: string): CarriedItem {
  const { id, code, sub, environment, account, leg, kind, reference, date, age, currency } = row;
  const { ours, theirs, effect, resolution, reasonCode, needsApproval, followUp, sameAs } = row;
  return {
    ...{ id, code, sub, environment, account, leg, kind, reference, date, since, age, currency },
    ...{ ours, theirs, effect, isInProof, status: row.status },
    ...{ resolution, reasonCode, needsApproval, followUp, sameAs },
  };
}

function sinceOf(date: string, periods: readonly ClosedDays[]): string {
  return periods.find(({ from, to }) => from <= date && date <= to)?.period ?? date.slice(0, 'yyyy-MM'.length);
}

function compareItems(one: CarriedItem, other: CarriedItem): number {
  for (const name of ['environment', 'account', 'currency', 'code', 'date', 'reference', 'id'] as const) {
    const order = compareTexts(one[name] ?? '', other[name] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}
