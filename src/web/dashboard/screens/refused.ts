import { refusedColumns } from '../../../lists/refused.ts';
import { seenColumn } from '../../../lists/seen.ts';
import { refusalWords } from '../../../receive/refusal-words.ts';
import { REFUSAL_REASONS } from '../../../receive/refusals.ts';
import { STORE_FAULTS } from '../../../store/error.ts';
import type { KeptSpan } from '../../../store/refused.ts';
import { noticeBlock } from '../blocks.ts';
import { AFTER, askedIn, boundsOf, DAYS, emptyFor, filtersForm, optionsOf, words } from '../filters.ts';
import { given } from '../forms.ts';
import { listTable, pageOfList, pagesBlock } from '../list-blocks.ts';
import type { Page } from '../page.ts';
import type { Context, Route } from '../route.ts';
import { seen, seenBlocks } from './seen.ts';

// What did we turn away, and why?

/** Reasons also of deliveries that were not kept. */
const FILTERS = { reason: words<string>('Reason', [...REFUSAL_REASONS, ...STORE_FAULTS]), ...DAYS };

export const refusedRoutes: readonly Route[] = [
  { method: 'GET', path: '/refused', act: 'read', weight: 'light', asks: { ...FILTERS, ...AFTER }, handle: refused },
  { method: 'POST', path: '/refused/seen', act: 'refused.see', weight: 'light', handle: seen('refused') },
];

async function refused(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const { reason: reasons, ...days } = askedIn(FILTERS, query, config.timeZone);
  const filter = { ...boundsOf(days), ...given({ reasons }) };
  const found = await pageOfList(
    query,
    (page) => archive.refusedSpans(filter, page),
    () => archive.countRefusedSpans(filter),
  );
  const mark = await archive.seenMark('refused');
  return {
    title: 'Refused',
    question: 'What did we turn away, and why?',
    commands: [`tallyhook refused${optionsOf(FILTERS, query)}`, 'tallyhook events seen refused'],
    regions: ['events'],
    blocks: [
      filtersForm('/refused', FILTERS, query),
      ...seenBlocks(context, 'refused', mark),
      listTable([...refusedColumns(), seenColumn<KeptSpan>(mark, ({ lastAtMs }) => lastAtMs)], found.rows, {
        ...{ id: 'refused', caption: 'Refused requests, the latest first', without: ['Id'], head: 'Reason' },
        more: ({ reason, lastPath, environments: [environment = 'live'] }) => {
          const [why, next] = refusalWords(reason, lastPath);
          return [noticeBlock('quiet', `${why}.`, { next: next.replaceAll('ENVIRONMENT', environment) })];
        },
        empty: emptyFor(
          query,
          {
            text: 'Nothing was refused.',
            next: 'What arrives stands under Events.',
            links: [{ text: 'Events', href: '/events' }],
          },
          'Nothing matches.',
        ),
      }),
      pagesBlock('/refused', query, found),
    ],
  };
}
