import { asideColumns, eventColumns } from '../../../lists/events.ts';
import { seenColumn } from '../../../lists/seen.ts';
import { type AsideDelivery, MOST_ASIDE } from '../../../store/aside.ts';
import type { EventFilter, EventSummary } from '../../../store/events.ts';
import type { SeenMark } from '../../../store/seen.ts';
import { rowNumbersIn } from '../asked.ts';
import { postForm, sectionBlock } from '../blocks.ts';
import { AFTER, askedIn, boundsOf, DAYS, ENVIRONMENT } from '../filters.ts';
import { given } from '../forms.ts';
import { listPage, listTable } from '../list-blocks.ts';
import type { Block, Button, Page } from '../page.ts';
import { type Context, lightForm, lightPage, type Redirect, type Route } from '../route.ts';
import { seen, seenBlocks } from './seen.ts';

// What did we not understand?

const FILTERS = { ...ENVIRONMENT, ...DAYS };

export const quarantineRoutes: readonly Route[] = [
  lightPage('/quarantine', 'read', quarantine, { ...FILTERS, ...AFTER }),
  lightForm('/quarantine/seen', 'quarantine.see', seen('quarantine')),
  lightForm('/quarantine/retry', 'aside.retry', retry),
  lightForm('/quarantine/drop', 'aside.drop', drop),
];

async function quarantine(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const { environment, ...days } = askedIn(FILTERS, query, config.timeZone);
  const filter: EventFilter = {
    ...{ ...given({ environment }), ...boundsOf(days) },
    states: ['quarantined', 'unknown'],
  };
  const aside = await archive.aside({ order: 'newest', limit: MOST_ASIDE });
  const mark = await archive.seenMark('quarantine');
  return listPage(context, {
    ...{ title: 'Quarantine', question: 'What did we not understand?', regions: ['events'] },
    ...{ path: '/quarantine', filters: FILTERS, filter },
    command: 'tallyhook events list --state quarantined --state unknown',
    others: ['tallyhook events list --aside', 'tallyhook events seen quarantine'],
    list: { read: archive.events, count: archive.countEvents, isByIndex: true },
    columns: [...eventColumns(), seenColumn<EventSummary>(mark, ({ receivedAtMs }) => receivedAtMs)],
    table: () => ({
      ...{ id: 'events', caption: 'Events that made no observation, the newest first', head: 'Event' },
      links: { Event: ({ id }) => `/events/${id}` },
    }),
    none: {
      text: 'Nothing is quarantined: every event made an observation.',
      next: 'All of them stand under Events.',
      links: [{ text: 'Events', href: '/events' }],
    },
    noMatch: 'Nothing matches.',
    above: aside.length === 0 ? [] : [asideSection(context, aside, mark)],
    between: seenBlocks(context, 'quarantine', mark),
  });
}

function asideSection({ may }: Context, aside: readonly AsideDelivery[], mark: SeenMark | null): Block {
  const buttons: Button[] = [];
  if (may('aside.retry')) buttons.push({ label: 'Try the chosen ones again', as: 'plain' });
  if (may('aside.drop'))
    buttons.push({
      ...{ label: 'Delete the chosen ones', as: 'danger', action: '/quarantine/drop' },
      confirm: 'They were acknowledged, and are deleted with their bytes. The service does not send them again.',
    });
  const columns = [...asideColumns(), seenColumn<AsideDelivery>(mark, ({ setAsideAtMs }) => setAsideAtMs)];
  const table = listTable(columns, aside, {
    ...{ id: 'aside-list', caption: 'Deliveries that were set aside', head: 'Reason', empty: null },
    ...(buttons.length > 0 && {
      chooses: { name: 'id' },
      choice: ({ id }: AsideDelivery) => ({ value: String(id), label: `delivery ${id}` }),
    }),
  });
  return sectionBlock('aside', 'Set aside: a defect kept them from being carried out', [
    buttons.length === 0 ? table : postForm('retry', '/quarantine/retry', { blocks: [table], buttons }),
  ]);
}

async function retry({ operations, form, visitor }: Context): Promise<Redirect> {
  const ids = chosenIn(form);
  const tried = await operations.aside.retry({ ids, by: visitor.name });
  return { to: '/quarantine', said: `${tried.ids.length} of ${ids.length} chosen ones are tried again.` };
}

async function drop({ operations, form, visitor }: Context): Promise<Redirect> {
  const ids = chosenIn(form);
  const dropped = await operations.aside.drop({ ids, by: visitor.name });
  return { to: '/quarantine', said: `${dropped.ids.length} of ${ids.length} chosen ones are deleted.` };
}

function chosenIn(form: URLSearchParams): number[] {
  return rowNumbersIn(form, 'id').slice(0, MOST_ASIDE);
}
