import type { PeriodStanding, Report } from '../model.ts';
import { type Block, figure, head, placeName, row, type Section, word } from './blocks.ts';
import { counted, signed } from './text.ts';

/** Items of closed periods that were first known in this one, and what happened since this one was closed. */
export function lateItems(
  { late, environment: only }: Report,
  standing: PeriodStanding | null,
  time: (at: string) => string,
): Section {
  const blocks: Block[] = [];
  if (late.length > 0)
    blocks.push({
      title: 'Of closed periods',
      chart: null,
      table: {
        caption: 'Items dated in a closed period, first known after its close',
        columns: [head('Account and currency'), figure('Count'), figure('Effect')],
        rows: late.map((one) => row(placeName(one, only), counted(one.count), signed(one.effect))),
      },
    });
  const since = standing?.sinceClose ?? [];
  if (since.length > 0)
    blocks.push({
      title: 'Since the close',
      chart: null,
      table: {
        caption: 'What changed after this period was closed; its figures stay as they are',
        columns: [head('What'), word('Reference'), word('When')],
        rows: since.map(({ what, reference, at }) => row(what, reference ?? '', time(at))),
      },
    });
  return {
    id: 'late',
    title: 'Late items',
    lead: 'A closed period keeps its figures. What comes late is flagged, and posts in the first open period.',
    blocks,
    nothing: 'Nothing came late.',
  };
}
