import { TallyhookError } from '../../../domain/error.ts';
import { exceptionColumns, exceptionKindColumns } from '../../../lists/breaks.ts';
import { type QueueDay, queueDay } from '../../../reconcile/exceptions/queue.ts';
import { breakSubject } from '../../../reconcile/exceptions/words.ts';
import { breakName } from '../../../reconcile/report/words.ts';
import type { Cursor } from '../../../store/cursor.ts';
import type { Exception, ExceptionKind } from '../../../store/exceptions.ts';
import { addressOf } from '../asked.ts';
import { linksBlock, noticeBlock, postForm } from '../blocks.ts';
import { refusalText } from '../failure.ts';
import { text } from '../filters.ts';
import { listTable, pagesBlock } from '../list-blocks.ts';
import type { Block, Empty, Field, Page, TableBlock } from '../page.ts';
import { type Context, lightPage, type Route } from '../route.ts';
import {
  askedQueue,
  COMMAND,
  commandText,
  filterOf,
  filterQuery,
  filters,
  QUEUE_FILTERS,
  views,
} from './exception-filter.ts';
import { ACTS_OF_MANY, actButtons } from './exception-words.ts';

/** Exceptions of one page. */
const ROWS = 50;

async function list(context: Context): Promise<Page> {
  const { archive, query, config, nowMs } = context;
  const day = await queueDay(config, nowMs);
  const kept = filterQuery(query);
  try {
    const asked = askedQueue(query);
    const filter = filterOf(asked, day);
    const kinds = await archive.exceptionKinds(filter);
    const total = kinds.reduce((sum, { count }) => sum + count, 0);
    const { rows, next } = await archive.exceptions(filter, {
      after: (query.get('after') as Cursor | null) ?? null,
      limit: ROWS,
    });
    const following: Block[] = (await archive.isFollowing()) ? [FOLLOWING] : [];
    return page(commandText(query), [
      ...following,
      views(kept),
      ...(kinds.length === 0 ? [] : [kindsTable(kinds, kept)]),
      filters(kept),
      choosing(context, { rows, day, total, kept }),
      pagesBlock('/exceptions', query, { rows, next, total }),
      sheets(context, kept, total),
    ]);
  } catch (error) {
    if (!(error instanceof TallyhookError) || error.kind !== 'usage') throw error;
    return { ...page(COMMAND, [views(kept), filters(kept, refusalText(error))]), status: 400 };
  }
}

function page(command: string, blocks: readonly Block[]): Page {
  return {
    title: 'Exceptions',
    question: 'What must I decide, what differs, and which line could it be?',
    commands: [command],
    blocks,
    regions: ['exceptions'],
  };
}

const FOLLOWING: Block = noticeBlock('warn', 'The last run is not in the queue yet, as a whole.', {
  next: 'Look again in a minute; an act on an exception brings the queue up to date first.',
});

/** What there is of each kind: the way to decide all of one kind at once. */
function kindsTable(kinds: readonly ExceptionKind[], kept: URLSearchParams): TableBlock {
  return listTable(exceptionKindColumns(), kinds, {
    ...{ id: 'kinds', caption: 'By kind', beside: { Effect: 'Currency' } },
    links: { Code: ({ code, currency }) => addressOf('/exceptions', ofKind(kept, code, currency)) },
    empty: null,
    note: 'Effect is what an exception adds to the balance by the statement.',
  });
}

function ofKind(kept: URLSearchParams, code: string, currency: string | null): URLSearchParams {
  const asked = new URLSearchParams(kept);
  asked.set('code', code);
  if (currency !== null) asked.set('currency', currency);
  return asked;
}

function nothingNext(kept: URLSearchParams): Omit<Empty, 'text'> {
  return kept.size === 0
    ? {
        next: 'What differs in reconciled days stands here. Once nothing is left to decide, a period can be closed.',
        links: [{ text: 'Periods', href: '/periods' }],
      }
    : { next: 'Take a condition out of the filter, or look at the proof.' };
}

interface ShownQueue {
  readonly rows: readonly Exception[];
  readonly day: QueueDay;
  readonly total: number;
  readonly kept: URLSearchParams;
}

/** The rows, to be chosen for one act. */
function choosing({ may }: Context, { rows, day, total, kept }: ShownQueue): Block {
  const acts = ACTS_OF_MANY.filter(({ act }) => may(act));
  const mayChoose = acts.length > 0 && rows.length > 0;
  const table = listTable(exceptionColumns(day), rows, {
    ...{ id: 'exceptions', caption: 'Exceptions', head: 'About', without: ['Id'] },
    beside: { About: 'Code', Account: 'Env', Effect: 'Currency' },
    links: { About: ({ id }) => `/exceptions/${id}` },
    rowId: ({ id }) => id,
    choice: (one) => {
      return { value: `${one.id}:${one.version}`, label: `${one.code} of ${breakSubject(one) ?? 'no record'}` };
    },
    chooses: mayChoose ? { form: 'choose', name: 'item' } : undefined,
    empty: { text: 'No exception matches.', ...nothingNext(kept) },
  });
  if (!mayChoose) return table;
  const filter: Field = { type: 'hidden', name: 'filter', value: String(kept) };
  const label = `All ${total} of this list, not only those chosen here`;
  const all: Field = { type: 'checkbox', name: 'all', value: '1', label };
  return postForm('choose', acts[0]?.path ?? '/exceptions', {
    fields: total > 1 ? [filter, all] : [filter],
    blocks: [table],
    buttons: actButtons(acts),
    note: 'The next page shows what is chosen and asks for the words; nothing is changed before you have looked.',
  });
}

/** `fee mismatch`, `status mismatch/webhook vs api` */
export function kindText(one: Pick<Exception, 'code' | 'sub'>): string {
  return breakName(one).replaceAll('_', ' ');
}

function sheets({ may }: Context, kept: URLSearchParams, total: number): Block {
  const link = (format: 'xlsx' | 'csv') => ({
    text: `This list as ${format.toUpperCase()}, to fill`,
    href: addressOf('/exceptions/sheet', new URLSearchParams([...kept, ['format', format]])),
  });
  return linksBlock('Spreadsheets', [
    ...(total > 0 ? [link('xlsx'), link('csv')] : []),
    ...(may('sheet.import') ? [{ text: 'Take a filled spreadsheet back', href: '/exceptions/sheets' }] : []),
  ]);
}

export const exceptionRoutes: readonly Route[] = [
  lightPage('/exceptions', 'read', list, { ...QUEUE_FILTERS, after: text('After') }),
];
