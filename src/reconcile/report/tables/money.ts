import { isZero, sumOf } from '../decimal.ts';
import type { Of, Report, ReportAudit, ReportCharged, ReportClaims, ReportReserve } from '../model.ts';
import { amount, type Bars, book, type Column, count, day, effect, name, type Table, text } from '../table.ts';
import { age, ageName, counted, grouped } from '../words.ts';

// Money that is elsewhere, and what it costs.

type Transit = Report['inTransit'];

export function inTransit({ inTransit, environment: only }: Of<'inTransit'>): Table<Transit['byAge'][number]> {
  return {
    ...{ name: 'In transit', title: 'Collected and not yet settled', csv: 'in_transit', hasTotals: true },
    columns: [
      ...book<Transit['byAge'][number]>(only, 'currency'),
      name('Age', (row) => row.age, { ...age, csv: 'item', width: 16 }),
      count('Collections', (row) => row.collections, { csv: 'count' }),
      amount('Amount', (row) => row.amount, { csv: 'amount' }),
    ],
    rows: inTransit.byAge,
  };
}

export function batchesInTransit({ inTransit, environment: only }: Report): Table<Transit['batches'][number]> {
  return {
    ...{ name: 'Batches in transit', title: 'Settlement batches that the bank does not have yet' },
    ...{ csv: 'batches_in_transit', hasTotals: true },
    columns: [
      ...book<Transit['batches'][number]>(only, 'account', 'currency'),
      name('Batch', (row) => row.reference, { csv: 'item', width: 24 }),
      day('Date', (row) => row.date, { csv: 'date' }),
      text('Age', (row) => row.age, { ...age, csv: 'detail', width: 16 }),
      amount('Amount', (row) => row.amount, { csv: 'amount' }),
    ],
    rows: inTransit.batches,
  };
}

export function inTransitByDay({ inTransit, environment: only }: Report): Table<Transit['byDay'][number]> {
  return {
    ...{ name: 'In transit by day', title: 'In transit at the end of each day', csv: 'in_transit_by_day' },
    columns: [
      ...book<Transit['byDay'][number]>(only, 'currency'),
      day('Day', (row) => row.date, { as: 'name', csv: 'date' }),
      count('Collections', (row) => row.collections, { csv: 'count' }),
      amount('Amount', (row) => row.amount, { csv: 'amount' }),
    ],
    ...{ rows: inTransit.byDay, parts: 'page', isDaily: true },
    chart: (rows) => ({
      as: 'days',
      days: rows.map(({ date, amount, collections }) => ({
        ...{ day: date, value: amount, shown: `${grouped(amount)} in ${counted(collections)} collections` },
      })),
    }),
  };
}

export function reserved({ reserved, environment: only, to }: Of<'reserved' | 'to'>): Table<ReportReserve> {
  return {
    ...{ name: 'Reserved', title: `Reserved for refunds at the end of ${to}`, csv: 'reserved' },
    columns: [
      ...book<ReportReserve>(only, 'currency'),
      name('Status', (row) => row.status, { csv: 'detail', width: 24, words: (row) => row.status ?? 'no status' }),
      text('Age', (row) => row.age, { ...age, csv: 'item', width: 16 }),
      count('Refunds', (row) => row.refunds, { csv: 'count' }),
      count('Do not add up', (row) => row.broken, {
        csv: 'broken',
        mark: (row) => (row.broken > 0 ? 'bad' : undefined),
      }),
      count('Not stated', (row) => row.withoutReserve, { csv: 'not_stated' }),
      amount('Reserved', (row) => row.reserved, { csv: 'amount' }),
    ],
    ...{ rows: reserved, parts: 'page', hasTotals: true },
    chart: (rows) => ({ as: 'bars', ...barsOf(rows) }),
  };
}

