import { sumOf } from '../decimal.ts';
import type { Report, ReportReserve } from '../model.ts';
import { type Block, byCurrency, cell, figure, head, placeName, row, type Section, word } from './blocks.ts';
import { dayColumns } from './charts/by-day.ts';
import { stackedBars } from './charts/stacked-bars.ts';
import { ageName } from './sum-blocks.ts';
import { counted, grouped, worded } from './text.ts';

// Money that is the merchant's and not at the bank: on its way, or held for refunds.

/** Collected, and not yet paid out: by age at the end of the period, and by day. */
export function inTransit({ inTransit: { byAge, byDay, batches }, environment: only }: Report): Section {
  const blocks: Block[] = [];
  if (byAge.length > 0)
    blocks.push({
      title: 'By age',
      chart: null,
      table: {
        caption: 'In transit at the end of the period, by days since the collection',
        columns: [head('Age'), word('Currency'), figure('Collections'), figure('Amount')],
        rows: byAge.map((one) =>
          row(ageName(one.age), placeName(one, only), counted(one.collections), grouped(one.amount)),
        ),
        totals: byCurrency(byAge).map((rows) => {
          const count = rows.reduce((sum, { collections }) => sum + collections, 0);
          const name = placeName(rows[0] as (typeof rows)[number], only);
          return row('Total', name, counted(count), grouped(sumOf(rows.map(({ amount }) => amount))));
        }),
      },
    });
  if (batches.length > 0)
    blocks.push({
      title: 'Batches on their way to the bank',
      chart: null,
      table: {
        caption: 'Settlement batches that no line of the bank confirms at the end of the period',
        columns: [head('Batch'), word('Account'), word('Currency'), word('Date'), word('Age'), figure('Amount')],
        rows: batches.map((one) =>
          row(one.reference, one.account, placeName(one, only), one.date, ageName(one.age), grouped(one.amount)),
        ),
        totals: byCurrency(batches).map((rows) => {
          const name = placeName(rows[0] as (typeof rows)[number], only);
          return row('Total', '', name, '', '', grouped(sumOf(rows.map(({ amount }) => amount))));
        }),
      },
    });
  for (const [at, rows] of byCurrency(byDay).entries()) {
    const name = placeName(rows[0] as (typeof rows)[number], only);
    blocks.push({
      id: `in-transit-${at + 1}`,
      title: `By day, ${name}`,
      chart: dayColumns({
        id: `in-transit-${at + 1}-chart`,
        title: `In transit at the end of each day, ${name}`,
        days: rows.map(({ date, amount, collections }) => ({
          day: date,
          value: amount,
          shown: `${grouped(amount)} in ${counted(collections)} collections`,
        })),
      }),
      table: {
        caption: `In transit at the end of each day, ${name}`,
        columns: [head('Day'), figure('Collections'), figure('Amount')],
        rows: rows.map((one) => row(one.date, counted(one.collections), grouped(one.amount))),
      },
      isFolded: true,
    });
  }
  return {
    id: 'in-transit',
    title: 'In transit',
    lead: 'Collected, and in no batch that the wallet or the bank has confirmed.',
    blocks,
    nothing: 'Nothing is in transit.',
  };
}

/** What the service holds for refunds at the end of the period. */
export function reserves({ reserved, environment: only }: Report): Section {
  const blocks = byCurrency(reserved).map((rows, at): Block => {
    const name = placeName(rows[0] as ReportReserve, only);
    return {
      id: `reserves-${at + 1}`,
      title: name,
      chart: stackedBars({
        id: `reserves-${at + 1}-chart`,
        title: `Reserved for refunds, ${name}, by status and age`,
        ...barsOf(rows),
      }),
      table: {
        caption: `Reserved for refunds, ${name}`,
        columns: [
          head('Status'),
          word('Age'),
          figure('Refunds'),
          figure('Not adding up'),
          figure('Unstated'),
          figure('Reserved'),
        ],
        rows: rows.map((one) =>
          row(
            worded(one.status ?? 'no status'),
            ageName(one.age),
            counted(one.refunds),
            cell(counted(one.broken), { mark: one.broken > 0 ? 'bad' : undefined }),
            counted(one.withoutReserve),
            grouped(one.reserved),
          ),
        ),
        totals: [
          row(
            'Total',
            '',
            counted(added(rows, 'refunds')),
            counted(added(rows, 'broken')),
            counted(added(rows, 'withoutReserve')),
            grouped(sumOf(rows.map((one) => one.reserved))),
          ),
        ],
      },
    };
  });
  return {
    id: 'reserves',
    title: 'Reserved for refunds',
    lead: 'Held by the service for refunds that were not settled at the end of the period.',
    blocks,
    nothing: 'Nothing is reserved.',
  };
}

/** A bar for each status, divided by age. */
function barsOf(rows: readonly ReportReserve[]) {
  const ages = [...new Set(rows.map(({ age }) => age))];
  const statuses = [...Map.groupBy(rows, ({ status }) => status ?? 'no status')];
  return {
    parts: ages.map(ageName),
    colours: 'age' as const,
    rows: statuses.map(([status, of]) => ({
      name: worded(status),
      parts: ages.map((age) => {
        const reserved = of.find((one) => one.age === age)?.reserved ?? '0.00';
        return { size: Number(reserved), shown: grouped(reserved) };
      }),
      total: grouped(sumOf(of.map(({ reserved }) => reserved))),
    })),
  };
}

function added(rows: readonly ReportReserve[], name: 'refunds' | 'broken' | 'withoutReserve'): number {
  return rows.reduce((sum, one) => sum + one[name], 0);
}
