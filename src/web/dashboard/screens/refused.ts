import { asideColumns } from '../../../lists/events.ts';
import { refusedColumns } from '../../../lists/refused.ts';
import { refusalWords } from '../../../receive/refusal-words.ts';
import { REFUSAL_REASONS } from '../../../receive/refusals.ts';
import { STORE_FAULTS } from '../../../store/error.ts';
import { wordsIn } from '../asked.ts';
import { choice, dayFields, daysIn, environmentField, environmentIn, filtersForm, optionsOf } from '../filters.ts';
import { listTable, pageOfList, pagesBlock } from '../list-blocks.ts';
import type { Page } from '../page.ts';
import type { Context, Redirect, Route } from '../route.ts';
import { eventTable } from './events.ts';

// What did we turn away, or not understand?

export const refusedRoutes: readonly Route[] = [
  { method: 'GET', path: '/refused', act: 'read', weight: 'light', handle: refused },
  { method: 'GET', path: '/quarantine', act: 'read', weight: 'light', handle: quarantine },
  { method: 'POST', path: '/quarantine/retry', act: 'aside.retry', weight: 'light', handle: retry },
];

/** Also those of deliveries that were not kept. */
const REASONS: readonly string[] = [...REFUSAL_REASONS, ...STORE_FAULTS];

async function refused(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const reasons = wordsIn(query, 'reason', REASONS);
  const filter = { ...daysIn(query, config.timeZone), ...(reasons !== undefined && { reasons }) };
  const found = await pageOfList(
    query,
    (page) => archive.refusedSpans(filter, page),
    () => archive.countRefusedSpans(filter),
  );
  return {
    title: 'Refused',
    question: 'What did we turn away, and why?',
    commands: [`tallyhook refused${optionsOf(query, ['reason', 'since', 'until'])}`],
    regions: ['events'],
    blocks: [
      filtersForm('/refused', [choice(query, 'reason', 'Reason', REASONS), ...dayFields(query)]),
      listTable(refusedColumns(), found.rows, {
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

async function quarantine(context: Context): Promise<Page> {
  const { archive, query, may, config } = context;
  const filter = {
    ...environmentIn(query),
    ...daysIn(query, config.timeZone),
    states: ['quarantined', 'unknown'],
  } as const;
  const found = await pageOfList(
    query,
    (page) => archive.events(filter, page),
    () => archive.countEvents(filter),
  );
  const aside = await archive.aside({ order: 'newest', limit: MOST_ASIDE });
  return {
    title: 'Quarantine',
    question: 'What did we not understand?',
    commands: ['tallyhook events list --state quarantined --state unknown', 'tallyhook events list --aside'],
    regions: ['events'],
    blocks: [
      ...(aside.length === 0
        ? []
        : [
            {
              ...{
                kind: 'section' as const,
                id: 'aside',
                title: 'Set aside: a defect kept them from being carried out',
              },
              blocks: [
                listTable(asideColumns(), aside, {
                  ...{
                    id: 'aside-list',
                    caption: 'Deliveries that were set aside',
                    head: 'Reason',
                    empty: { text: 'None.' },
                  },
                  ...(may('aside.retry') && {
                    chooses: { name: 'id', form: 'retry' },
                    choice: ({ id }: (typeof aside)[number]) => ({ value: String(id), label: `delivery ${id}` }),
                  }),
                }),
                ...(may('aside.retry')
                  ? [
                      {
                        ...{ kind: 'form' as const, id: 'retry', as: 'act' as const, method: 'POST' as const },
                        ...{
                          action: '/quarantine/retry',
                          fields: [],
                          buttons: [{ label: 'Try the chosen ones again' }],
                        },
                      },
                    ]
                  : []),
              ],
            },
          ]),
      filtersForm('/quarantine', [environmentField(query), ...dayFields(query)]),
      eventTable(found.rows, { text: 'Nothing is quarantined: every event made an observation.' }),
      pagesBlock('/quarantine', query, found),
    ],
  };
}

/** Deliveries that were set aside, shown at a time. */
const MOST_ASIDE = 100;

async function retry({ operations, form, visitor }: Context): Promise<Redirect> {
  const ids = form
    .getAll('id')
    .filter((id) => /^\d{1,15}$/.test(id))
    .slice(0, MOST_ASIDE)
    .map(Number);
  const tried = await operations.aside.retry({ ids, by: visitor.name });
  return { to: '/quarantine', said: `${tried.ids.length} of ${ids.length} chosen ones are tried again.` };
}
