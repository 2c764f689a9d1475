import { refusedColumns } from '../../../lists/refused.ts';
import { seenColumn } from '../../../lists/seen.ts';
import { refusalWords } from '../../../receive/refusal-words.ts';
import { REFUSAL_REASONS } from '../../../receive/refusals.ts';
import { STORE_FAULTS } from '../../../store/error.ts';
import type { KeptSpan } from '../../../store/refused.ts';
import { wordsIn } from '../asked.ts';
import { choice, dayFields, daysIn, filtersForm, given, optionsOf } from '../forms.ts';
import { listTable, pageOfList, pagesBlock } from '../list-blocks.ts';
import type { Page } from '../page.ts';
import type { Context, Route } from '../route.ts';
import { seen, seenBlocks } from './seen.ts';

// What did we turn away, and why?

export const refusedRoutes: readonly Route[] = [
  { method: 'GET', path: '/refused', act: 'read', weight: 'light', handle: refused },
  { method: 'POST', path: '/refused/seen', act: 'refused.see', weight: 'light', handle: seen('refused') },
];

/** Also those of deliveries that were not kept. */
const REASONS: readonly string[] = [...REFUSAL_REASONS, ...STORE_FAULTS];

async function refused(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const reasons = wordsIn(query, 'reason', REASONS);
  const filter = { ...daysIn(query, config.timeZone), ...given({ reasons }) };
  const found = await pageOfList(
    query,
    (page) => archive.refusedSpans(filter, page),
    () => archive.countRefusedSpans(filter),
  );
  const mark = await archive.seenMark('refused');
  return {
    title: 'Refused',
    question: 'What did we turn away, and why?',
    commands: [`tallyhook refused${optionsOf(query, ['reason', 'since', 'until'])}`, 'tallyhook events seen refused'],
    regions: ['events'],
    blocks: [
      filtersForm('/refused', [choice(query, 'reason', 'Reason', REASONS), ...dayFields(query)]),
      ...seenBlocks(context, 'refused', mark),
      listTable([...refusedColumns(), seenColumn<KeptSpan>(mark, ({ lastAtMs }) => lastAtMs)], found.rows, {
        ...{ id: 'refused', caption: 'Refused requests, the latest first', without: ['Id'], head: 'Reason' },
        more: ({ reason, lastPath, environments: [environment = 'live'] }) => {
          const [why, next] = refusalWords(reason, lastPath);
          return [
            { kind: 'notice', tone: 'quiet', text: `${why}.`, next: next.replaceAll('ENVIRONMENT', environment) },
          ];
        },
        empty: { text: query.size === 0 ? 'Nothing was refused.' : 'Nothing matches.' },
      }),
      pagesBlock('/refused', query, found),
    ],
  };
}