/** A bar for each status, divided by age. */
function barsOf(rows: readonly ReportReserve[]): Bars {
  const ages = [...new Set(rows.map((row) => row.age))];
  const statuses = [...Map.groupBy(rows, ({ status }) => status ?? 'no status')];
  return {
    parts: ages.map(ageName),
    colours: 'age' as const,
    rows: statuses.map(([name, of]) => ({
      name,
      parts: ages.map((one) => {
        const reserved = of.find((row) => row.age === one)?.reserved ?? '0.00';
        return { size: Number(reserved), shown: grouped(reserved) };
      }),
      total: grouped(sumOf(of.map(({ reserved }) => reserved))),
    })),
  };
}

const differs = <Row extends { readonly difference: string }>(row: Row) => (isZero(row.difference) ? undefined : 'bad');

export function charged({ fees, environment: only }: Report): Table<ReportCharged> {
  const theirs = (heading: string, line: string, value: (row: ReportCharged) => string): Column<ReportCharged> =>
    amount(heading, value, { csv: 'theirs', line });
  return {
    ...{ name: 'Fees', title: 'Fees, tax and duty charged, by the statements', csv: 'fees', hasTotals: true },
    columns: [
      ...book<ReportCharged>(only, 'account', 'currency'),
      theirs('Fees', 'fees', (row) => row.fees),
      theirs('Refund fees', 'refund_fees', (row) => row.refundFees),
      theirs('Tax', 'tax', (row) => row.tax),
      theirs('Duty', 'duty', (row) => row.duty),
      theirs('Total', 'total', (row) => row.total),
      amount('By us', (row) => row.ours, { csv: 'ours', line: 'total' }),
      effect('Difference', (row) => row.difference, { csv: 'difference', line: 'total', mark: differs }),
    ],
    rows: fees.charged,
  };
}

export function bySchedule({ fees, environment: only }: Report): Table<ReportAudit> {
  return {
    ...{ name: 'Fees by the schedule', title: 'Charges against the fee schedule', csv: 'fees_by_schedule' },
    columns: [
      ...book<ReportAudit>(only, 'currency'),
      count('Charges', (row) => row.rows, { csv: 'count', line: 'charges' }),
      count('As scheduled', (row) => row.agreed, { csv: 'count', line: 'as_scheduled' }),
      count('Without a rule', (row) => row.withoutRule, { csv: 'count', line: 'without_rule' }),
      count('Not stated', (row) => row.unstated, { csv: 'count', line: 'not_stated' }),
      count('Too much', (row) => row.overLines, { csv: 'count', line: 'overcharged' }),
      amount('Overcharged', (row) => row.overcharged, { csv: 'amount', line: 'overcharged' }),
      count('Too little', (row) => row.underLines, { csv: 'count', line: 'undercharged' }),
      amount('Undercharged', (row) => row.undercharged, { csv: 'amount', line: 'undercharged' }),
      effect('Difference', (row) => row.difference, { csv: 'amount', line: 'difference', mark: differs }),
    ],
    rows: fees.audit ?? [],
  };
}

export function claimed({ fees, environment: only }: Report): Table<ReportClaims> {
  const names = { name: 'Fees claimed', title: 'Charges claimed from the service', csv: 'fees_claimed' };
  return { ...names, columns: claimColumns(only), rows: fees.claimed };
}

/** Claims from before that hold, each amount once. */
export function stillOwed({ carried, environment: only }: Report): Table<ReportClaims> {
  const names = { name: 'Claims from before', title: 'Claims from before that are still owed', csv: 'carried_claims' };
  return { ...names, columns: claimColumns(only), rows: carried.claims };
}

function claimColumns(only: Report['environment']): Column<ReportClaims>[] {
  return [
    ...book<ReportClaims>(only, 'currency'),
    count('Claims', (row) => row.claims, { csv: 'count' }),
    amount('Amount', (row) => row.amount, { csv: 'amount' }),
  ];
}

export function late({ late, environment: only }: Report): Table<Report['late'][number]> {
  return {
    ...{ name: 'Late', title: 'Came late, for a period that was closed', csv: 'late', hasTotals: true },
    columns: [
      ...book<Report['late'][number]>(only, 'account', 'currency'),
      count('Items', (row) => row.count, { csv: 'count' }),
      effect('Effect', (row) => row.effect, { csv: 'effect' }),
    ],
    rows: late,
  };
}
