import { lackedBy } from '../../matching/uncompared.ts';
import type { Report, ReportMatches } from '../model.ts';
import { type Block, cell, figure, head, placeName, row, type Section, word } from './blocks.ts';
import { rateLine } from './charts/by-day.ts';
import { counted, grouped, worded } from './text.ts';

/** How much of what was due has a confirmed match: by leg and currency, and day by day. */
export function matches({ matchRate, uncompared, environment: only }: Report): Section {
  const { legs, byDay } = matchRate;
  const blocks: Block[] = [];
  if (legs.length > 0)
    blocks.push({
      title: 'By leg',
      chart: null,
      table: {
        caption: 'Match rate by leg',
        columns: [
          head('Leg'),
          word('Currency'),
          figure('Matched'),
          figure('Unmatched'),
          figure('Not due'),
          figure('No statement'),
          figure('Rate'),
        ],
        rows: legs.map((leg) =>
          row(
            leg.leg,
            placeName(leg, only),
            counted(leg.matched),
            cell(counted(leg.unmatched), { mark: leg.unmatched > 0 ? 'bad' : undefined }),
            counted(leg.notDue),
            counted(leg.noStatement),
            rateText(leg.rate),
          ),
        ),
      },
    });
  if (uncompared.length > 0) blocks.push(uncomparedBlock(uncompared, only));
  for (const [at, of] of [
    ...Map.groupBy(byDay, (one) => JSON.stringify([one.environment, one.leg])).values(),
  ].entries())
    blocks.push(dayBlock(of, { id: `match-rate-${at + 1}`, only }));
  return {
    id: 'match-rate',
    title: 'Match rate',
    lead: 'Matched against matched and unmatched. What is not due yet, or has no statement, is in no rate.',
    blocks,
    nothing: 'No statement covers these days, so nothing could be matched.',
  };
}

/** A period may look clean because nothing was there to hold it against. */
function uncomparedBlock(rows: Report['uncompared'], only: Report['environment']): Block {
  return {
    title: 'Compared with nothing',
    chart: null,
    table: {
      caption: 'Lines that were compared with nothing',
      columns: [head('Account'), word('Lines of'), figure('Lines'), figure('Moved'), word('Missing')],
      rows: rows.map((one) =>
        row(
          placeName(one, only),
          worded(one.type),
          cell(counted(one.lines), { mark: 'bad' }),
          grouped(one.moved),
          lackedBy(one),
        ),
      ),
    },
    note: 'They are no breaks. Where a statement is missing, import one of that kind, and reconcile again; look yourself at what no rule compares.',
  };
}

interface Drawn {
  readonly id: string;
  readonly only: Report['environment'];
}

function dayBlock(rows: ReportMatches['byDay'], { id, only }: Drawn): Block {
  const [first] = rows;
  const title = [first?.leg ?? '', ...(only === null ? [first?.environment ?? ''] : [])].join(', ');
  return {
    id,
    title,
    chart: rateLine({
      id: `${id}-chart`,
      title: `${worded(title)}: match rate by day`,
      days: rows.map(({ date, rate, matched, unmatched }) => ({
        day: date,
        value: rate,
        shown: `${rateText(rate)}, ${counted(matched)} matched, ${counted(unmatched)} not`,
      })),
    }),
    table: {
      caption: `Match rate of ${title}, by day`,
      columns: [head('Day'), figure('Matched'), figure('Unmatched'), figure('Rate')],
      rows: rows.map(({ date, matched, unmatched, rate }) =>
        row(
          date,
          counted(matched),
          cell(counted(unmatched), { mark: unmatched > 0 ? 'bad' : undefined }),
          rateText(rate),
        ),
      ),
    },
    isFolded: true,
  };
}

function rateText(rate: string | null): string {
  return rate === null ? 'none due' : `${rate}%`;
}
