import { refusedColumns } from '../../../lists/refused.ts';
import { seenColumn } from '../../../lists/seen.ts';
import { refusalWords } from '../../../receive/refusal-words.ts';
import { REFUSAL_REASONS } from '../../../receive/refusals.ts';
import { STORE_FAULTS } from '../../../store/error.ts';
import type { KeptSpan } from '../../../store/refused.ts';
import { noticeBlock } from '../blocks.ts';
import { AFTER, askedIn, boundsOf, DAYS, words } from '../filters.ts';
import { given } from '../forms.ts';
import { listPage } from '../list-blocks.ts';
import type { Block, Page } from '../page.ts';
import { type Context, lightForm, lightPage, type Route } from '../route.ts';
import { seen, seenBlocks } from './seen.ts';

// What did we turn away, and why?

/** Reasons also of deliveries that were not kept. */
const FILTERS = { reason: words<string>('Reason', [...REFUSAL_REASONS, ...STORE_FAULTS]), ...DAYS };

export const refusedRoutes: readonly Route[] = [
  lightPage('/refused', 'read', refused, { ...FILTERS, ...AFTER }),
  lightForm('/refused/seen', 'refused.see', seen('refused')),
];

async function refused(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const { reason: reasons, ...days } = askedIn(FILTERS, query, config.timeZone);
  const mark = await archive.seenMark('refused');
  return listPage(context, {
    ...{ title: 'Refused', question: 'What did we turn away, and why?', regions: ['events'] },
    ...{ path: '/refused', filters: FILTERS, command: 'tallyhook refused', others: ['tallyhook events seen refused'] },
    filter: { ...boundsOf(days), ...given({ reasons }) },
    list: { read: archive.refusedSpans, count: archive.countRefusedSpans, isByIndex: true },
    columns: [...refusedColumns(), seenColumn<KeptSpan>(mark, ({ lastAtMs }) => lastAtMs)],
    table: () => ({
      ...{ id: 'refused', caption: 'Refused requests, the latest first', without: ['Id'], head: 'Reason' },
      more: whyRefused,
    }),
    none: {
      text: 'Nothing was refused.',
      next: 'What arrives stands under Events.',
      links: [{ text: 'Events', href: '/events' }],
    },
    noMatch: 'Nothing matches.',
    between: seenBlocks(context, 'refused', mark),
  });
}

function whyRefused({ reason, lastPath, environments: [environment = 'live'] }: KeptSpan): Block[] {
  const [why, next] = refusalWords(reason, lastPath);
  return [noticeBlock('quiet', `${why}.`, { next: next.replaceAll('ENVIRONMENT', environment) })];
}
